import { none, valueOf } from './read-figure.ts';
import type { Figure } from './read-figure.ts';
import type { SlotContext } from './slot-context.ts';

/** Maximum difference between the two ends' bandwidth figures, as a share of the larger. */
const AGREEMENT_SHARE = 0.05;

/** The result of a test that was cut short: the slot's time is over, or the other end has hung up. */
export function cutShort({ clock, talk, times }: SlotContext): Figure {
  return talk.is_over && clock.now_ms() < times.deadline_ms - 1
    ? none('closed', 'the other end hung up')
    : none('timeout', 'not over in time');
}

/**
 * Keeps the figures that the other end confirms. perftest's server prints the figure that its client sent, so agreement
 * proves that both completed the same test and that neither end's output was misread; it is not a second measurement.
 * Each end measures latency by itself, so the other end's latency only has to exist.
 * @param theirs by rail; null if the other end sent nothing
 */
export function confirmFigures(
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
