import { strips, type Strip } from '../../charts/strips.ts';
import { chartWidths } from '../../charts/svg-parts.ts';
import { chart } from '../components/chart.ts';
import { numbersTable } from '../components/numbers-table.ts';
import { figure, percent } from '../components/numbers.ts';
import type { Content } from '../frame/html.ts';
import type { Cell, Compared } from './compare-runs.ts';
import { labelOf, unitOf } from '../components/figure-names.ts';

/** Maximum marks that fit in one chart. */
const MOST_MARKS = 48;

/** One strip per figure: the runs by number, in percent of the base, with the spread of their samples. */
export function compareChart(byMetric: readonly (readonly Cell[])[], base: Compared): Content {
  const all = byMetric.flatMap((row) => {
    const found = row.find(({ item }) => item === base)?.delta;
    if (found?.kind !== 'base' || found.figure.value === 0) return [];
    const runs = row.flatMap(({ delta }, at) =>
      delta.kind === 'absent' || delta.kind === 'not comparable' ? [] : [{ number: at + 1, delta }],
    );
    return runs.length < 2 ? [] : [{ metric: row[0]?.metric ?? '', of: found.figure.value, runs }];
  });
  const shown = all.slice(0, Math.max(1, Math.floor(MOST_MARKS / Math.max(1, ...all.map(({ runs }) => runs.length)))));
  if (shown.length === 0) return null;
  const rows = shown.map(({ metric, of, runs }): Strip => ({
    label: labelOf(metric),
    note: `base ${figure(of)} ${unitOf(metric)}`,
    marks: runs.map(({ number, delta: { figure: one } }) => ({
      at: one.value / of - 1,
      low: one.low / of - 1,
      high: one.high / of - 1,
      sign: String(number),
    })),
  }));
  const changes = shown.flatMap(({ metric, runs }) =>
    runs.flatMap(({ number, delta }) => (delta.kind === 'different' ? [{ metric, number, share: delta.share }] : [])),
  );
  const [largest] = changes.toSorted((a, b) => Math.abs(b.share) - Math.abs(a.share));
  const title =
    largest === undefined
      ? 'No figure differs by more than the spreads of its samples'
      : `${labelOf(largest.metric)} differs most: ${percent(largest.share)} in run ${largest.number}`;
  const svg = (width: number): string => strips(rows, { width, axis: 'percent from the base', isStacked: true });
  return chart({
    title,
    svg: { wide: svg(chartWidths.wide), narrow: svg(chartWidths.narrow) },
    caption: `Runs by their number, with the 5th to the 95th percentile of their samples. What is not comparable is left out.${shown.length < all.length ? ` The first ${shown.length} of ${all.length} figures; all are in the table below.` : ''}`,
    table: numbersTable(
      'Runs beside the base',
      ['Figure', 'Run', 'Value', 'p5', 'p95', 'From the base'],
      shown.flatMap(({ metric, of, runs }) =>
        runs.map(({ number, delta: { figure: one } }) => [
          `${labelOf(metric)}, ${unitOf(metric)}`,
          number,
          figure(one.value),
          figure(one.low),
          figure(one.high),
          percent(one.value / of - 1),
        ]),
      ),
    ),
  });
}
