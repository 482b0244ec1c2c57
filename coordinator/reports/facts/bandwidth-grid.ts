import { median, orNull } from '../../figures/statistics.ts';
import type { BandwidthCell } from '../../contract/bandwidth-matrix.ts';
import type { Device } from './devices.ts';

export interface BandwidthGrid {
  /** names of the devices that appear in any cell, in device order */
  names: string[];
  /** null on the diagonal and for a pair that has no cell (devices of different makers) */
  cellAt: (source: number, target: number) => BandwidthCell | null;
  connections: Connection[];
  /** cells that are not ok, worst first */
  flagged: BandwidthCell[];
  nameOf: (gpuId: string) => string;
}

/** One kind of path. `letter` marks its cells. */
interface Connection {
  letter: string;
  type: string;
  peerAccess: string;
  pairs: number;
  simplex: Range;
  duplex: Range;
}
/** Over the measured pairs; null if none was measured */
export type Range = { low: number; median: number; high: number } | null;

const severity = { bad: 0, warn: 1, absent: 2, ok: 3 } as const;

/** The cells of a node in rows (from) and columns (to); a cell of an unknown device keeps its id as name. */
export function bandwidthGrid(devices: Device[], cells: BandwidthCell[]): BandwidthGrid {
  const used = new Set(cells.flatMap((cell) => [cell.source_gpu, cell.target_gpu]));
  const ids = [...new Set([...devices.map(({ id }) => id).filter((id) => used.has(id)), ...used])];
  const nameOf = (gpuId: string): string => devices.find(({ id }) => id === gpuId)?.name ?? gpuId;
  const byPair = new Map(cells.map((cell) => [JSON.stringify([cell.source_gpu, cell.target_gpu]), cell]));
  return {
    names: ids.map(nameOf),
    cellAt: (source, target) => byPair.get(JSON.stringify([ids[source], ids[target]])) ?? null,
    connections: connectionsOf(cells),
    flagged: cells
      .filter((cell) => verdictOf(cell) !== 'ok')
      .toSorted((a, b) => severity[verdictOf(a)] - severity[verdictOf(b)]),
    nameOf,
  };
}

export const verdictOf = (cell: BandwidthCell): keyof typeof severity =>
  cell.verdict ?? (cell.simplex_gbs === null ? 'absent' : 'ok');

function connectionsOf(cells: BandwidthCell[]): Connection[] {
  const groups = [...Map.groupBy(cells, (cell) => cell.connection_type)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return groups.map(([type, members], index) => ({
    letter: String.fromCharCode('a'.charCodeAt(0) + (index % 26)),
    type,
    peerAccess: peerAccessOf(members),
    pairs: members.length,
    simplex: rangeOf(members.flatMap((cell) => cell.simplex_gbs ?? [])),
    duplex: rangeOf(members.flatMap((cell) => cell.duplex_gbs ?? [])),
  }));
}

function peerAccessOf(cells: BandwidthCell[]): string {
  const known = new Set(cells.map((cell) => cell.peer_access ?? null));
  if (known.size > 1) return 'some pairs';
  return known.has(true) ? 'yes' : known.has(false) ? 'no' : 'not told';
}

function rangeOf(values: number[]): Range {
  const middle = orNull(median(values));
  return middle === null ? null : { low: Math.min(...values), median: middle, high: Math.max(...values) };
}
