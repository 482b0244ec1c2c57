import { benchmarkNames } from '../../lifecycle/benchmarks.ts';
import { createJob } from '../../jobs/create-job.ts';
import { launchJob } from '../../jobs/job-token.ts';
import { assetUrl } from '../frame/assets.ts';
import { createJobRequest } from '../../contract/create-job.ts';
import { command } from '../components/copyable.ts';
import { errorSummary, field } from '../components/field.ts';
import { note } from '../components/note.ts';
import { time } from '../components/time.ts';
import { tagsIn } from '../frame/asked.ts';
import { attempt, issuesOf, noErrors, type FormErrors } from '../frame/attempt.ts';
import { html, named, raw } from '../frame/html.ts';
import { idOf, type Visit } from '../frame/visit.ts';
import { form, page, seeOther } from '../frame/layout.ts';
import { get, post, type PageRoute } from '../frame/route.ts';

const member = { who: 'member' } as const;

export const newJobPages: readonly PageRoute[] = [
  get('/jobs/new', member, (visit) => newForm(visit, noErrors)),
  post('/jobs/new', member, create),
  get('/jobs/:id/start', { ...member, showsSecret: true }, start),
];

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
          ${field({ ...value('name'), label: 'Name', maxlength: 60, hint: 'Empty: one is made of the time.' })}${field({ ...value('description'), label: 'Description', maxlength: 512 })}${field({ ...value('tags'), label: 'Tags', hint: 'Up to 10, with commas between them.' })}
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
    tags: tagsIn(given.get('tags') ?? ''),
    ...optional('name'),
    ...optional('description'),
  });
  if (!input.success) return newForm(visit, issuesOf(input.error));
  const tried = await attempt(() => createJob(visit.context, input.data));
  if ('errors' in tried) return newForm(visit, tried.errors);
  const launcher = launchers.find(({ id }) => id === given.get('launcher'))?.id ?? 'binary';
  return seeOther(`/jobs/${tried.done.job.id}/start?launcher=${launcher}`);
}

const fileLink = (name: string) => html`<a href="${assetUrl(name)}" download>${name}</a>`;

/** Not a link: the coordinator does not have the agent, which is built per processor type and comes with a release. */
const agent = html`<code>gpumark-agent</code>, one file of a gpumark release,`;

/** The command line with the job's token, shown to its owner while the token is valid. */
async function start(visit: Visit): Promise<Response> {
  const { context, params, query } = visit;
  const { job, lines } = await launchJob(context, idOf(params['id']));
  const crumbs = [
    { href: '/jobs', label: 'Jobs' },
    { href: `/jobs/${job.id}`, label: job.name },
  ];
  const chosen = launchers.find(({ id }) => id === query.get('launcher')) ?? launchers[0];
  const where =
    chosen.id === 'slurm'
      ? html`Run this once, on a login node, beside the script ${fileLink('gpumark.sbatch')}. The nodes need ${agent} in
        their PATH.`
      : chosen.id === 'kubernetes'
        ? html`Run this once, beside the manifest ${fileLink('benchmark-job.yaml')}.`
        : html`Run this on ${job.node_count === 1 ? 'the machine' : `each of ${job.node_count} machines`}.
          ${chosen.id === 'binary' ? html`It needs ${agent} in its PATH.` : null}`;
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
          ${note('warn', 'The command contains the job’s token.', html`Anyone who has it can deliver results of this job until ${time(job.expires_at)}, and nothing else. It is shown again to you here until the job ends; this page then asks for your password.`)}`
      : note(
          'plain',
          'This job no longer accepts agents.',
          html`It has ended, or its token is over or of another company. <a href="/jobs/new">Create a new job</a>.`,
        ),
  });
}
