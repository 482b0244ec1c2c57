import { dayLines } from '../../charts/day-lines.ts';
import { chartWidths } from '../../charts/svg-parts.ts';
import { median } from '../../figures/statistics.ts';
import { visibleCustomer } from '../../platform/actor.ts';
import { notFound } from '../../platform/errors.ts';
import { pageBounds } from '../../platform/page.ts';
import { chart } from '../components/chart.ts';
import { dataTable } from '../components/data-table.ts';
import { empty } from '../components/empty.ts';
import { select } from '../components/field.ts';
import { note } from '../components/note.ts';
import { numbersTable } from '../components/numbers-table.ts';
import { figure, percent } from '../components/numbers.ts';
import { time } from '../components/time.ts';
import { pageAsked } from '../frame/asked.ts';
import { html, named } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { tableOf, type Listing } from '../frame/listing.ts';
import { list, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { selectMachineRuns, selectMachines, type MachineRow } from '../queries/machines.ts';
import { readRunMeans } from './run-means.ts';
import { labelOf, shownMetrics, unitOf, type Measured } from './run-figures.ts';

const machines = tableOf<MachineRow>([
  {
    name: 'machine_uuid',
    label: 'Machine',
    value: (row) => row.machine_uuid,
    cell: (row) =>
      html`<a href="/machines/${encodeURIComponent(row.machine_uuid)}">${named(row.hostname ?? row.machine_uuid)}</a
        ><small>${named(row.machine_uuid)}</small>`,
  },
  { name: 'hostname', label: 'Host', value: (row) => row.hostname, isHidden: true },
  {
    name: 'gpu_model',
    label: 'GPU',
    value: (row) => row.gpu_model,
    cell: (row) => (row.gpu_model === null ? 'none reported' : named(row.gpu_model)),
  },
  { name: 'gpu_count', label: 'GPUs', value: (row) => row.gpu_count, isNumber: true },
  { name: 'simulated', label: 'Simulated', value: (row) => row.simulated },
  { name: 'runs', label: 'Runs', value: (row) => row.runs, isNumber: true },
  { name: 'completed', label: 'Completed', value: (row) => row.completed, isNumber: true },
  { name: 'last_at', label: 'Last run', value: (row) => row.last_at.toISOString(), cell: (row) => time(row.last_at) },
]);

async function load({ context, query }: Visit): Promise<Listing<MachineRow>> {
  const paginate = pageAsked(query);
  const rows = await selectMachines(context.sql, {
    customerId: visibleCustomer(context.actor),
    ...pageBounds(paginate),
  });
  return { rows, total: rows[0]?.total ?? 0, page: paginate.page_num, perPage: paginate.num_per_page };
}

/** A run of a machine by one figure. */
interface Run {
  taskId: string;
  endedAt: Date;
  driver: string | null;
  driverChanged: boolean;
  simulated: boolean;
  metric: string;
  measured: Measured | null;
}

/** As many as a chart and a table of 300 rows show. */
const MOST_RUNS = 300;
const SECTION_METRIC = 'bf16_tflops';

const runs = tableOf<Run>([
  {
    name: 'ended_at',
    label: 'Ended',
    value: (row) => row.endedAt.toISOString(),
    cell: (row) => html`<a href="/tasks/${row.taskId}">${time(row.endedAt)}</a>`,
  },
  { name: 'task_id', label: 'Task', value: (row) => row.taskId, isHidden: true },
  { name: 'metric', label: 'Figure', value: (row) => row.metric, cell: (row) => labelOf(row.metric) },
  {
    name: 'value',
    label: 'Value, mean of the devices',
    value: (row) => row.measured?.value ?? null,
    cell: (row) => (row.measured === null ? '–' : `${figure(row.measured.value)} ${unitOf(row.metric)}`),
    isNumber: true,
  },
  {
    name: 'p5',
    label: 'p5',
    value: (row) => row.measured?.low ?? null,
    cell: (row) => figure(row.measured?.low ?? null),
    isNumber: true,
  },
  {
    name: 'p95',
    label: 'p95',
    value: (row) => row.measured?.high ?? null,
    cell: (row) => figure(row.measured?.high ?? null),
    isNumber: true,
  },
  { name: 'n', label: 'n', value: (row) => row.measured?.n ?? null, isNumber: true },
  { name: 'engine', label: 'Engine', value: (row) => row.measured?.engine ?? null },
  {
    name: 'driver',
    label: 'Driver',
    value: (row) => row.driver,
    cell: (row) =>
      html`${row.driver === null ? 'not reported' : named(row.driver)}${row.driverChanged ? html` <strong>changed</strong>` : null}`,
  },
  { name: 'simulated', label: 'Simulated', value: (row) => row.simulated },
]);

async function loadRuns({ context, query, params }: Visit): Promise<Listing<Run>> {
  const asked = query.get('metric') ?? '';
  const metric = shownMetrics.includes(asked) ? asked : SECTION_METRIC;
  const customerId = visibleCustomer(context.actor);
  const machineUuid = params['uuid'] ?? '';
  const found = await selectMachineRuns(context.sql, { customerId, machineUuid, limit: MOST_RUNS });
  // A machine without a run of the caller is no machine of theirs.
  if (found.length === 0) throw notFound('Machine');
  const means = await readRunMeans(
    context.sql,
    found.map(({ result_id }) => result_id),
  );
  const rows = found.map((row, at): Run => {
    const before = found[at + 1];
    return {
      taskId: row.task_id,
      endedAt: row.ended_at,
      driver: row.driver,
      driverChanged: before !== undefined && before.driver !== row.driver,
      simulated: row.simulated,
      metric,
      measured: means.get(row.result_id)?.get(metric) ?? null,
    };
  });
  return { rows, total: rows.length, page: 1, perPage: MOST_RUNS };
}

/** The newest run of each day, with the spread of its samples and where the driver became another one. */
function drift(rows: readonly Run[]) {
  const points = rows.flatMap(({ endedAt, measured }) =>
    measured === null
      ? []
      : [
          {
            day: endedAt.toISOString().slice(0, 10),
            value: measured.value,
            low: measured.low,
            high: measured.high,
            n: measured.n,
          },
        ],
  );
  const [last, first] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return null;
  const metric = rows[0]?.metric ?? '';
  const unit = unitOf(metric);
  const days = [...Map.groupBy(points, ({ day }) => day).values()].flatMap((same) => same[0] ?? []);
  const marks = rows
    .filter(({ driverChanged }) => driverChanged)
    .map(({ endedAt, driver }) => ({
      day: endedAt.toISOString().slice(0, 10),
      words: `driver ${named(driver ?? 'unknown')}`,
    }));
  const svg = (width: number): string =>
    dayLines([{ name: metric, points: days }], {
      unit,
      width,
      from: first.day,
      to: last.day,
      marks: marks.slice(0, MOST_MARKS),
    });
  const middle = median(points.map(({ value }) => value));
  const change = points.length < 2 ? 'one run' : `${percent(last.value / first.value - 1)} over ${points.length} runs`;
  const isOutside = middle < last.low || middle > last.high;
  return chart({
    title: `${labelOf(metric)}: ${figure(last.value)} ${unit}, ${change}`,
    svg: { wide: svg(chartWidths.wide), narrow: svg(chartWidths.narrow) },
    caption: `The newest run of each day with the 5th to the 95th percentile of its samples. Days without a run are left empty; dashed lines are another driver. The median of all runs, ${figure(middle)} ${unit}, lies ${isOutside && points.length > 1 ? 'outside' : 'within'} the spread of the newest.`,
    table: numbersTable(
      `Newest run of each day, ${unit}`,
      ['Day, UTC', 'Value', 'p5', 'p95', 'n'],
      days.map(({ day, value, low, high, n }) => [day, figure(value), figure(low), figure(high), n]),
    ),
  });
}

/** Words beside each other in a chart. */
const MOST_MARKS = 8;

export const machinePages: readonly PageRoute[] = [
  ...list(
    '/machines',
    { who: 'member' },
    {
      table: machines,
      load,
      show: (visit, listing) =>
        page(visit, {
          title: 'Machines',
          nav: 'machines',
          facts: `${listing.total ?? 0} ${listing.total === 1 ? 'machine' : 'machines'} that ran a job`,
          body: dataTable(visit, {
            caption: 'Machines, the newest run first',
            table: machines,
            listing,
            ifEmpty: empty(
              'No machine has run a job yet.',
              html`<a href="/jobs/new">Create a job</a>; its page has the line to paste on the machine, such as:`,
              'GPUMARK_API_KEY=JOB_TOKEN gpumark-agent',
            ),
          }),
        }),
    },
  ),
  ...list(
    '/machines/:uuid',
    { who: 'member' },
    {
      table: runs,
      load: loadRuns,
      show: (visit, listing) => {
        const uuid = visit.params['uuid'] ?? '';
        return page(visit, {
          title: `Machine ${named(uuid)}`,
          nav: 'machines',
          crumbs: [{ href: '/machines', label: 'Machines' }],
          facts: `${listing.rows.length} ${listing.rows.length === 1 ? 'run' : 'runs'} with figures`,
          body: html`${listing.rows.some(({ simulated }) => simulated) ? note('sim', 'SIMULATED.', 'Some of these runs are of simulated devices: their figures are invented.') : null}
            <form class="filters" method="get" action="/machines/${encodeURIComponent(uuid)}" aria-label="Which figure">
              ${select({ name: 'metric', label: 'Figure', value: listing.rows[0]?.metric ?? SECTION_METRIC, options: shownMetrics.map((value) => ({ value, label: `${labelOf(value)}, ${unitOf(value)}` })) })}
              <div class="acts"><button class="main">Show</button></div>
            </form>
            ${drift(listing.rows)}${dataTable(visit, { caption: 'Runs, the newest first', table: runs, listing, shape: 'scroll', ifEmpty: null })}`,
        });
      },
    },
  ),
];
