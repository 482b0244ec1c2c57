import { abortJob } from '../../jobs/abort-job.ts';
import { ownCustomer, visibleCustomer } from '../../platform/actor.ts';
import { deleteJob } from '../../jobs/delete-job.ts';
import { notFound } from '../../platform/errors.ts';
import { formPage } from '../components/form-page.ts';
import { note } from '../components/note.ts';
import { attempt, noErrors, type FormErrors } from '../frame/attempt.ts';
import { html, named, type Content } from '../frame/html.ts';
import { form, seeOther } from '../frame/layout.ts';
import { get, post, type PageRoute } from '../frame/route.ts';
import { type Visit, idOf } from '../frame/visit.ts';
import { isOver } from '../live/job-view.ts';
import { findJobPage, type JobPageRow } from '../queries/job-page.ts';
import type { ShareRow } from '../queries/shares.ts';
import { confirmPassword, passwordAgain } from '../sessions/confirm-password.ts';
import { listShares, revokeShare, sharePage } from '../sharing/share-page.ts';
import { shareForm } from './share-form.ts';

const member = { who: 'member' } as const;

export const jobActionPages: readonly PageRoute[] = [
  get('/jobs/:id/abort', member, (visit) => askAbort(visit, noErrors)),
  post('/jobs/:id/abort', member, abort),
  get('/jobs/:id/delete', member, (visit) => askDelete(visit, noErrors)),
  post('/jobs/:id/delete', member, remove),
  get('/jobs/:id/share', { ...member, showsSecret: true }, (visit) => askShare(visit, noErrors)),
  post('/jobs/:id/share', member, share),
  post('/jobs/:id/share/revoke', member, takeBack),
];

async function jobOf({ context, params }: Visit): Promise<JobPageRow> {
  const job = await findJobPage(context.sql, { id: idOf(params['id']), customerId: visibleCustomer(context.actor) });
  if (!job) throw notFound('Job');
  return job;
}

const shell = (visit: Visit, job: JobPageRow, title: string, errors: FormErrors, body: Content): Promise<Response> =>
  formPage(visit, title, errors, body, {
    nav: 'jobs',
    crumbs: [
      { href: '/jobs', label: 'Jobs' },
      { href: `/jobs/${job.id}`, label: named(job.name) },
    ],
  });

async function askAbort(visit: Visit, errors: FormErrors): Promise<Response> {
  const job = await jobOf(visit);
  const here = `/jobs/${job.id}`;
  if (isOver(job))
    return shell(
      visit,
      job,
      'Abort the job',
      errors,
      note('plain', 'The job has ended.', html`There is nothing to stop. <a href="${here}">Back to the job</a>.`),
    );
  return shell(
    visit,
    job,
    'Abort the job',
    errors,
    html`<p>
        ${job.current_nodes === 0 ? 'No node has joined yet.' : `Its ${job.current_nodes} ${job.current_nodes === 1 ? 'node stops' : 'nodes stop'} at the next beat, within 10 s. What was delivered stays.`}
        The job cannot be started again.
      </p>
      ${form(visit, `${here}/abort`, html`<p class="acts"><button class="risk">Abort ${named(job.name)}</button> <a class="btn" href="${here}">Keep it</a></p>`)}`,
  );
}

async function abort(visit: Visit): Promise<Response> {
  const id = idOf(visit.params['id']);
  const tried = await attempt(() => abortJob(visit.context, id));
  return 'errors' in tried ? askAbort(visit, tried.errors) : seeOther(`/jobs/${id}`);
}

async function askDelete(visit: Visit, errors: FormErrors): Promise<Response> {
  const job = await jobOf(visit);
  const here = `/jobs/${job.id}`;
  if (job.state === 'starting' || job.state === 'running')
    return shell(
      visit,
      job,
      'Delete the job',
      errors,
      note('plain', 'The job runs.', html`Abort it first, or wait for its end. <a href="${here}">Back to the job</a>.`),
    );
  return shell(
    visit,
    job,
    'Delete the job',
    errors,
    html`<p>Its results, reports and shared links are gone for everybody. Its token opens nothing any more.</p>
      ${form(
        visit,
        `${here}/delete`,
        html`${passwordAgain(visit, errors.get('current_password'))}
          <p class="acts">
            <button class="risk">Delete ${named(job.name)}</button> <a class="btn" href="${here}">Keep it</a>
          </p>`,
        'stackform',
      )}`,
  );
}

async function remove(visit: Visit): Promise<Response> {
  const id = idOf(visit.params['id']);
  const tried = await attempt(async () => {
    await confirmPassword(visit);
    return deleteJob(visit.context, id);
  });
  return 'errors' in tried ? askDelete(visit, tried.errors) : seeOther('/jobs');
}

async function askShare(visit: Visit, errors: FormErrors, made: ShareRow | null = null): Promise<Response> {
  const job = await jobOf(visit);
  if (job.customer_id !== ownCustomer(visit.context.actor)) throw notFound('Job');
  return shell(
    visit,
    job,
    'Share the job',
    errors,
    shareForm(visit, {
      action: `/jobs/${job.id}/share`,
      shown:
        "A stranger sees the verdict, problems by place and rule, states, figures and links, also on the page of each machine. Hidden: the company and its people, the job's name, description, tags and token, host names, addresses, serials, machine ids, device ids, inventories, texts from agents and from warnings, and the report.",
      live: await listShares(visit.context, `/jobs/${job.id}`),
      made,
      errors,
    }),
  );
}

async function share(visit: Visit): Promise<Response> {
  const tried = await attempt(async () => {
    await confirmPassword(visit);
    const { id, customer_id } = await jobOf(visit);
    // Staff can see other customers' jobs but may not share them.
    if (customer_id !== ownCustomer(visit.context.actor)) throw notFound('Job');
    const shared = { path: `/jobs/${id}`, query: '', jobId: id };
    return sharePage(visit.context, shared, Number(visit.form.get('days')));
  });
  return 'errors' in tried ? askShare(visit, tried.errors) : askShare(visit, noErrors, tried.done);
}

async function takeBack(visit: Visit): Promise<Response> {
  const id = idOf(visit.params['id']);
  const tried = await attempt(async () => {
    await confirmPassword(visit);
    return revokeShare(visit.context, idOf(visit.form.get('share') ?? undefined));
  });
  return 'errors' in tried ? askShare(visit, tried.errors) : seeOther(`/jobs/${id}/share`);
}
