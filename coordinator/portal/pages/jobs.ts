import { benchmarkNames } from '../../lifecycle/benchmarks.ts';
import { listJobs } from '../../jobs/list-jobs.ts';
import { jobState } from '../../contract/agent-protocol.ts';
import { listJobsQuery, type JobPage } from '../../contract/job.ts';
import { performanceStatus, type PerformanceStatus } from '../../contract/performance.ts';
import { validationError } from '../../platform/http/validation-error.ts';
import { countOf, dataTable, hrefWith } from '../components/data-table.ts';
import { apiLine } from '../components/copyable.ts';
import { empty } from '../components/note.ts';
import { field, select } from '../components/field.ts';
import { digits } from '../components/numbers.ts';
import { jobStateStatus } from '../components/status.ts';
import { time } from '../components/time.ts';
import { tagsIn } from '../frame/asked.ts';
import { html, named, raw, type Content } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { MOST_COUNTED, tableOf, type Listing } from '../frame/listing.ts';
import { list, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { worstOf } from '../../figures/reference-words.ts';
import { selectGpuCounts } from '../queries/job-page.ts';

type Row = JobPage['results'][number] & {
  /** device count behind the sums; null: no inventory has arrived yet */
  gpus: number | null;
};

/** Rows that fit in a page of 100 KB; its files have as many as the API allows. */
const MOST_ON_PAGE = 50;

const figureOf = ({ quickmark_aggregate_results: figures }: Row, name: string): number | null => {
  const value = figures?.[name];
  return typeof value === 'number' ? value : null;
};
/** The worst ratio to peers or healthy cards decides; a share of the data sheet is no verdict. */
const against = ({ performance }: Row): Content => {
  if (!performance || performance.status === 'unknown') return 'unknown';
  const worst = worstOf(performance.metrics);
  if (worst === null) return performance.status === 'underperforming' ? 'low beside the data sheet' : 'unknown';
  return `${performance.status}, worst ${(worst.ratio * 100).toFixed(1)} % of expected, n ${worst.of} ${worst.of === 1 ? 'figure' : 'figures'}`;
};
/** Number of figures with a ratio to peers or healthy cards; the score is the worst of these ratios. */
const comparedFigures = (performance: Row['performance']): number => worstOf(performance?.metrics ?? [])?.of ?? 0;
const sum = (row: Row, name: string): Content => {
  const value = figureOf(row, name);
  return value === null ? '–' : html`${digits(value)}${row.gpus === null ? null : html`<small>of ${row.gpus}</small>`}`;
};

const jobs = tableOf<Row>([
  {
    name: 'name',
    label: 'Job',
    sort: 'name',
    value: (row) => row.name,
    cell: (row) =>
      html`<a href="/jobs/${row.id}">${named(row.name)}</a
        ><small>${row.id}</small>${row.tags.map((tag) => html`<span class="tag">${named(tag)}</span> `)}`,
  },
  { name: 'id', label: 'Id', value: (row) => row.id, isHidden: true },
  { name: 'state', label: 'State', sort: 'state', value: (row) => row.state, cell: (row) => jobStateStatus(row.state) },
  {
    name: 'node_count',
    label: 'Nodes',
    sort: 'node_count',
    isNumber: true,
    value: (row) => row.node_count,
    cell: (row) => `${row.current_nodes} of ${row.node_count}`,
  },
  {
    name: 'gpu_models',
    label: 'GPUs',
    value: (row) => row.gpu_models?.join('; ') ?? null,
    cell: (row) => named(row.gpu_models?.join(', ') ?? '–'),
  },
  { name: 'gpu_count', label: 'GPUs of the nodes', value: (row) => row.gpus, isHidden: true },
  {
    name: 'bf16_tflops',
    label: 'bf16, sum, TFLOP/s',
    isNumber: true,
    value: (row) => figureOf(row, 'bf16_tflops'),
    cell: (row) => sum(row, 'bf16_tflops'),
  },
  {
    name: 'memory_bandwidth_gbs',
    label: 'Memory, sum, GB/s',
    isNumber: true,
    value: (row) => figureOf(row, 'memory_bandwidth_gbs'),
    cell: (row) => sum(row, 'memory_bandwidth_gbs'),
  },
  {
    name: 'performance',
    label: 'Against peers or sheet',
    value: (row) => row.performance?.status ?? null,
    cell: against,
  },
  { name: 'score_percent', label: 'Score, %', value: (row) => row.performance?.score ?? null, isHidden: true },
  {
    name: 'compared_figures',
    label: 'Figures compared',
    value: (row) => comparedFigures(row.performance),
    isHidden: true,
  },
  {
    name: 'created_at',
    label: 'Created',
    sort: 'created_at',
    value: (row) => row.created_at,
    cell: (row) => time(row.created_at),
  },
]);

export const jobListPages: readonly PageRoute[] = list(
  '/jobs',
  { who: 'member' },
  { table: jobs, load: (visit) => load(visit, MOST_ON_PAGE), loadAll: (visit) => load(visit), show: showList },
);

/** The API's own query. `include` is always the performance, `cursor` is ignored, and empty form fields are omitted. */
async function load({ context, query }: Visit, most = Infinity): Promise<Listing<Row>> {
  const given: Record<string, string | string[]> = {};
  for (const [name, value] of query) if (value !== '' && name !== 'include' && name !== 'cursor') given[name] = value;
  const tags = query.getAll('tags').flatMap(tagsIn);
  if (tags.length > 0) given['tags'] = tags;
  const asked = listJobsQuery.safeParse({ ...given, include: ['performance'] });
  if (!asked.success) throw validationError('query', asked.error.issues);
  const request = { ...asked.data, per_page: Math.min(asked.data.per_page, most) };
  const { results, pagination } = await listJobs(context, request, { mostCounted: MOST_COUNTED });
  const gpus = await selectGpuCounts(
    context.sql,
    results.map(({ id }) => id),
  );
  const { page: number, per_page: perPage, sort_by: sortBy, sort_order: sortOrder } = request;
  const isMore = pagination.total > MOST_COUNTED;
  const total = Math.min(pagination.total, MOST_COUNTED);
  return {
    rows: results.map((job) => ({ ...job, gpus: gpus.get(job.id) ?? null })),
    total,
    isMore,
    page: number,
    perPage,
    sortBy,
    sortOrder,
  };
}

const saved = [
  { href: '/jobs', label: 'All' },
  { href: '/jobs?state=running', label: 'Running' },
  { href: '/jobs?state=completed_with_warnings', label: 'With warnings' },
  { href: '/jobs?performance_status=underperforming', label: 'Low' },
  { href: '/jobs?has_performance_data=true', label: 'Compared with others' },
];

function showList(visit: Visit, listing: Listing<Row>): Promise<Response> {
  const search = visit.query.size === 0 ? '/jobs' : `/jobs?${visit.query.toString()}`;
  return page(visit, {
    title: 'Jobs',
    nav: 'jobs',
    facts: `${countOf(listing)} ${listing.total === 1 ? 'job fits' : 'jobs fit'}`,
    actions: html`<a class="btn main" href="/jobs/new">New job</a>`,
    body: html`<nav aria-label="Saved searches">
        <ul class="chips">
          ${saved.map(({ href, label }) => html`<li><a href="${href}" ${href === search ? raw(' aria-current="page"') : null}>${label}</a></li>`)}
        </ul>
      </nav>
      ${filters(visit)}
      ${dataTable(visit, { caption: 'Jobs; each sum with its number of GPUs', table: jobs, listing, files: hrefWith(visit, { per_page: String(listing.perPage) }), ifEmpty: visit.query.size === 0 ? noJobs(visit) : empty('No job fits these filters.', html`<a href="/jobs">Show all jobs</a>.`) })}`,
  });
}

const noJobs = (visit: Visit): Content =>
  empty(
    'There is no job yet.',
    html`<a href="/jobs/new">Create one</a>: its page then shows the line to paste on each machine. A program creates
      one with a <a href="/company/keys">key</a> or the token of an <a href="/company/applications">application</a>:`,
    apiLine(
      visit,
      'YOUR_KEY',
      `-H 'Content-Type: application/json' -d '${JSON.stringify({ benchmarks: ['quick_mark'], node_count: 1 })}' `,
    ),
  );

const standings: Record<PerformanceStatus, string> = {
  underperforming: 'low',
  nominal: 'not low',
  outperforming: 'above all of it',
  unknown: 'not known',
};

const more = [
  'created_after',
  'created_before',
  'node_count_min',
  'node_count_max',
  'has_performance_data',
  'performance_status',
  'per_page',
  'include_results',
];

function filters({ query }: Visit): Content {
  const value = (name: string) => ({ name, value: query.get(name) });
  const inUse = more.filter((name) => (query.get(name) ?? '') !== '').length;
  const any = { value: '', label: 'any' };
  return html`<form class="filters" method="get" action="/jobs" role="search" aria-label="Filter jobs">
${field({ ...value('name'), label: 'Name contains', maxlength: 60 })}
${select({ ...value('state'), label: 'State', options: [any, ...jobState.options.map((one) => ({ value: one, label: one.replaceAll('_', ' ') }))] })}
${select({ ...value('benchmark_id'), label: 'Benchmark', options: [any, ...Object.entries(benchmarkNames).map(([id, label]) => ({ value: id, label }))] })}
${field({ name: 'tags', label: 'Tags, all of', value: query.getAll('tags').join(', '), hint: 'with commas between them' })}
<div class="acts"><button class="main">Search</button> <a href="/jobs">Clear</a></div>
<details${inUse > 0 ? raw(' open') : null}><summary>More filters${inUse > 0 ? `, ${inUse} in use` : ''}</summary><div class="more">
${field({ ...value('created_after'), label: 'Created after, UTC', hint: 'as 2026-11-01T00:00:00Z' })}
${field({ ...value('created_before'), label: 'Created before, UTC', hint: 'as 2026-11-30T00:00:00Z' })}
${field({ ...value('node_count_min'), label: 'Nodes, at least', type: 'number', min: 1, max: 256 })}
${field({ ...value('node_count_max'), label: 'Nodes, at most', type: 'number', min: 1, max: 256 })}
${select({ ...value('has_performance_data'), label: 'Compared with others', options: [any, { value: 'true', label: 'yes' }, { value: 'false', label: 'no' }] })}
${select({ ...value('performance_status'), label: 'Compared with peers or the data sheet', options: [any, ...performanceStatus.options.map((one) => ({ value: one, label: standings[one] }))] })}
${field({ ...value('per_page'), label: 'Rows on a page', type: 'number', min: 1, max: MOST_ON_PAGE })}
</div></details></form>`;
}
