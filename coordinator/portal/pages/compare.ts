import { z } from 'zod';
import { visibleCustomer } from '../../platform/actor.ts';
import { notFound } from '../../platform/errors.ts';
import { dataTable } from '../components/data-table.ts';
import { field } from '../components/field.ts';
import { empty, note } from '../components/note.ts';
import { time } from '../components/time.ts';
import { figure, percent } from '../components/numbers.ts';
import { asked, filled } from '../frame/asked.ts';
import { html, named, type Content } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { tableOf, wholeListing, type Listing } from '../frame/listing.ts';
import type { PageRoute } from '../frame/route.ts';
import { addressHere, type Visit } from '../frame/visit.ts';
import { findJobPage } from '../queries/job-page.ts';
import { findTaskResult, selectResultIds } from '../queries/node-results.ts';
import { compareChart } from './compare-chart.ts';
import { deltaOf, isCompared, notComparedWords, type Cell, type Compared } from './compare-runs.ts';
import { listOrReason } from './list-or-reason.ts';
import { labelOf, unitOf } from '../components/figure-names.ts';
import { shownMetrics } from './run-figures.ts';
import { readJointMeans } from './run-means.ts';

const HERE = '/compare';
const MOST_ITEMS = 6;

export const compareAsked = z.object({
  items: z
    .string()
    .default('')
    .transform((text) => [...new Set(text.split(/[\s,]+/).filter((item) => item !== ''))])
    .pipe(
      z
        .array(
          z.string().regex(/^(job|task):(\d{1,18}|[1-8]\d{18})$/, 'must be job:ID or task:ID, with commas between'),
        )
        .max(MOST_ITEMS, `must be at most ${MOST_ITEMS} jobs or tasks`),
    ),
  base: z.string().optional(),
});

/** The query of a comparison: ticked rows of a list come as several `items`, a written address as one with commas. */
export const itemsAsked = (query: URLSearchParams): Record<string, string> => ({
  ...filled(query),
  items: query.getAll('items').join(','),
});

interface CompareListing extends Listing<Cell> {
  items: Compared[];
  base: Compared | null;
}

const figureOf = ({ delta }: Cell) => (delta.kind === 'absent' ? null : delta.figure);

const cells = tableOf<Cell>([
  { name: 'metric', label: 'Figure', value: (row) => row.metric },
  { name: 'unit', label: 'Unit', value: (row) => unitOf(row.metric) },
  { name: 'item', label: 'Run', value: (row) => row.item.item },
  { name: 'base', label: 'Base', value: (row) => row.base.item },
  { name: 'value', label: 'Value', value: (row) => figureOf(row)?.value ?? null, isNumber: true },
  { name: 'p5', label: 'p5', value: (row) => figureOf(row)?.low ?? null, isNumber: true },
  { name: 'p95', label: 'p95', value: (row) => figureOf(row)?.high ?? null, isNumber: true },
  { name: 'n', label: 'n', value: (row) => figureOf(row)?.n ?? null, isNumber: true },
  { name: 'engine', label: 'Engine', value: (row) => figureOf(row)?.engine ?? null },
  { name: 'load', label: 'Load class', value: (row) => figureOf(row)?.load ?? null },
  { name: 'difference', label: 'Difference, share', value: ({ delta }) => ('share' in delta ? delta.share : null) },
  { name: 'finding', label: 'Finding', value: ({ delta }) => delta.kind },
  { name: 'tier', label: 'Tier', value: (row) => row.item.tier },
  { name: 'simulated', label: 'Simulated', value: (row) => row.item.simulated },
  {
    name: 'because',
    label: 'Why not comparable',
    value: ({ delta }) => (delta.kind === 'not comparable' ? delta.because : null),
  },
]);

