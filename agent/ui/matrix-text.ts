import type { BandwidthCell } from '../../coordinator/contract/bandwidth-matrix.ts';
import { deviceNames } from '../../coordinator/figures/device-name.ts';
import { figureText } from './figure-text.ts';
import type { Paint } from './paint.ts';
import type { DeviceSummary } from '../run/run-summary.ts';
import { fitWidth, padEnd, padStart, printable, wrapText } from './text-width.ts';

const WIDTH = 80;
/** Eight columns of this width and the row's name fit into 80 characters. */
const TABLE_DEVICES_MAX = 8;
const CELL_WIDTH = 9;
const NAME_WIDTH = 7;
/** Maximum number of slow pairs listed; the rest is in the upload. */
const LISTED_MAX = 10;
/** Reasons listed of pairs that are not good, each of which has its sign above. */
const REASONS_MAX = 4;

const SIGNS = { ok: ' ', warn: '!', bad: '✗', absent: '-' } as const;

/**
 * The copies between GPUs as text: a table for up to 8 GPUs, otherwise the slowest pairs; then the doubtful ones and
 * the paths.
 */
export function matrixBlock(
  cells: readonly BandwidthCell[],
  devices: readonly DeviceSummary[],
  paint: Paint,
): string[] {
  const ids = devices
    .map((device) => device.device_id)
    .filter((id) => cells.some((cell) => cell.source_gpu === id || cell.target_gpu === id));
  const names = deviceNames(devices);
  const order = new Map(devices.map((device, index) => [device.device_id, names[index]]));
  const nameOf = (id: string): string => order.get(id) ?? id;
  const pairOf = (cell: BandwidthCell): string => `${nameOf(cell.source_gpu)} to ${nameOf(cell.target_gpu)}`;
  const isTable = ids.length <= TABLE_DEVICES_MAX;
  const title = isTable ? 'from row to column' : `the ${LISTED_MAX} slowest of ${cells.length} pairs`;
  const body = isTable ? tableLines(cells, ids, nameOf) : slowestLines(cells, pairOf);
  return [
    paint('bold', `GPU x GPU copies, one direction, GB/s: ${title}`),
    ...body,
    ...doubtfulLines(cells, pairOf, paint),
    ...pathLines(cells).flatMap((line) => indented(line).map((text) => paint('dim', text))),
  ];
}

function tableLines(cells: readonly BandwidthCell[], ids: readonly string[], nameOf: (id: string) => string): string[] {
  const found = new Map(cells.map((cell) => [`${cell.source_gpu}\n${cell.target_gpu}`, cell]));
  const head = ids.map((id) => padStart(`${nameOf(id)} `, CELL_WIDTH)).join('');
  const rows = ids.map((source) => {
    const row = ids.map((target) => cellText(found.get(`${source}\n${target}`), source === target));
    return padStart(nameOf(source), NAME_WIDTH) + row.join('');
  });
  return [padEnd('', NAME_WIDTH) + head, ...rows].map((line) => line.trimEnd());
}

/** A dot: no such pair (another backend); a dash: not measured. */
function cellText(cell: BandwidthCell | undefined, isDiagonal: boolean): string {
  if (isDiagonal) return padStart('', CELL_WIDTH);
  if (cell === undefined) return padStart('· ', CELL_WIDTH);
  const sign = SIGNS[cell.verdict ?? 'ok'];
  return padStart(cell.simplex_gbs === null ? `${sign} ` : figureText(cell.simplex_gbs) + sign, CELL_WIDTH);
}

function slowestLines(cells: readonly BandwidthCell[], pairOf: (cell: BandwidthCell) => string): string[] {
  const measured = cells.filter((cell) => cell.simplex_gbs !== null);
  const sorted = measured.toSorted((a, b) => (a.simplex_gbs ?? 0) - (b.simplex_gbs ?? 0));
  return sorted.slice(0, LISTED_MAX).map((cell) => {
    const figure = padStart(figureText(cell.simplex_gbs ?? 0), CELL_WIDTH);
    return fitWidth(
      `  ${padEnd(pairOf(cell), 18)}${figure} ${SIGNS[cell.verdict ?? 'ok']} ${printable(cell.connection_type)}`,
      WIDTH,
    );
  });
}

/** Each reason once: what to do stands with the problems. */
function doubtfulLines(
  cells: readonly BandwidthCell[],
  pairOf: (cell: BandwidthCell) => string,
  paint: Paint,
): string[] {
  const doubtful = cells.filter((cell) => cell.verdict !== undefined && cell.verdict !== 'ok');
  const reasons = [...Map.groupBy(doubtful, ({ verdict, reason }) => `${verdict} ${reason}`).values()];
  const listed = reasons.slice(0, REASONS_MAX).flatMap((group) => {
    const sign = SIGNS[group[0]?.verdict ?? 'ok'];
    const pairs = group.length > 2 ? `${group.length} pairs` : group.map(pairOf).join(' and ');
    const reason = group[0]?.reason?.replace(/^absence: /, 'not measured: ') ?? 'not measured';
    return indented(`${sign} ${pairs}: ${printable(reason)}`);
  });
  const more = reasons.slice(REASONS_MAX).flat().length;
  return [...listed, ...(more > 0 ? [`  and ${more} more`] : [])].map((line) => paint('yellow', line));
}

/** The range of each path: `NVLink x18: 56 pairs, 388.1 to 391.0 GB/s, both ways 742.0 to 748.3 GB/s`. */
function pathLines(cells: readonly BandwidthCell[]): string[] {
  return [...Map.groupBy(cells, (cell) => cell.connection_type)].map(([path, group]) => {
    const span = (values: number[]): string | null => {
      if (values.length === 0) return null;
      const [low, high] = [figureText(Math.min(...values)), figureText(Math.max(...values))];
      return low === high ? low : `${low} to ${high}`;
    };
    const simplex = span(group.flatMap((cell) => cell.simplex_gbs ?? []));
    const duplex = span(group.flatMap((cell) => cell.duplex_gbs ?? []));
    const figures = simplex === null ? 'not measured' : `${simplex} GB/s`;
    const both = duplex === null ? '' : `, both ways ${duplex} GB/s`;
    return `${printable(path)}: ${group.length} ${group.length === 1 ? 'pair' : 'pairs'}, ${figures}${both}`;
  });
}

const indented = (text: string): string[] =>
  wrapText(text, WIDTH - 4).map((line, index) => (index === 0 ? `  ${line}` : `    ${line}`));
