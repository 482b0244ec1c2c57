import { none, valueOf } from './read-figure.ts';
import type { Figure } from './read-figure.ts';
import type { SlotContext } from './slot-context.ts';

/** Share of the larger figure by which the two ends of a bandwidth test may part. */
const AGREEMENT_SHARE = 0.05;

/** What is left of a test that had to be given up: the slot's time is over, or the talk with the other end is. */
export function cutShort({ clock, talk, times }: SlotContext): Figure {
  return talk.is_over && clock.now_ms() < times.deadline_ms - 1
    ? none('closed', 'the other end hung up')
    : none('timeout', 'not over in time');
}

/**
 * Figures that the other end confirms. perftest's server prints what its client has sent it, so agreement proves that both
 * took part in one test to its end, and that neither end's output was misread; it is no second measurement. Latency is
 * measured by each end by itself and only has to be there.
 * @param theirs by rail; null if the other end said nothing
 */
export function holdAgainst(
  context: SlotContext,
  mine: readonly Figure[],
  theirs: readonly (number | null)[] | null,
): Figure[] {
  return mine.map((figure, place) => {
    if (figure.kind === 'none') return figure;
    if (theirs === null) return cutShort(context);
    const own = valueOf(figure);
    const other = theirs[place] ?? null;
    if (own === null || other === null) return none('transport_error', 'the other end has no figure');
    if (figure.kind === 'latency' || Math.abs(own - other) <= AGREEMENT_SHARE * Math.max(own, other)) return figure;
    return none('transport_error', `${own.toFixed(2)} here, ${other.toFixed(2)} Gb/s there`);
  });
}