async function load(visit: Visit): Promise<CompareListing> {
  const request = asked(compareAsked, itemsAsked(visit.query));
  const runs = await Promise.all(request.items.map((item) => findRun(visit, item)));
  const items: Compared[] = [];
  for (const [at, item] of request.items.entries()) {
    const found = runs[at] ?? null;
    if (found === null) throw notFound(isTask(item) ? 'Task' : 'Job');
    // One after the other, because a job can have 256 nodes.
    const { run, hardware, figures } = await readJointMeans(visit.context.sql, found.ids);
    const label = visit.shared ? `Run ${at + 1}` : found.label;
    items.push({ ...run, item, label, href: found.href, hardware: hardware || 'no figures yet', figures });
  }
  const base = items.find(({ item }) => item === request.base) ?? items[0] ?? null;
  const rows =
    base === null
      ? []
      : shownMetrics.flatMap((metric) =>
          items.map((item): Cell => ({ metric, item, base, delta: deltaOf(metric, base, item) })),
        );
  return { ...wholeListing(rows), items, base };
}

const isTask = (item: string): boolean => item.startsWith('task:');

interface FoundRun {
  /** identifies it; hidden on shared pages */
  label: string;
  href: string;
  /** result ids of its nodes */
  ids: string[];
}

/** Null if it does not exist or belongs to another customer. */
async function findRun({ context: { sql, actor } }: Visit, item: string): Promise<FoundRun | null> {
  const id = item.replace(/^\w+:/, '');
  const customerId = visibleCustomer(actor);
  if (isTask(item)) {
    const task = await findTaskResult(sql, { id, customerId });
    if (task === null) return null;
    const ids = task.result_id === null ? [] : [task.result_id];
    return { label: `Task of ${task.hostname ?? task.machine_uuid}`, href: `/tasks/${id}`, ids };
  }
  const [job, results] = await Promise.all([
    findJobPage(sql, { id, customerId }),
    selectResultIds(sql, { jobId: id, customerId }),
  ]);
  if (job === null) return null;
  return { label: job.name || `Job ${id}`, href: `/jobs/${id}`, ids: results.map(({ result_id }) => result_id) };
}

async function show(visit: Visit, found: CompareListing | null, reason: Content): Promise<Response> {
  const { shared, query } = visit;
  const asking = html`<form class="filters" method="get" action="${HERE}" aria-label="What to compare">
    ${field({ name: 'items', label: 'Jobs and tasks', value: query.getAll('items').join(','), maxlength: 200, hint: 'as job:ID,task:ID; the first is the base' })}
    <div class="acts"><button class="main">Compare</button></div>
  </form>`;
  return page(visit, {
    title: shared ? 'Shared comparison of runs' : 'Compare runs',
    nav: 'compare',
    crumbs: shared ? [] : [{ href: '/jobs', label: 'Jobs' }],
    facts: `up to ${MOST_ITEMS} jobs or tasks; the mean of the devices, with the 5th and 95th percentile of the samples`,
    actions:
      found === null || found.base === null || shared
        ? null
        : html`<a class="btn" href="/compare/share?${addressOf(found.items, found.base)}">Share</a>`,
    body: html`${shared ? html`<p class="small muted">A shared page, until ${time(shared.expiresAt)}. Names of runs, machines and the company are left out.</p>` : asking}
    ${reason}${found === null ? null : compared(visit, found)}`,
  });
}

