import type { Grade } from '../../contract/judgement.ts';
import type { QuickMarkMetric } from '../../contract/quick-mark.ts';
import { figureOf, gradeOfFigure, type Device } from '../facts/devices.ts';
import { headlineMetrics } from '../facts/headline.ts';
import { metricInfo } from '../facts/metrics.ts';
import type { NodeSummary } from '../facts/node-summary.ts';
import type { PlaceGrades } from '../facts/places.ts';
import { printCount, printNumber } from '../facts/print-number.ts';
import { heading, note, paragraph } from '../layout/blocks.ts';
import { gradeInk, gradeSigns, gradeWords } from '../layout/mark.ts';
import type { Paper } from '../layout/paper.ts';
import { table, type Cell } from '../layout/table.ts';

/** Up to this many devices are all listed; of more, those that are not good. */
const MOST_LISTED = 128;
const rank: Readonly<Record<Grade, number>> = { bad: 0, check: 1, not_measured: 2, good: 3 };

/** Every device of a job, worst first, with the figures that people compare. */
export function gpusSection(paper: Paper, nodes: readonly NodeSummary[], grades: PlaceGrades): void {
  const all = nodes
    .flatMap(({ name, devices }, node) =>
      devices.map((device, index) => ({ name, device, grade: grades.device(node, index) })),
    )
    .toSorted((a, b) => rank[a.grade] - rank[b.grade]);
  if (all.length === 0) return;
  const kind = all.every(({ device }) => device.vendor === 'cpu') ? 'processor' : 'GPU';
  if (!heading(paper, `The ${printCount(all.length, kind)}`, 80)) return;
  const notGood = all.filter(({ grade }) => grade !== 'good');
  const shown = all.length <= MOST_LISTED ? all : notGood.slice(0, MOST_LISTED);
  if (shown.length < all.length)
    paragraph(
      paper,
      `${printCount(notGood.length, kind)} of ${printCount(all.length, kind)} not good, ${shown.length} of them listed; the report of each node lists its own.`,
    );
  if (shown.length === 0) return;
  const metrics = [
    ...new Set<QuickMarkMetric>([
      ...headlineMetrics(all.map(({ device }) => device)).slice(0, 2),
      'host_to_device_bandwidth_gbs',
      'device_to_host_bandwidth_gbs',
      'power_consumption_watts',
      'temperature_centigrade',
    ]),
  ];
  table(
    paper,
    [
      { title: 'Node', share: 28, maxLines: 1 },
      { title: kind, share: 9 },
      { title: 'Verdict', share: 13 },
      ...metrics.map((metric) => ({
        title: `${metricInfo[metric].short} ${metricInfo[metric].unit}`,
        share: 12,
        align: 'right' as const,
      })),
    ],
    shown.map(({ name, device, grade }): Cell[] => [
      name,
      device.name,
      { text: gradeWords[grade], color: gradeInk[grade], font: grade === 'good' ? 'regular' : 'bold' },
      ...metrics.map((metric) => figureCell(device, metric)),
    ]),
  );
  note(paper, 'Signs beside figures: ! to check, ✗ bad. Medians of the samples of each device.');
}

/** A figure with its own mark, if it is not good. */
export function figureCell(device: Device, metric: QuickMarkMetric): Cell {
  const text = printNumber(figureOf(device, metric)?.value);
  const grade = gradeOfFigure(device, metric);
  if (grade !== 'bad' && grade !== 'check') return text;
  return { text: `${gradeSigns[grade]}\u00A0${text}`, color: gradeInk[grade], font: 'bold' };
}
