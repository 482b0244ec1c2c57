import { median, orNull } from '../../figures/statistics.ts';
import type { MatrixEngine } from '../../contract/matrix-engine.ts';
import { computedOf, shortEngine } from '../facts/computed.ts';
import type { Figure } from '../facts/devices.ts';
import type { NodeSummary } from '../facts/node-summary.ts';
import { printInteger, printNumber, printPercent } from '../facts/print-number.ts';
import { heading, paragraph } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { table } from '../layout/table.ts';

/** All devices of a job by figure: how many have it, the spread over the devices and within each, verification. */
export function jobMethodSection(paper: Paper, nodes: NodeSummary[]): void {
  const figures = nodes.flatMap(({ devices }) =>
    devices.flatMap((device) =>
      device.figures.map((figure) => ({ ...figure, engine: computedOf(device, figure)?.engine ?? null })),
    ),
  );
  const byMetric = [...Map.groupBy(figures, ({ metric }) => metric).values()];
  const measured = byMetric.filter((group) => group.some(({ value }) => value !== null));
  if (measured.length === 0 || !heading(paper, 'What was measured, over all devices', 100)) return;
  paragraph(
    paper,
    'Every device measured itself; its figure is the median of its samples, and this table is over the devices. GB is 1e9 ' +
      'bytes, TFLOP is 1e12 operations. How each figure was taken stands in the report of its node.',
  );
  table(
    paper,
    [
      { title: 'Figure', share: 25 },
      { title: 'Devices', share: 10, align: 'right' },
      { title: 'Smallest', share: 11, align: 'right' },
      { title: 'Median', share: 11, align: 'right' },
      { title: 'Largest', share: 11, align: 'right' },
      { title: 'Unit', share: 10 },
      { title: 'Median cv of samples', share: 12, align: 'right' },
      { title: 'Verified', share: 12, align: 'right' },
    ],
    measured.flatMap(rowsByEngine),
  );
}

/** One row, or one per engine: a median over both would describe neither. */
function rowsByEngine(group: (Figure & { engine: MatrixEngine | null })[]): string[][] {
  const engines = new Set(group.flatMap(({ engine }) => engine ?? []));
  if (engines.size < 2) return [rowOf(group, group.length)];
  return [...engines].map((engine) => {
    const [label = '', ...rest] = rowOf(
      group.filter((figure) => figure.engine === engine),
      group.length,
    );
    return [`${label}, ${shortEngine[engine]}`, ...rest];
  });
}

function rowOf(group: Figure[], all: number): string[] {
  const values = group.flatMap(({ value }) => (value === null ? [] : [value]));
  const spreads = group.flatMap(({ stats }) => (stats ? [stats.cv] : []));
  const checked = group.filter(({ verified, value }) => verified !== null && value !== null);
  const right = checked.filter(({ verified }) => verified).length;
  const { label = '', unit = '' } = group[0]?.info ?? {};
  return [
    label,
    values.length === all ? printInteger(values.length) : `${printInteger(values.length)} of ${printInteger(all)}`,
    printNumber(values.reduce((a, b) => Math.min(a, b), Infinity)),
    printNumber(orNull(median(values))),
    printNumber(values.reduce((a, b) => Math.max(a, b), -Infinity)),
    unit,
    printPercent(orNull(median(spreads))),
    checked.length === 0 ? 'not applicable' : `${printInteger(right)} of ${printInteger(checked.length)}`,
  ];
}
