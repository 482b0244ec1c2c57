import { getJob } from '../../jobs/get-job.ts';
import { reportUrl } from '../../jobs/report-url.ts';
import { visibleCustomer } from '../../platform/actor.ts';
import { DomainError, notFound } from '../../platform/errors.ts';
import { assetUrl } from '../frame/assets.ts';
import { html, named } from '../frame/html.ts';
import { page, seeOther } from '../frame/layout.ts';
import { get, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { isOver, readJobView } from '../live/job-view.ts';
import { region, regions } from '../live/regions.ts';
import { jobStream } from '../live/stream.ts';
import { warningsOf } from '../live/warnings.ts';
import { findJobPage } from '../queries/job-page.ts';
import { readSession } from '../sessions/read-session.ts';
import { readShared } from '../sharing/read-shared.ts';
import { idOf } from '../frame/id-of.ts';

const shareable = { who: 'member', shareable: true } as const;
const MOST_WARNINGS = 300;

export const jobPages: readonly PageRoute[] = [
  get('/jobs/:id{[0-9]+\\.json}', { who: 'member', isPlain: true }, (visit) =>
    getJob(visit.context, idOf(visit.params['id']?.replace('.json', ''))),
  ),
  get('/jobs/:id', shareable, show),
  get('/jobs/:id/events', { ...shareable, isPlain: true }, events),
  get('/jobs/:id/findings', shareable, findings),
  get('/jobs/:id/report.pdf', { who: 'member', isPlain: true }, report),
];

const viewerOf = ({ shared, base }: Visit) => ({ isShared: shared !== null, base });
const nameOf = (visit: Visit, name: string): string => (visit.shared ? 'A shared job' : named(name));

async function show(visit: Visit): Promise<Response> {
  const view = await readJobView(visit.context, idOf(visit.params['id']), viewerOf(visit));
  const { job } = view;
  const asked = visit.query.get('refresh');
  const isLive = !isOver(job) || job.report_key === null;
  const seconds = asked === 'off' || isOver(job) ? undefined : asked === '30' ? 30 : 10;
  const path = `${visit.base}/jobs/${job.id}`;
  const body = html`${region('r-state', view)}${region('r-actions', view)}
  ${
    isLive
      ? html`<div data-live="${path}/events" data-seq="${job.seq}">
            <p class="live">
              <span id="live" role="status"></span>
              <noscript
                >${seconds === undefined ? 'This page does not load again by itself.' : html`This page loads again every ${seconds} s. <a href="${path}?refresh=off">Stop that</a>.`}</noscript
              >
            </p>
          </div>
          <script src="${assetUrl('live.js')}" type="module"></script>`
      : null
  }
  ${visit.shared ? html`<p class="small muted">A shared page, until ${visit.shared.expiresAt.toISOString().slice(0, 10)}. Names, addresses and serials are left out.</p>` : null}
  ${Object.keys(regions)
    .slice(2)
    .map((id) => region(id, view))}`;
  return page(visit, {
    title: nameOf(visit, job.name),
    nav: 'jobs',
    crumbs: visit.shared ? [] : [{ href: '/jobs', label: 'Jobs' }],
    ...(seconds !== undefined && { refreshSeconds: seconds }),
    body,
  });
}

async function events(visit: Visit): Promise<Response> {
  const { context, params, query, shared, cookie } = visit;
  const jobId = idOf(params['id']);
  const job = await findJobPage(context.sql, { id: jobId, customerId: visibleCustomer(context.actor) });
  if (!job) throw notFound('Job');
  const last = visit.header('last-event-id') ?? query.get('after') ?? '0';
  const after = /^\d{1,15}$/.test(last) ? Number(last) : 0;
  const token = visit.base.slice('/s/'.length);
  const isStillGood = async (): Promise<boolean> => {
    if (shared === null) return (await readSession(context, cookie)) !== null;
    return readShared(context, token).then(
      () => true,
      () => false,
    );
  };
  const customerId = 'customerId' in context.actor ? context.actor.customerId : '';
  return jobStream(context, { jobId, viewer: viewerOf(visit), customerId, after, signal: visit.signal, isStillGood });
}

async function findings(visit: Visit): Promise<Response> {
  const view = await readJobView(visit.context, idOf(visit.params['id']), viewerOf(visit));
  return page(visit, {
    title: 'Warnings',
    nav: 'jobs',
    crumbs: [{ href: `${visit.base}/jobs/${view.job.id}`, label: nameOf(visit, view.job.name) }],
    body: warningsOf(view, MOST_WARNINGS),
  });
}

/** The file's own address is signed and ends after an hour, so this page's address can be kept instead. */
async function report({ context, params }: Visit): Promise<Response> {
  const job = await findJobPage(context.sql, { id: idOf(params['id']), customerId: visibleCustomer(context.actor) });
  const url = job && (await reportUrl(context, job));
  if (!job || url === null) throw new DomainError('not_found', 'The report');
  return seeOther(url);
}
