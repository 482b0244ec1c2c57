import { ascending, higherQuantile, median, orNull } from '../../figures/statistics.ts';
import type { ReportNetwork } from '../report-model.ts';

/** From the node of the row to the node of the column. `share`: relative to `reference`; 1 or more is good. */
export type MatrixCell =
  | { kind: 'value'; value: number; share: number; suspect: boolean }
  /** a link of the graph that failed */
  | { kind: 'failed' }
  /** a pair without a link in the graph */
  | { kind: 'absent' }
  | { kind: 'diagonal' };

export interface NetworkMatrix {
  size: number;
  /** the value at which the share is 1; null if nothing was measured */
  reference: number | null;
  low: number | null;
  high: number | null;
  cellAt: (row: number, column: number) => MatrixCell;
}

const suspects = new Set(['slow', 'lossy', 'unstable', 'unconfirmed']);
/** A direction of a suspect link is marked if it is below this fraction of its expected rate, or the slower of the two. */
const MARKED_BELOW = 0.85;

/** Gb/s from sender (row) to receiver (column). A share of 1 is the upper quartile of all directions. */
export function bandwidthMatrix({ results, links }: ReportNetwork): NetworkMatrix {
  const size = results.nodes.length;
  const cells = new Map<number, { value: number | null; suspect: boolean }>();
  for (const link of links) {
    const { forward_gbps: forward, reverse_gbps: reverse } = link;
    const measured = link.status === 'ok';
    const isMarked = (value: number | null, other: number | null, expected: number | null): boolean =>
      suspects.has(link.verdict) &&
      value !== null &&
      (value <= (other ?? value) || (expected !== null && value < MARKED_BELOW * expected));
    cells.set(link.source * size + link.target, {
      value: measured ? forward : null,
      suspect: isMarked(forward, reverse, link.expected_forward_gbps),
    });
    cells.set(link.target * size + link.source, {
      value: measured ? reverse : null,
      suspect: isMarked(reverse, forward, link.expected_reverse_gbps),
    });
  }
  const values = [...cells.values()].flatMap(({ value }) => value ?? []);
  const reference = orNull(higherQuantile(ascending(values), 0.75));
  return matrixOf(size, cells, values, reference, (value) => (reference ? value / reference : 1));
}

/** Half round trips in µs, the same in both directions. A share of 1 is the median; twice the median is 0.5. */
export function latencyMatrix({ results, links }: ReportNetwork): NetworkMatrix {
  const size = results.nodes.length;
  const cells = new Map<number, { value: number | null; suspect: boolean }>();
  for (const { source, target, latency_us, status } of links) {
    const cell = { value: status === 'ok' ? latency_us : null, suspect: false };
    cells.set(source * size + target, cell);
    cells.set(target * size + source, cell);
  }
  const values = links.flatMap(({ latency_us, status }) => (status === 'ok' ? (latency_us ?? []) : []));
  const reference = orNull(median(values));
  return matrixOf(size, cells, values, reference, (value) => (reference && value > 0 ? reference / value : 1));
}

function matrixOf(
  size: number,
  cells: ReadonlyMap<number, { value: number | null; suspect: boolean }>,
  values: readonly number[],
  reference: number | null,
  shareOf: (value: number) => number,
): NetworkMatrix {
  return {
    size,
    reference,
    low: extreme(values, Math.min),
    high: extreme(values, Math.max),
    cellAt: (row, column) => {
      if (row === column) return { kind: 'diagonal' };
      const cell = cells.get(row * size + column);
      if (!cell) return { kind: 'absent' };
      if (cell.value === null) return { kind: 'failed' };
      return { kind: 'value', value: cell.value, share: shareOf(cell.value), suspect: cell.suspect };
    },
  };
}

/** By reduce: up to 65,280 values are too many for the arguments of one call. */
const extreme = (values: readonly number[], of: (a: number, b: number) => number): number | null =>
  values.reduce<number | null>((found, value) => (found === null ? value : of(found, value)), null);