function compared(visit: Visit, { items, base, rows }: CompareListing): Content {
  if (base === null)
    return empty(
      'Nothing is compared yet.',
      html`Take ids from <a href="/jobs">your jobs</a> or the pages of their tasks, enter them above, or open an address
        such as:`,
      `${addressHere(visit)}${HERE}?items=job:ID,task:ID`,
    );
  const all = [...Map.groupBy(rows, ({ metric }) => metric).values()].filter((row) =>
    row.some(({ delta }) => delta.kind !== 'absent'),
  );
  // What can be compared; the rest is in one line, unless there is nothing else to show.
  const comparable = all.filter((row) => items.length === 1 || row.some(isCompared));
  const byMetric = comparable.length === 0 ? all : comparable;
  const wide = tableOf<Cell[]>([
    {
      name: 'metric',
      label: 'Figure',
      value: (row) => row[0]?.metric ?? null,
      cell: (row) => html`${labelOf(row[0]?.metric ?? '')}, ${unitOf(row[0]?.metric ?? '')}`,
    },
    ...items.map((item, at) => ({
      name: item.item,
      label: `${at + 1}${item === base ? ', the base' : ''}`,
      value: (row: Cell[]) => (row[at] === undefined ? null : (figureOf(row[at])?.value ?? null)),
      cell: (row: Cell[]) => (row[at] === undefined ? '–' : shown(row[at], row.some(isCompared))),
      isNumber: true,
    })),
  ]);
  const line = (item: Compared): Content =>
    html`${visit.shared ? item.label : html`<a href="${item.href}">${named(item.label)}</a>`} ·
    ${named(item.hardware)}${item.tier === null ? null : ` · tier ${item.tier}`}${item.simulated ? ' · SIMULATED' : null}${item === base ? ' · the base' : null}${visit.shared ? null : links(items, base, item)}`;
  return html`${items.some(({ simulated }) => simulated) ? note('sim', 'SIMULATED.', 'Some of these runs are of simulated devices: their figures are invented.') : null}
    <ol>
      ${items.map((item) => html`<li>${line(item)}</li>`)}
    </ol>
    ${compareChart(byMetric, base)}${notCompared(all, items)}
    ${dataTable(visit, { caption: 'Figures beside the base; one without n is one value, no samples', table: wide, listing: wholeListing(byMetric), shape: 'scroll', ifEmpty: noFigures(visit, items) })}`;
}

function notCompared(all: readonly (readonly Cell[])[], items: readonly Compared[]): Content {
  const words = notComparedWords(all, items);
  return words === null ? null : html`<p class="small"><b>Not comparable with the base:</b> ${words}.</p>`;
}

const noFigures = ({ shared }: Visit, items: readonly Compared[]): Content =>
  empty(
    'None of these runs has figures yet.',
    html`They come when their machines have
    measured.${shared ? null : html` Their pages tell what they wait for: ${items.map((item, at) => html`${at === 0 ? null : ', '}<a href="${item.href}">${named(item.label)}</a>`)}.`}`,
  );

const links = (items: readonly Compared[], base: Compared, item: Compared): Content =>
  html`${item === base ? null : html` · <a href="${hrefOf(items, item)}">make it the base</a>`} ·
    <a
      href="${hrefOf(
        items.filter((other) => other !== item),
        item === base ? null : base,
      )}"
      >leave out</a
    >`;

const hrefOf = (items: readonly Compared[], base: Compared | null): string => `${HERE}?${addressOf(items, base)}`;

const addressOf = (items: readonly Compared[], base: Compared | null): string =>
  new URLSearchParams({
    items: items.map(({ item }) => item).join(','),
    ...(base === null || base === items[0] ? {} : { base: base.item }),
  }).toString();

/** @param isMixed others of the row are compared, so that one that is not must say so */
function shown({ delta }: Cell, isMixed: boolean): Content {
  if (delta.kind === 'absent') return html`– <small>not measured</small>`;
  const { value, low, high, n } = delta.figure;
  const words =
    delta.kind === 'base'
      ? null
      : delta.kind === 'not comparable'
        ? isMixed
          ? html`<small>not compared</small>`
          : null
        : delta.kind === 'no difference'
          ? html`<small>no difference: ${percent(delta.share)} is within both spreads</small>`
          : html`<strong>${percent(delta.share)}</strong>`;
  return html`${figure(value)} ${words}
  ${n === 0 ? null : html`<small>${figure(low)} to ${figure(high)}, n ${n}</small>`}`;
}

export const comparePages: readonly PageRoute[] = listOrReason(
  HERE,
  { who: 'member', shareable: true },
  { table: cells, load, show },
);
