import { createJob } from '../../jobs/create-job.ts';
import { benchmarkNames } from '../../jobs/benchmarks.ts';
import { getJob } from '../../jobs/get-job.ts';
import { launchLines } from '../../jobs/launch-lines.ts';
import { listJobs } from '../../jobs/list-jobs.ts';
import { jobState } from '../../contract/agent-protocol.ts';
import { createJobRequest, jobDetail, listJobsQuery, type JobPage } from '../../contract/job.ts';
import { DomainError } from '../../platform/errors.ts';
import { validationError } from '../../platform/http/validation-error.ts';
import { command } from '../components/command.ts';
import { dataTable } from '../components/data-table.ts';
import { empty } from '../components/empty.ts';
import { errorSummary, field, select } from '../components/field.ts';
import { digits, jobStateStatus } from '../components/job-state.ts';
import { note } from '../components/note.ts';
import { time } from '../components/time.ts';
import { attempt, issuesOf, noErrors, type FormErrors } from '../frame/attempt.ts';
import { html, named, raw, type Content } from '../frame/html.ts';
import { form, page, seeOther } from '../frame/layout.ts';
import { tableOf, type Listing } from '../frame/listing.ts';
import { get, list, post, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';

type Row = JobPage['results'][number];

const figureOf = ({ quickmark_aggregate_results: figures }: Row, name: string): number | null => {
  const value = figures?.[name];
  return typeof value === 'number' ? value : null;
};
/** Ratio to what others of the model reach, by the interface. */
const against = ({ performance }: Row): Content => {
  if (!performance || performance.status === 'unknown') return 'unknown';
  return `${performance.status}${performance.score === null ? '' : `, ${performance.score.toFixed(2)} of expected`}`;
};
const shown = (value: number | null): Content => (value === null ? '–' : digits(value));

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
  {
    name: 'bf16_tflops',
    label: 'bf16, TFLOP/s',
    isNumber: true,
    value: (row) => figureOf(row, 'bf16_tflops'),
    cell: (row) => shown(figureOf(row, 'bf16_tflops')),
  },
  {
    name: 'memory_bandwidth_gbs',
    label: 'Memory, GB/s',
    isNumber: true,
    value: (row) => figureOf(row, 'memory_bandwidth_gbs'),
    cell: (row) => shown(figureOf(row, 'memory_bandwidth_gbs')),
  },
  { name: 'performance', label: 'Against expected', value: (row) => row.performance?.status ?? null, cell: against },
  {
    name: 'created_at',
    label: 'Created',
    sort: 'created_at',
    value: (row) => row.created_at,
    cell: (row) => time(row.created_at),
  },
]);

const member = { who: 'member' } as const;

export const jobListPages: readonly PageRoute[] = [
  ...list('/jobs', member, { table: jobs, load, show: showList }),
  get('/jobs/new', member, (visit) => newForm(visit, noErrors)),
  post('/jobs/new', member, create),
  get('/jobs/:id/start', member, start),
];

/** The interface's own query, without its expansions, which the page needs or does not. Empty fields of the form are left out. */
async function load({ context, query }: Visit): Promise<Listing<Row>> {
  const given: Record<string, string | string[]> = {};
  for (const [name, value] of query) if (value !== '' && name !== 'include' && name !== 'cursor') given[name] = value;
  const tags = query
    .getAll('tags')
    .flatMap((tag) => tag.split(/[ ,]+/))
    .filter(Boolean);
  if (tags.length > 0) given['tags'] = tags;
  const asked = listJobsQuery.safeParse({ ...given, include: ['performance'] });
  if (!asked.success) throw validationError('query', asked.error.issues);
  const { results, pagination } = await listJobs(context, asked.data);
  const { page: number, per_page: perPage, sort_by: sortBy, sort_order: sortOrder } = asked.data;
  return { rows: results, total: pagination.total, page: number, perPage, sortBy, sortOrder };
}

const saved = [
  { href: '/jobs', label: 'All' },
  { href: '/jobs?state=running', label: 'Running' },
  { href: '/jobs?state=completed_with_warnings', label: 'With warnings' },
  { href: '/jobs?has_performance_data=true', label: 'Compared with others' },
];

