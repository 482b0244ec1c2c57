import { listJobs } from '../../jobs/list-jobs.ts';
import { listJobsQuery, type JobPage } from '../../contract/job.ts';
import { worstOf } from '../../figures/reference-words.ts';
import { verdictLine } from '../../figures/findings/finding-words.ts';
import { validationError } from '../../platform/http/validation-error.ts';
import { countOf, dataTable, hrefWith } from '../components/data-table.ts';
import { apiLine } from '../components/copyable.ts';
import { empty } from '../components/note.ts';
import { digits } from '../components/numbers.ts';
import { jobStateStatus, status } from '../components/status.ts';
import { time } from '../components/time.ts';
import { tagsIn } from '../frame/asked.ts';
import { html, named, raw, type Content } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { MOST_COUNTED, tableOf, type Column, type Listing } from '../frame/listing.ts';
import { list, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { gradeTones } from '../live/regions.ts';
import { selectListed, type ListedJob, type PerGpu } from '../queries/job-list.ts';
import { jobFilters } from './job-filters.ts';

type Row = JobPage['results'][number] & ListedJob;

/** Rows that fit in a page of 100 KB; its files have as many as the API allows. */
const MOST_ON_PAGE = 50;

/** Number of figures with a ratio to peers or healthy cards; the score is the worst of these ratios. */
const comparedFigures = (performance: Row['performance']): number => worstOf(performance?.metrics ?? [])?.of ?? 0;

/** The verdict in the words of the job's page; of a job that still runs, how many of its nodes have joined. */
function verdictOf({ verdict, state, current_nodes: joined, node_count: count, areProcessors }: Row): Content {
  if (verdict !== null) return status(gradeTones[verdict.grade], verdictLine(verdict, areProcessors));
  if (state === 'starting' || state === 'running')
    return status('run', `${joined} of ${count} ${count === 1 ? 'node' : 'nodes'} so far`);
  return jobStateStatus(state);
}

/** "2 x 8 NVIDIA H100"; until an inventory has arrived, how many nodes there are to be. */
function hardwareOf({ gpus, gpu_models: models, current_nodes: joined, node_count: count }: Row): string {
  const nodes = `${count} ${count === 1 ? 'node' : 'nodes'}`;
  if (gpus === null || models === null || models.length === 0) return nodes;
  const perNode = joined > 1 && gpus % joined === 0 ? `${joined} x ${gpus / joined}` : `${gpus}`;
  return `${perNode} x ${models.join(', ')}`;
}

const perGpu = (name: string, label: string, of: (row: Row) => PerGpu | null): Column<Row>[] => [
  {
    name: `${name}_median`,
    label,
    isNumber: true,
    value: (row) => of(row)?.median ?? null,
    cell: (row) => {
      const { median = null, worst = null } = of(row) ?? {};
      if (median === null) return '–';
      return html`${digits(median)}${worst === null || row.gpus === 1 ? null : html`<small>worst ${digits(worst)}</small>`}`;
    },
  },
  { name: `${name}_worst`, label: `${label}, worst`, value: (row) => of(row)?.worst ?? null, isHidden: true },
];

const jobs = tableOf<Row>([
  {
    name: 'name',
    label: 'Job',
    sort: 'name',
    value: (row) => row.name,
    cell: (row) =>
      html`<label class="tick"
          ><input type="checkbox" name="items" value="job:${row.id}" form="compare" /><span class="vh"
            >Compare ${named(row.name)}</span
          ></label
        ><a href="/jobs/${row.id}">${named(row.name)}</a
        >${row.tags.length === 0 ? null : html`<small>${row.tags.map((tag) => html`<span class="tag">${named(tag)}</span> `)}</small>`}`,
  },
  { name: 'id', label: 'Id', value: (row) => row.id, isHidden: true },
  { name: 'verdict', label: 'Verdict', value: (row) => row.verdict?.grade ?? null, cell: verdictOf },
  { name: 'problems_bad', label: 'Bad', value: (row) => row.verdict?.bad ?? null, isHidden: true },
  { name: 'problems_check', label: 'To check', value: (row) => row.verdict?.check ?? null, isHidden: true },
  { name: 'state', label: 'State', sort: 'state', value: (row) => row.state, isHidden: true },
  { name: 'node_count', label: 'Nodes', sort: 'node_count', value: (row) => row.node_count, isHidden: true },
  {
    name: 'gpu_models',
    label: 'Hardware',
    value: (row) => row.gpu_models?.join('; ') ?? null,
    cell: (row) => named(hardwareOf(row)),
  },
  { name: 'gpu_count', label: 'GPUs of the nodes', value: (row) => row.gpus, isHidden: true },
  ...perGpu('bf16_tflops', 'bf16 per GPU, TFLOP/s', ({ figures }) => figures?.bf16 ?? null),
  { name: 'bf16_gpus', label: 'GPUs with bf16', value: (row) => row.figures?.bf16_gpus ?? null, isHidden: true },
  ...perGpu('memory_bandwidth_gbs', 'Memory per GPU, GB/s', ({ figures }) => figures?.memory ?? null),
  { name: 'memory_gpus', label: 'GPUs with it', value: (row) => row.figures?.memory_gpus ?? null, isHidden: true },
  { name: 'performance', label: 'Compared', value: (row) => row.performance?.status ?? null, isHidden: true },
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
  {
    name: 'has_report',
    label: 'PDF',
    value: (row) => row.hasReport,
    cell: (row) =>
      row.hasReport
        ? html`<a href="/jobs/${row.id}/report.pdf">PDF<span class="vh"> of ${named(row.name)}</span></a>`
        : '–',
  },
]);

export const jobListPages: readonly PageRoute[] = list(
  '/jobs',
  { who: 'member' },
  { table: jobs, load: (visit) => load(visit, MOST_ON_PAGE), loadAll: (visit) => load(visit), show: showList },
);

/**
 * The API's own query. `include` is always the performance, `cursor` is ignored, and empty form fields are omitted. Unless an
 * order is asked for, running jobs come first, then bad ones, then the newest.
 */
async function load({ context, query }: Visit, most = Infinity): Promise<Listing<Row>> {
  const given: Record<string, string | string[]> = {};
  for (const [name, value] of query) if (value !== '' && name !== 'include' && name !== 'cursor') given[name] = value;
  const tags = query.getAll('tags').flatMap(tagsIn);
  if (tags.length > 0) given['tags'] = tags;
  const asked = listJobsQuery.safeParse({ ...given, include: ['performance'], include_results: 'true' });
  if (!asked.success) throw validationError('query', asked.error.issues);
  const request = { ...asked.data, per_page: Math.min(asked.data.per_page, most) };
  const isUrgentFirst = given['sort_by'] === undefined && given['sort_order'] === undefined;
  const { results, pagination } = await listJobs(context, request, { mostCounted: MOST_COUNTED, isUrgentFirst });
  const listed = await selectListed(
    context.sql,
    results.map(({ id }) => id),
  );
  const { page: number, per_page: perPage, sort_by: sortBy, sort_order: sortOrder } = request;
  return {
    rows: results.map((job) => ({ ...job, ...(listed.get(job.id) ?? unknown) })),
    total: Math.min(pagination.total, MOST_COUNTED),
    isMore: pagination.total > MOST_COUNTED,
    page: number,
    perPage,
    ...(isUrgentFirst ? {} : { sortBy, sortOrder }),
  };
}

const unknown: ListedJob = { gpus: null, areProcessors: false, hasReport: false, figures: null };

const saved = [
  { href: '/jobs', label: 'All' },
  { href: '/jobs?state=running', label: 'Running' },
  { href: '/jobs?state=completed_with_warnings', label: 'With problems' },
  { href: '/jobs?performance_status=underperforming', label: 'Low' },
  { href: '/jobs?has_performance_data=true', label: 'Compared with others' },
];

function showList(visit: Visit, listing: Listing<Row>): Promise<Response> {
  const search = visit.query.size === 0 ? '/jobs' : `/jobs?${visit.query.toString()}`;
  const compare = html`<form id="compare" method="get" action="/compare" aria-label="Compare jobs">
    <button>Compare the ticked jobs</button>
  </form>`;
  return page(visit, {
    title: 'Jobs',
    nav: 'jobs',
    facts: `${countOf(listing)} ${listing.total === 1 ? 'job' : 'jobs'}`,
    actions: html`<a class="btn main" href="/jobs/new">New job</a>`,
    body: html`<nav aria-label="Saved searches">
        <ul class="chips">
          ${saved.map(({ href, label }) => html`<li><a href="${href}" ${href === search ? raw(' aria-current="page"') : null}>${label}</a></li>`)}
        </ul>
      </nav>
      ${jobFilters(visit, MOST_ON_PAGE)}${listing.rows.length > 1 ? compare : null}
      ${dataTable(visit, { caption: 'Jobs; figures are the median of the GPUs, and the worst', table: jobs, listing, files: hrefWith(visit, { per_page: String(listing.perPage) }), ifEmpty: visit.query.size === 0 ? noJobs(visit) : empty('No job fits these filters.', html`<a href="/jobs">Show all jobs</a>.`) })}`,
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
