import { dayLines } from '../../charts/day-lines.ts';
import { chartWidths } from '../../charts/svg-parts.ts';
import { median } from '../../figures/statistics.ts';
import { chart } from '../components/chart.ts';
import { numbersTable } from '../components/numbers-table.ts';
import { figure, percent } from '../components/numbers.ts';
import { named, type Content } from '../frame/html.ts';
import { labelOf, unitOf } from '../components/figure-names.ts';
import { type Measured } from './run-figures.ts';
import { whyNotCompared, type RunKind } from './run-kind.ts';

/** One figure of a machine's run. */
export interface MachineRun {
  taskId: string;
  endedAt: Date;
  driver: string | null;
  driverChanged: boolean;
  run: RunKind;
  metric: string;
  measured: Measured | null;
}

/** One chart reads at most this many runs, the newest. */
export const MOST_DRAWN = 300;
/** The most labels of driver changes that fit next to each other in a chart. */
const MOST_MARKS = 8;

type MeasuredRun = MachineRun & { measured: Measured };

const dayOf = ({ endedAt }: MachineRun): string => endedAt.toISOString().slice(0, 10);

/**
 * The newest run of each day, with the spread of its samples and a mark where the driver changed. The line contains
 * only runs comparable with the newest. `rows`: newest first, out of `total`.
 */
export function drift(rows: readonly MachineRun[], total: number, files: string): Content {
  const all = rows.flatMap((row): MeasuredRun[] => (row.measured === null ? [] : [{ ...row, measured: row.measured }]));
  const [last] = all;
  if (last === undefined) return null;
  const { metric } = last;
  const reasonOf = (row: MeasuredRun): string | null =>
    row === last
      ? null
      : whyNotCompared(metric, { run: row.run, figure: row.measured }, { run: last.run, figure: last.measured });
  const judged = all.map((row) => ({ row, because: reasonOf(row) }));
  const alike = judged.flatMap(({ row, because }) => (because === null ? [row] : []));
  const days = [...Map.groupBy(alike, dayOf)].flatMap(([day, [newest]]) =>
    newest === undefined ? [] : [{ day, ...newest.measured }],
  );
  const first = alike.at(-1) ?? last;
  const unit = unitOf(metric);
  const marks = rows.filter((row) => row.driverChanged && dayOf(row) >= dayOf(first) && dayOf(row) <= dayOf(last));
  const svg = (width: number): string =>
    dayLines([{ name: metric, points: days }], {
      unit,
      width,
      from: dayOf(first),
      to: dayOf(last),
      marks: marks
        .slice(0, MOST_MARKS)
        .map((row) => ({ day: dayOf(row), words: `driver ${named(row.driver ?? 'unknown')}` })),
    });
  const values = alike.map(({ measured: { value } }) => value);
  const change = percent(last.measured.value / first.measured.value - 1);
  const left = all.length - alike.length;
  return chart({
    title: `${labelOf(metric)}: ${figure(last.measured.value)} ${unit}, ${alike.length === 1 ? 'one run' : `${change} over ${alike.length} runs`}${left === 0 ? '' : `, ${left} left out`}`,
    svg: { wide: svg(chartWidths.wide), narrow: svg(chartWidths.narrow) },
    caption: [
      'The newest run of each day with the 5th to the 95th percentile of its samples. Days without a run are left empty; dashed lines are another driver.',
      marks.length > MOST_MARKS ? `The newest ${MOST_MARKS} of ${marks.length} changes of the driver are marked.` : '',
      total > rows.length ? `The newest ${rows.length} of ${total} runs; choose days to see others.` : '',
      left === 0 ? '' : leftOut(judged.flatMap(({ because }) => because ?? [])),
      beside(last.measured, median(values.toSorted((a, b) => a - b)), unit, alike.length),
    ]
      .filter((words) => words !== '')
      .join(' '),
    table: numbersTable(
      `Newest run of each day, ${unit}`,
      ['Day, UTC', 'Value', 'p5', 'p95', 'n'],
      days.map(({ day, value, low, high, n }) => [day, figure(value), figure(low), figure(high), n]),
      files,
    ),
  });
}

/** How many runs are not in the line, by reason. "here" is the run that is left out, "there" the newest. */
function leftOut(reasons: readonly string[]): string {
  const counted = [...Map.groupBy(reasons, (reason) => reason)].map(([reason, same]) => `${same.length}: ${reason}`);
  return `${reasons.length} ${reasons.length === 1 ? 'run is' : 'runs are'} left out as not comparable with the newest, which is "there": ${counted.join('; ')}.`;
}

const beside = ({ low, high }: Measured, middle: number, unit: string, count: number): string =>
  count === 1
    ? ''
    : `The median of these runs, ${figure(middle)} ${unit}, lies ${middle < low || middle > high ? 'outside' : 'within'} the spread of the newest.`;