function showList(visit: Visit, listing: Listing<Row>): Promise<Response> {
  const search = visit.query.size === 0 ? '/jobs' : `/jobs?${visit.query.toString()}`;
  return page(visit, {
    title: 'Jobs',
    nav: 'jobs',
    facts: `${listing.total ?? 0} ${listing.total === 1 ? 'job fits' : 'jobs fit'}`,
    actions: html`<a class="btn main" href="/jobs/new">New job</a>`,
    body: html`<nav aria-label="Saved searches">
        <ul class="chips">
          ${saved.map(({ href, label }) => html`<li><a href="${href}" ${href === search ? raw(' aria-current="page"') : null}>${label}</a></li>`)}
        </ul>
      </nav>
      ${filters(visit)}
      ${dataTable(visit, { caption: 'Jobs', table: jobs, listing, ifEmpty: visit.query.size === 0 ? empty('There is no job yet.', html`<a href="/jobs/new">Create one</a>: its page then shows the line to paste on each machine.`) : empty('No job fits these filters.', html`<a href="/jobs">Show all jobs</a>.`) })}`,
  });
}

const more = [
  'created_after',
  'created_before',
  'node_count_min',
  'node_count_max',
  'has_performance_data',
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
${field({ name: 'tags', label: 'Tags, all of', value: query.getAll('tags').join(' ') })}
<div class="acts"><button class="main">Search</button> <a href="/jobs">Clear</a></div>
<details${inUse > 0 ? raw(' open') : null}><summary>More filters${inUse > 0 ? `, ${inUse} in use` : ''}</summary><div class="more">
${field({ ...value('created_after'), label: 'Created after, UTC', hint: 'as 2026-11-01T00:00:00Z' })}
${field({ ...value('created_before'), label: 'Created before, UTC', hint: 'as 2026-11-30T00:00:00Z' })}
${field({ ...value('node_count_min'), label: 'Nodes, at least', type: 'number', min: 1, max: 256 })}
${field({ ...value('node_count_max'), label: 'Nodes, at most', type: 'number', min: 1, max: 256 })}
${select({ ...value('has_performance_data'), label: 'Compared with others', options: [any, { value: 'true', label: 'yes' }, { value: 'false', label: 'no' }] })}
${field({ ...value('per_page'), label: 'Rows on a page', type: 'number', min: 1, max: 300 })}
</div></details></form>`;
}

function newForm(visit: Visit, errors: FormErrors): Promise<Response> {
  const given = visit.form;
  const value = (name: string) => ({ name, value: given.get(name), error: errors.get(name) });
  const wants = (id: string) => (given.size === 0 ? id === 'quick_mark' : given.getAll('benchmark').includes(id));
  const launcher = given.get('launcher') ?? 'binary';
  return page(visit, {
    title: errors.size > 0 ? 'Error: New job' : 'New job',
    heading: 'New job',
    nav: 'jobs',
    crumbs: [{ href: '/jobs', label: 'Jobs' }],
    status: errors.size > 0 ? 422 : 200,
    body: html`${errorSummary(errors)}${form(
      visit,
      '/jobs/new',
      html`<fieldset>
          <legend>1 What</legend>
          ${Object.entries(benchmarkNames).map(([id, label]) => html`<label class="check"><input type="checkbox" name="benchmark" value="${id}" ${wants(id) ? raw(' checked') : null} />${label} <span class="muted">${explained[id]}</span></label>`)}
          ${field({ ...value('timeout'), label: 'Seconds QuickMark may take on a node', type: 'number', min: 10, max: 3600, hint: 'Empty: the usual time. More time lets power and temperature settle.' })}
        </fieldset>
        <fieldset>
          <legend>2 Where</legend>
          ${field({ ...value('node_count'), label: 'Nodes', type: 'number', min: 1, max: 256, value: given.get('node_count') ?? '1' })}
          ${field({ ...value('name'), label: 'Name', maxlength: 60, hint: 'Empty: one is made of the time.' })}${field({ ...value('description'), label: 'Description', maxlength: 512 })}${field({ ...value('tags'), label: 'Tags', hint: 'Up to 10, with spaces between them.' })}
        </fieldset>
        <fieldset>
          <legend>3 How the agents start</legend>
          ${launchers.map(({ id, label }) => html`<label class="check"><input type="radio" name="launcher" value="${id}" ${id === launcher ? raw(' checked') : null} />${label}</label>`)}
        </fieldset>
        <p><button class="main">Create the job</button></p>`,
      'stackform wide',
    )}`,
  });
}

const explained: Record<string, string> = {
  quick_mark: 'each GPU alone and all together: arithmetic, memory, transfers, power',
  cluster_network: 'the links between the nodes; needs two nodes or more',
};

const launchers = [
  { id: 'binary', label: 'The program gpumark-agent on each machine' },
  { id: 'docker', label: 'Docker or Podman' },
  { id: 'slurm', label: 'Slurm' },
  { id: 'kubernetes', label: 'Kubernetes' },
] as const;

async function create(visit: Visit): Promise<Response> {
  const given = visit.form;
  const timeout = given.get('timeout') ?? '';
  const optional = (name: string) => ((given.get(name) ?? '').trim() === '' ? {} : { [name]: given.get(name) });
  const benchmarks = given
    .getAll('benchmark')
    .map((id) =>
      id === 'quick_mark' && timeout !== '' ? { benchmark_id: id, config: { timeout: Number(timeout) } } : id,
    );
  const input = createJobRequest.safeParse({
    benchmarks,
    node_count: Number(given.get('node_count') ?? '1'),
    tags: (given.get('tags') ?? '').split(/[ ,]+/).filter(Boolean),
    ...optional('name'),
    ...optional('description'),
  });
  if (!input.success) return newForm(visit, issuesOf(input.error));
  const tried = await attempt(() => createJob(visit.context, input.data));
  if ('errors' in tried) return newForm(visit, tried.errors);
  const launcher = launchers.find(({ id }) => id === given.get('launcher'))?.id ?? 'binary';
  return seeOther(`/jobs/${tried.done.job.id}/start?launcher=${launcher}`);
}

/** The line with the job's token, to its owner, as long as the token opens the job. */
async function start(visit: Visit): Promise<Response> {
  const { context, params, query } = visit;
  const job = jobDetail.parse(await (await getJob(context, idOf(params['id']))).json());
  const crumbs = [
    { href: '/jobs', label: 'Jobs' },
    { href: `/jobs/${job.id}`, label: job.name },
  ];
  const chosen = launchers.find(({ id }) => id === query.get('launcher')) ?? launchers[0];
  const token = job.token;
  const lines =
    token === null
      ? null
      : launchLines({ jobId: job.id, token, nodeCount: job.node_count, image: context.config.agentImage });
  const where =
    chosen.id === 'slurm'
      ? 'Run this once, on a login node.'
      : chosen.id === 'kubernetes'
        ? 'Run this once.'
        : job.node_count === 1
          ? 'Run this on the machine.'
          : `Run this on each of ${job.node_count} machines.`;
  return page(visit, {
    title: 'Start the job',
    nav: 'jobs',
    crumbs,
    facts: html`${named(job.name)}, ${job.node_count} ${job.node_count === 1 ? 'node' : 'nodes'}`,
    actions: html`<a class="btn main" href="/jobs/${job.id}">Watch the job</a>`,
    body: lines
      ? html`<nav aria-label="Way to start">
            <ul class="chips">
              ${launchers.map(({ id, label }) => html`<li><a href="/jobs/${job.id}/start?launcher=${id}" ${id === chosen.id ? raw(' aria-current="page"') : null}>${label}</a></li>`)}
            </ul>
          </nav>
          <p>${where}</p>
          ${command(lines[chosen.id], 'Command that starts the agents')}
          ${note('warn', 'The line holds the job’s token.', html`Who has it can deliver results of this job until ${time(job.expires_at)}, and nothing else. It is shown again to you here until the job ends.`)}`
      : note(
          'plain',
          'This job takes no agents any more.',
          'It has ended, or its token is over or of another company. Create a new job.',
        ),
  });
}

/** Ids are 64-bit integers; whatever else stands in a path is no job. */
export function idOf(text: string | undefined): string {
  if (text === undefined || !/^\d{1,18}$|^[1-8]\d{18}$/.test(text)) throw new DomainError('not_found', 'The page');
  return text;
}
