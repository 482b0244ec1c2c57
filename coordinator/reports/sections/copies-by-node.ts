import { median } from '../../figures/statistics.ts';
import { readMeasurement } from '../facts/devices.ts';
import type { NodeSummary } from '../facts/node-summary.ts';
import { printCount, printInteger, printNumber } from '../facts/print-number.ts';
import { countWords, gradeOfCell } from '../facts/summary-rows.ts';
import { heading, note } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { table } from '../layout/table.ts';

/** Nodes listed, those with the slowest copies first. */
const MOST_LISTED = 32;

/** The copies between the GPUs of each node in one line; each node's report has them pair by pair. */
export function copiesByNodeSection(paper: Paper, nodes: readonly NodeSummary[]): void {
  const rows = nodes.flatMap(({ name, node }) => {
    const cells = readMeasurement(node)?.matrix ?? [];
    const speeds = cells.flatMap(({ simplex_gbs }) => simplex_gbs ?? []);
    if (cells.length === 0) return [];
    const paths = [...new Set(cells.map(({ connection_type: path }) => path))];
    const lowest = speeds.length === 0 ? 0 : Math.min(...speeds);
    return [{ name, speeds, lowest, paths, counts: countWords(cells.map(gradeOfCell)) }];
  });
  if (rows.length === 0 || !heading(paper, 'Copies from GPU to GPU, by node', 60)) return;
  table(
    paper,
    [
      { title: 'Node', share: 28, maxLines: 1 },
      { title: 'Directions', share: 12, align: 'right' },
      { title: 'Lowest GB/s', share: 12, align: 'right' },
      { title: 'Median GB/s', share: 12, align: 'right' },
      { title: 'Over', share: 24 },
      { title: 'Verdicts', share: 24 },
    ],
    rows
      .toSorted((a, b) => a.lowest - b.lowest)
      .slice(0, MOST_LISTED)
      .map(({ name, speeds, lowest, paths, counts }) => [
        name,
        printInteger(speeds.length),
        speeds.length === 0 ? '–' : printNumber(lowest),
        speeds.length === 0 ? '–' : printNumber(median(speeds)),
        paths.join(', '),
        counts,
      ]),
  );
  if (rows.length > MOST_LISTED)
    note(paper, `${printCount(rows.length - MOST_LISTED, 'more node')} with faster copies left out here.`);
}
