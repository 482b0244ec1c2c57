import type { TogetherFigure } from '../../contract/figure-verdict.ts';
import type { Device } from '../facts/devices.ts';
import { infoOf } from '../facts/metrics.ts';
import { printDeviation, printNumber } from '../facts/print-number.ts';
import { heading, note } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { table, type Cell } from '../layout/table.ts';

/** Figures side by side in one table. */
const FIGURES_PER_TABLE = 4;

/** Each device while all worked at once, compared with the device alone: the loss through power, cooling and the host. */
export function togetherSection(paper: Paper, devices: Device[]): void {
  const shown = devices.filter(({ together }) => Object.keys(together).length > 0);
  const metrics = [...new Set(shown.flatMap(({ together }) => Object.keys(together)))];
  if (metrics.length === 0 || !heading(paper, 'Alone and all at once', 80)) return;
  for (let first = 0; first < metrics.length; first += FIGURES_PER_TABLE) {
    const some = metrics.slice(first, first + FIGURES_PER_TABLE);
    table(
      paper,
      [
        { title: 'Device', share: 13 },
        ...some.map((metric) => {
          const { short, unit } = infoOf(metric);
          return { title: `${short}, ${unit}: at once of alone`, share: 25, align: 'right' as const };
        }),
      ],
      [
        ...shown.map((device) =>
          rowOf(
            device.name,
            some.map((metric) => device.together[metric]),
          ),
        ),
        sumRow(shown, some),
      ],
    );
  }
  note(paper, `In brackets: at once / alone - 1. ${headlineWords(shown)}`);
}

/** Which of the two is the figure of the report. Agents that measured each device alone first do not tell how many worked. */
function headlineWords(devices: Device[]): string {
  const at_work = devices.flatMap(({ figures }) => figures.map(({ how }) => how['cards_at_work']));
  const most = Math.max(0, ...at_work.filter((count) => typeof count === 'number'));
  return most > 1
    ? `The headline figures are those with ${most} devices at work; of the copies with the host, those of each device alone.`
    : 'The headline figures are those of each device alone.';
}

const rowOf = (name: string, figures: (TogetherFigure | undefined)[]): Cell[] => [name, ...figures.map(cellOf)];

function cellOf(figure: TogetherFigure | undefined): string {
  if (!figure) return '–';
  const { value, alone } = figure;
  const change = value === null || alone === null || alone === 0 ? '' : ` (${printDeviation(value / alone - 1)})`;
  return `${printNumber(value)} of ${printNumber(alone)}${change}`;
}

/** Sums over the devices. A sum is left out if a device lacks the figure, since it would cover fewer devices. */
function sumRow(devices: Device[], metrics: string[]): Cell[] {
  const cells = metrics.map((metric): Cell => {
    const figures = devices.map(({ together }) => together[metric]);
    const sums = (key: 'value' | 'alone'): number | null =>
      figures.every((figure) => typeof figure?.[key] === 'number')
        ? figures.reduce((sum, figure) => sum + (figure?.[key] ?? 0), 0)
        : null;
    const isSum = /_(tflops|gbs)$/.test(metric);
    return { text: isSum ? cellOf({ value: sums('value'), alone: sums('alone'), gap: null }) : '', font: 'bold' };
  });
  return [{ text: 'Sum', font: 'bold' }, ...cells];
}
