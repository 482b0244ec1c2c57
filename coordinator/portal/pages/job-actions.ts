import { abortJob } from '../../jobs/abort-job.ts';
import { ownCustomer, visibleCustomer } from '../../platform/actor.ts';
import { deleteJob } from '../../jobs/delete-job.ts';
import { notFound } from '../../platform/errors.ts';
import { command } from '../components/command.ts';
import { errorSummary, field } from '../components/field.ts';
import { note } from '../components/note.ts';
import { time } from '../components/time.ts';
import { attempt, noErrors, type FormErrors } from '../frame/attempt.ts';
import { html, named, type Content } from '../frame/html.ts';
import { form, page, seeOther } from '../frame/layout.ts';
import { get, post, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { isOver } from '../live/job-view.ts';
import { findJobPage, type JobPageRow } from '../queries/job-page.ts';
import { confirmPassword, passwordAgain } from '../sessions/confirm-password.ts';
import { isLive, linkOf, listShares, revokeShare, shareDays, shareJob } from '../sharing/share-job.ts';
import { idOf } from '../frame/id-of.ts';

const member = { who: 'member' } as const;

export const jobActionPages: readonly PageRoute[] = [
  get('/jobs/:id/abort', member, (visit) => askAbort(visit, noErrors)),
  post('/jobs/:id/abort', member, abort),
  get('/jobs/:id/delete', member, (visit) => askDelete(visit, noErrors)),
  post('/jobs/:id/delete', member, remove),
  get('/jobs/:id/share', member, (visit) => sharePage(visit, noErrors)),
  post('/jobs/:id/share', member, share),
  post('/jobs/:id/share/revoke', member, takeBack),
];

async function jobOf({ context, params }: Visit): Promise<JobPageRow> {
  const job = await findJobPage(context.sql, { id: idOf(params['id']), customerId: visibleCustomer(context.actor) });
  if (!job) throw notFound('Job');
  return job;
}

const shell = (visit: Visit, job: JobPageRow, title: string, errors: FormErrors, body: Content): Promise<Response> =>
  page(visit, {
    title: errors.size > 0 ? `Error: ${title}` : title,
    heading: title,
    nav: 'jobs',
    crumbs: [
      { href: '/jobs', label: 'Jobs' },
      { href: `/jobs/${job.id}`, label: named(job.name) },
    ],
    status: errors.size > 0 ? 422 : 200,
    body: html`${errorSummary(errors)}${body}`,
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
        Its ${job.current_nodes} ${job.current_nodes === 1 ? 'node stops' : 'nodes stop'} at the next beat, within 10 s.
        What was delivered stays; the job cannot be started again.
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

async function sharePage(visit: Visit, errors: FormErrors, made: string | null = null): Promise<Response> {
  const job = await jobOf(visit);
  if (job.customer_id !== ownCustomer(visit.context.actor)) throw notFound('Job');
  const now = visit.context.now();
  const live = (await listShares(visit.context, `/jobs/${job.id}`)).filter((one) => isLive(one, now));
  return shell(
    visit,
    job,
    'Share the job',
    errors,
    html`${made === null ? null : html`${note('ok', 'Shared.', 'Who has this link sees the page, without an account.', 'status')}${command(made, 'Link to the shared page')}`}
      <p>
        A stranger sees states, figures, links and warnings. Hidden: the company and its people, the job's name,
        description, tags and token, host names, addresses, serials, machine ids, messages of agents, and the report.
      </p>
      ${form(
        visit,
        `/jobs/${job.id}/share`,
        html`${field({ name: 'days', label: 'Days until it ends', type: 'number', min: 1, max: shareDays.most, value: visit.form.get('days') ?? String(shareDays.usual), required: true })}${passwordAgain(visit, errors.get('current_password'))}
          <p><button class="main">Make a link</button></p>`,
        'stackform',
      )}
      <h2>Links in force</h2>
      ${
        live.length === 0
          ? html`<p class="muted">None.</p>`
          : live.map(
              (one) =>
                html`<p>Made ${time(one.created_at)}, ends ${time(one.expires_at)}.</p>
                  ${command(linkOf(visit.context, one), 'Link to the shared page')}${form(
                    visit,
                    `/jobs/${job.id}/share/revoke`,
                    html`<input type="hidden" name="share" value="${one.id}" />
                      <p><button class="risk">Take this link back</button></p>`,
                  )}`,
            )
      }`,
  );
}

async function share(visit: Visit): Promise<Response> {
  const tried = await attempt(async () => {
    await confirmPassword(visit);
    return shareJob(visit.context, { jobId: idOf(visit.params['id']), days: Number(visit.form.get('days')) });
  });
  return 'errors' in tried ? sharePage(visit, tried.errors) : sharePage(visit, noErrors, tried.done);
}

async function takeBack(visit: Visit): Promise<Response> {
  const id = idOf(visit.params['id']);
  const tried = await attempt(() => revokeShare(visit.context, idOf(visit.form.get('share') ?? undefined)));
  return 'errors' in tried ? sharePage(visit, tried.errors) : seeOther(`/jobs/${id}/share`);
}
