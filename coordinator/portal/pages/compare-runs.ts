import { metricNames } from '../../figures/metric-names.ts';
import type { Measured } from './run-figures.ts';
import { whyNotCompared, type RunKind } from './run-kind.ts';

/** One side of a comparison. */
export interface Compared extends RunKind {
  /** as in the URL: `task:ID` or `job:ID` */
  item: string;
  label: string;
  href: string;
  /** its devices, e.g. "8 x NVIDIA H100" */
  hardware: string;
  /** means over its devices, by metric */
  figures: ReadonlyMap<string, Measured>;
}

/** Fewer samples do not support a statement about the spread. */
export const LEAST_SAMPLES = 3;

export type Delta =
  | { kind: 'absent' }
  | { kind: 'base'; figure: Measured }
  | { kind: 'not comparable'; figure: Measured; because: string }
  | { kind: 'no difference'; figure: Measured; share: number }
  | { kind: 'different'; figure: Measured; share: number };

/** One figure of one item compared with the base's. */
export interface Cell {
  metric: string;
  item: Compared;
  base: Compared;
  delta: Delta;
}

/**
 * How much one figure of an item differs from the base's: whether both spreads support a difference, or why they are
 * not compared.
 */
export function deltaOf(metric: string, base: Compared, other: Compared): Delta {
  const figure = other.figures.get(metric);
  if (figure === undefined) return { kind: 'absent' };
  if (other === base) return { kind: 'base', figure };
  const against = base.figures.get(metric) ?? null;
  const because = reasonAgainst(metric, { base, other, figure, against });
  if (because !== null || against === null)
    return { kind: 'not comparable', figure, because: because ?? 'the base has no such figure' };
  const share = figure.value / against.value - 1;
  // Each value is within the other's spread, 5th to 95th percentile of the samples.
  const isWithin =
    figure.value >= against.low &&
    figure.value <= against.high &&
    against.value >= figure.low &&
    against.value <= figure.high;
  return { kind: isWithin ? 'no difference' : 'different', figure, share };
}

interface Pair {
  base: Compared;
  other: Compared;
  figure: Measured;
  against: Measured | null;
}

function reasonAgainst(metric: string, { base, other, figure, against }: Pair): string | null {
  if (against === null || against.value === 0) return 'the base has no such figure';
  const because = whyNotCompared(metric, { run: other, figure }, { run: base, figure: against });
  if (because !== null) return because;
  const least = Math.min(figure.n, against.n);
  if (least > 0 && least < LEAST_SAMPLES) return `only n = ${least} samples, of at least ${LEAST_SAMPLES}`;
  return least === 0 ? 'the number of samples is not known' : null;
}

export const isCompared = ({ delta }: Cell): boolean => delta.kind === 'different' || delta.kind === 'no difference';

/** Which figures of which runs do not stand beside the base's, by reason, in one line; null: all do. */
export function notComparedWords(all: readonly (readonly Cell[])[], items: readonly Compared[]): string | null {
  const cells = all
    .flat()
    .flatMap(({ metric, item, delta }) =>
      delta.kind === 'not comparable' ? [{ metric, run: items.indexOf(item) + 1, because: delta.because }] : [],
    );
  const reasons = [...Map.groupBy(cells, ({ run, because }) => `${run} ${because}`).values()];
  const lines = reasons.flatMap((same) => {
    const [first] = same;
    const figures = metricNames(same.map(({ metric }) => metric));
    return first === undefined ? [] : [`run ${first.run}, ${figures}: ${first.because}`];
  });
  return lines.length === 0 ? null : lines.join('; ');
}
