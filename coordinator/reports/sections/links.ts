import type { BandwidthCell } from '../../contract/bandwidth-matrix.ts';
import type { FigureVerdict } from '../../contract/figure-verdict.ts';
import { ruleOfVerdict } from '../../figures/findings/rules.ts';
import { bandwidthGrid, verdictOf, type BandwidthGrid, type Range } from '../facts/bandwidth-grid.ts';
import type { Device } from '../facts/devices.ts';
import { printCount, printInteger, printNumber } from '../facts/print-number.ts';
import { gradeOfCell } from '../facts/summary-rows.ts';
import { heading, note, paragraph } from '../layout/blocks.ts';
import { gradeWords } from '../layout/mark.ts';
import { heatTable, type HeatCell } from '../layout/heat-table.ts';
import type { Paper } from '../layout/paper.ts';
import { table } from '../layout/table.ts';

/** Cells listed with their reason; the rest are only counted. */
const MAX_FLAGGED = 16;
/** With more devices the second table would fill pages; its figures are kept with the results. */
const MOST_FOR_BOTH = 16;

/** Copies from each GPU to every other: one direction, both directions, the paths, and the cells that are not ok. */
export function linksSection(paper: Paper, devices: Device[], cells: BandwidthCell[]): void {
  const grid = bandwidthGrid(devices, cells);
  // The matrices use the letters of the paths, so the table of paths stays on their page.
  const size = grid.names.length;
  const flagged = grid.flagged.length === 0 ? 0 : 20 + 18 * Math.min(4, grid.flagged.length);
  const matrices = size <= MOST_FOR_BOTH ? 2 * wholeOf(size) + flagged : headOf(size);
  const together = 60 + 17 * grid.connections.length + matrices;
  if (cells.length === 0 || !heading(paper, 'Copies from GPU to GPU', together)) return;
  paragraph(
    paper,
    'GB/s (1e9 bytes) from the device of the row to the device of the column; a darker cell is faster. ' +
      'N/A: a device with itself, or a pair that has no path of its own. ✗ bad, ! to check, – not measured.',
  );
  connectionsTable(paper, grid);
  matrix(paper, grid, 'One direction at a time', (cell) => ({ speed: cell.simplex_gbs, verdict: verdictOf(cell) }));
  if (size <= MOST_FOR_BOTH) {
    // The verdict of a cell applies to one direction at a time.
    matrix(paper, grid, 'Both directions at once, their sum', (cell) => ({ speed: cell.duplex_gbs, verdict: 'ok' }));
  } else {
    note(paper, 'The speeds of both directions at once are kept with the results.');
  }
  flaggedTable(paper, grid);
}

function connectionsTable(paper: Paper, { connections }: BandwidthGrid): void {
  table(
    paper,
    [
      { title: 'Sign', share: 6 },
      { title: 'Path', share: 34 },
      { title: 'Direct access', share: 14 },
      { title: 'Pairs', share: 8, align: 'right' },
      { title: 'One direction GB/s, lowest – median – highest', share: 26, align: 'right' },
      { title: 'Both GB/s, lowest – median – highest', share: 26, align: 'right' },
    ],
    connections.map(({ letter, type, peerAccess, pairs, simplex, duplex }) => [
      connections.length > 1 ? letter : '',
      type,
      peerAccess,
      printInteger(pairs),
      printRange(simplex),
      printRange(duplex),
    ]),
  );
}

const printRange = (range: Range): string =>
  range === null ? '–' : [range.low, range.median, range.high].map(printNumber).join(' – ');

interface Reading {
  speed: number | null;
  verdict: FigureVerdict;
}

/** Height in points of a matrix of one block. */
const wholeOf = (size: number): number => 34 + (size <= 8 ? 17 : 13) * (size + 1);
/** Height in points of a matrix, or of the first rows of a large one. */
const headOf = (size: number): number => 34 + 17 * Math.min(size, 8);

function matrix(paper: Paper, grid: BandwidthGrid, title: string, read: (cell: BandwidthCell) => Reading): void {
  const size = grid.names.length;
  const cells = grid.names.flatMap((_, row) => grid.names.flatMap((__, column) => grid.cellAt(row, column) ?? []));
  const speeds = cells.flatMap((cell) => read(cell).speed ?? []);
  if (speeds.length === 0 || !paper.reserve(headOf(size))) return;
  const fastest = Math.max(...speeds);
  const sum = speeds.reduce((total, speed) => total + speed, 0);
  paragraph(paper, `${title}: ${printCount(speeds.length, 'pair')}, sum ${printNumber(sum)} GB/s`, { font: 'bold' });
  const letters = new Map(grid.connections.map(({ type, letter }) => [type, letter]));
  heatTable(paper, {
    corner: 'from \\ to',
    names: grid.names,
    cellAt: (row, column) => {
      const cell = grid.cellAt(row, column);
      if (!cell) return { text: 'N/A', heat: null };
      const corner = grid.connections.length > 1 ? { corner: letters.get(cell.connection_type) ?? '' } : {};
      return { ...heatOf(read(cell), fastest, size), ...corner };
    },
  });
}

function heatOf({ speed, verdict }: Reading, fastest: number, size: number): HeatCell {
  if (speed === null) return verdict === 'bad' ? { text: '✗', heat: null, flag: 'bad' } : { text: '–', heat: null };
  const text = size <= 8 ? printNumber(speed) : speed.toFixed(speed >= 100 ? 0 : 1);
  // Squared, so that a cell that is a quarter slower stands out from its neighbours.
  const heat = fastest > 0 ? (speed / fastest) ** 2 : 0;
  if (verdict === 'bad') return { text: `✗ ${text}`, heat, flag: 'bad' };
  return verdict === 'warn' ? { text: `! ${text}`, heat, flag: 'warn' } : { text, heat };
}

function flaggedTable(paper: Paper, { flagged, nameOf }: BandwidthGrid): void {
  if (flagged.length === 0) return;
  table(
    paper,
    [
      { title: 'From', share: 10 },
      { title: 'To', share: 10 },
      { title: 'Verdict', share: 11 },
      { title: 'GB/s', share: 10, align: 'right' },
      { title: 'Path', share: 22 },
      { title: 'Why', share: 50, maxLines: 3 },
    ],
    flagged
      .slice(0, MAX_FLAGGED)
      .map((cell) => [
        nameOf(cell.source_gpu),
        nameOf(cell.target_gpu),
        gradeWords[gradeOfCell(cell)],
        printNumber(cell.simplex_gbs),
        cell.connection_type,
        ruleOfVerdict(cell.reason ?? 'the agent gave no reason', 'copy').evidence,
      ]),
  );
  if (flagged.length > MAX_FLAGGED) note(paper, `${flagged.length - MAX_FLAGGED} more such pairs are left out here.`);
}
