import { z } from 'zod';
import { visibleCustomer } from '../../platform/actor.ts';
import { notFound } from '../../platform/errors.ts';
import { pageBounds } from '../../platform/page.ts';
import { dataTable, hrefWith } from '../components/data-table.ts';
import { empty, note } from '../components/note.ts';
import { field, select } from '../components/field.ts';
import { figure } from '../components/numbers.ts';
import { time } from '../components/time.ts';
import { asked, filled, pageAsked } from '../frame/asked.ts';
import { html, named, type Content } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { allPages, tableOf, type Listing } from '../frame/listing.ts';
import { list, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { selectMachineRuns } from '../queries/machines.ts';
import { drift, MOST_DRAWN, type MachineRun } from './machine-drift.ts';
import { labelOf, unitOf } from '../components/figure-names.ts';
import { shownMetrics } from './run-figures.ts';
import { readRunMeans } from './run-means.ts';

const USUAL_METRIC = 'bf16_tflops';

const runs = tableOf<MachineRun>([
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
  { name: 'load', label: 'Load class', value: (row) => row.measured?.load ?? null, isHidden: true },
  { name: 'arithmetic', label: 'Arithmetic', value: (row) => row.measured?.arithmetic ?? null, isHidden: true },
  { name: 'tier', label: 'Tier', value: (row) => row.run.tier },
  {
    name: 'driver',
    label: 'Driver',
    value: (row) => row.driver,
    cell: (row) =>
      html`${row.driver === null ? 'not reported' : named(row.driver)}${row.driverChanged ? html` <strong>changed</strong>` : null}`,
  },
  { name: 'simulated', label: 'Simulated', value: (row) => row.run.simulated },
]);

interface RunListing extends Listing<MachineRun> {
  metric: string;
  days: { from?: string | undefined; to?: string | undefined };
}

const daysAsked = z
  .object({ from: z.iso.date().optional(), to: z.iso.date().optional() })
  .refine(({ from = '', to = '9' }) => from <= to, { path: ['to'], message: 'must not be before from' });

const metricOf = (query: URLSearchParams): string =>
  shownMetrics.find((metric) => metric === query.get('metric')) ?? USUAL_METRIC;

const DAY_MS = 86_400_000;

/** Runs within the days given in the query, newest first. */
async function runsOf({ context, query, params }: Visit, bounds: { limit: number; offset: number }) {
  const { from, to } = asked(daysAsked, filled(query));
  const metric = metricOf(query);
  const found = await selectMachineRuns(context.sql, {
    customerId: visibleCustomer(context.actor),
    machineUuid: params['uuid'] ?? '',
    from: from === undefined ? null : new Date(from),
    before: to === undefined ? null : new Date(Date.parse(to) + DAY_MS),
    // One more: the run before the oldest shows whether its driver changed.
    limit: bounds.limit + 1,
    offset: bounds.offset,
  });
  const shown = found.slice(0, bounds.limit);
  const means = await readRunMeans(
    context.sql,
    shown.map(({ result_id }) => result_id),
  );
  const rows = shown.map((row, at): MachineRun => {
    const before = found[at + 1];
    const known = means.get(row.result_id);
    return {
      taskId: row.task_id,
      endedAt: row.ended_at,
      driver: row.driver,
      driverChanged: before !== undefined && before.driver !== row.driver,
      run: known?.run ?? { simulated: row.simulated, isOfProcessors: null, tier: null },
      metric,
      measured: known?.figures.get(metric) ?? null,
    };
  });
  return { rows, total: found[0]?.total ?? 0, metric, days: { from, to } };
}

async function load(visit: Visit, paginate = pageAsked(visit.query)): Promise<RunListing> {
  const found = await runsOf(visit, pageBounds(paginate));
  // A machine without any run of the caller is treated as not found.
  if (found.rows.length === 0) await requireMachine(visit);
  return { ...found, page: paginate.page_num, perPage: paginate.num_per_page };
}

async function requireMachine(visit: Visit): Promise<void> {
  const { total } = await runsOf({ ...visit, query: new URLSearchParams() }, { limit: 1, offset: 0 });
  if (total === 0) throw notFound('Machine');
}

async function show(visit: Visit, listing: Listing<MachineRun>): Promise<Response> {
  const { metric, days, total } = listing as RunListing;
  const uuid = visit.params['uuid'] ?? '';
  const { rows: drawn } = await runsOf(visit, { limit: MOST_DRAWN, offset: 0 });
  const files = hrefWith(visit, { page: null, per_page: null });
  return page(visit, {
    title: `Machine ${named(uuid)}`,
    nav: 'machines',
    crumbs: [{ href: '/machines', label: 'Machines' }],
    facts: `${total ?? 0} ${total === 1 ? 'run' : 'runs'} with figures${rangeWords(days)}`,
    body: html`${drawn.some(({ run }) => run.simulated) ? note('sim', 'SIMULATED.', 'Some of these runs are of simulated devices: their figures are invented.') : null}
      <form
        class="filters"
        method="get"
        action="/machines/${encodeURIComponent(uuid)}"
        aria-label="Which figure and days"
      >
        ${select({ name: 'metric', label: 'Figure', value: metric, options: shownMetrics.map((value) => ({ value, label: `${labelOf(value)}, ${unitOf(value)}` })) })}
        ${field({ name: 'from', label: 'From, UTC day', type: 'date', value: days.from })}${field({ name: 'to', label: 'To, UTC day', type: 'date', value: days.to })}
        <div class="acts"><button class="main">Show</button></div>
      </form>
      ${drift(drawn, total ?? drawn.length, files)}${dataTable(visit, { caption: 'Runs, the newest first', table: runs, listing, shape: 'scroll', filesHaveAll: true, ifEmpty: noRuns(visit) })}`,
  });
}

const rangeWords = ({ from, to }: RunListing['days']): string =>
  from === undefined && to === undefined ? '' : `, ${from ?? 'the first day'} to ${to ?? 'today'}, UTC`;

const noRuns = (visit: Visit): Content =>
  empty(
    'No run of these days and this page has figures.',
    html`<a href="${hrefWith(visit, { from: null, to: null, page: null })}">Show all days</a>, from the newest run.`,
  );

export const machineHistoryPages: readonly PageRoute[] = list(
  '/machines/:uuid',
  { who: 'member' },
  {
    table: runs,
    load: (visit) => load(visit),
    loadAll: (visit) => allPages((page) => load(visit, { num_per_page: MOST_DRAWN, page_num: page })),
    show,
  },
);
