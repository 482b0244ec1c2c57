import { benchmarkNames } from '../../lifecycle/benchmarks.ts';
import { createJob } from '../../jobs/create-job.ts';
import { agentHashes } from '../../platform/agent-files/find-agent.ts';
import { createJobRequest } from '../../contract/create-job.ts';
import { errorSummary, field } from '../components/field.ts';
import { tagsIn } from '../frame/asked.ts';
import { attempt, issuesOf, noErrors, type FormErrors } from '../frame/attempt.ts';
import { html, raw } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';
import { form, page, seeOther } from '../frame/layout.ts';
import { get, post, type PageRoute } from '../frame/route.ts';
import { launchers } from './start-job.ts';

const member = { who: 'member' } as const;

export const newJobPages: readonly PageRoute[] = [
  get('/jobs/new', member, (visit) => newForm(visit, noErrors)),
  post('/jobs/new', member, create),
];

async function newForm(visit: Visit, errors: FormErrors): Promise<Response> {
  const given = visit.form;
  const agents = await agentHashes(visit.context.config);
  const offered = launchers.filter(
    ({ id }) =>
      (id !== 'download' || agents['linux-x64'] !== undefined) &&
      (id !== 'download_arm64' || agents['linux-arm64'] !== undefined),
  );
  const value = (name: string) => ({ name, value: given.get(name), error: errors.get(name) });
  const wants = (id: string) => (given.size === 0 ? id === 'quick_mark' : given.getAll('benchmark').includes(id));
  const launcher = given.get('launcher') ?? offered[0]?.id;
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
          <legend>1 What to measure</legend>
          ${Object.entries(benchmarkNames).map(([id, label]) => html`<label class="check"><input type="checkbox" name="benchmark" value="${id}" ${wants(id) ? raw(' checked') : null} />${label} <span class="muted">${explained[id]}</span></label>`)}
          ${field({ ...value('timeout'), label: 'Seconds for QuickMark on each node', type: 'number', min: 10, max: 3600, hint: 'Leave empty for about a minute. 10 to 3600; with more, power and temperature settle.' })}
        </fieldset>
        <fieldset>
          <legend>2 On which machines</legend>
          ${field({ ...value('node_count'), label: 'Nodes', type: 'number', min: 1, max: 256, value: given.get('node_count') ?? '1', hint: 'How many machines take part, 1 to 256.' })}
          ${field({ ...value('name'), label: 'Name', maxlength: 60, hint: 'Leave empty for a name made of the date.' })}${field({ ...value('description'), label: 'Description', maxlength: 512 })}${field({ ...value('tags'), label: 'Tags', hint: 'Up to 10, separated by commas.' })}
        </fieldset>
        <fieldset>
          <legend>3 How to start the agent</legend>
          ${offered.map(({ id, label }) => html`<label class="check"><input type="radio" name="launcher" value="${id}" ${id === launcher ? raw(' checked') : null} />${label}</label>`)}
        </fieldset>
        <p><button class="main">Create job</button></p>`,
      'stackform wide',
    )}`,
  });
}

const explained: Record<string, string> = {
  quick_mark: 'each GPU alone and all at once: arithmetic, memory, transfers, power',
  cluster_network: 'the links between the nodes; needs at least two',
};

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
  if (!input.success) return newForm(visit, inWords(issuesOf(input.error)));
  const tried = await attempt(() => createJob(visit.context, input.data));
  if ('errors' in tried) return newForm(visit, tried.errors);
  const launcher = launchers.find(({ id }) => id === given.get('launcher'))?.id;
  return seeOther(`/jobs/${tried.done.job.id}/start${launcher === undefined ? '' : `?launcher=${launcher}`}`);
}

/** Errors in the words of the form's own labels. Of the benchmarks only the time can be wrong on a form. */
const inWords = (errors: FormErrors): FormErrors =>
  new Map(
    [...errors].map(([name, message]) => {
      if (name === 'node_count') return [name, 'Nodes: enter 1 to 256.'];
      if (name === 'benchmarks') return ['timeout', 'Seconds for QuickMark: enter 10 to 3600.'];
      return [name, message];
    }),
  );
