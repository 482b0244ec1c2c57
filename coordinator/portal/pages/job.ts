import { getJob } from '../../jobs/get-job.ts';
import { reportUrl } from '../../platform/artifacts/report-url.ts';
import { visibleCustomer } from '../../platform/actor.ts';
import { DomainError, notFound } from '../../platform/errors.ts';
import { time } from '../components/time.ts';
import { assetUrl } from '../frame/assets.ts';
import { html, named, raw, type Content } from '../frame/html.ts';
import { page, seeOther } from '../frame/layout.ts';
import { get, type PageRoute } from '../frame/route.ts';
import { type Visit, idOf } from '../frame/visit.ts';
import type { Viewer } from '../live/job-view.ts';
import { rangeOf } from '../live/links.ts';
import { renderJob } from '../live/rendered.ts';
import { jobStream, type Access } from '../live/stream.ts';
import { findJobPage, type JobPageRow } from '../queries/job-page.ts';
import { isRenewed, readSession } from '../sessions/read-session.ts';
import { readShared } from '../sharing/read-shared.ts';

const shareable = { who: 'member', shareable: true } as const;

export const jobPages: readonly PageRoute[] = [
  // Without the token: a file is kept longer than the ten minutes for which a password counts as fresh.
  get('/jobs/:id{[0-9]+\\.json}', { who: 'member', isPlain: true }, (visit) =>
    getJob(visit.context, idOf(visit.params['id']?.replace('.json', '')), false),
  ),
  get('/jobs/:id', shareable, show),
  get('/jobs/:id/events', { ...shareable, isPlain: true }, events),
  get('/jobs/:id/report.pdf', { who: 'member', isPlain: true }, report),
];

/** The visible part of a large job; the stream is requested with the same query. */
const viewerOf = ({ shared, base, query }: Visit): Viewer => ({
  isShared: shared !== null,
  base,
  rows: rangeOf(query.get('rows')),
  cols: rangeOf(query.get('cols')),
  nodesPage: Math.max(1, Number(/^\d{1,2}$/.exec(query.get('nodes') ?? '')?.[0] ?? '1')),
  isWorstFirst: query.get('order') === 'worst',
});

/** The job if the visitor may see it; throws `not_found`, also for another customer's job. */
async function jobOf({ context, params }: Visit): Promise<JobPageRow> {
  const job = await findJobPage(context.sql, { id: idOf(params['id']), customerId: visibleCustomer(context.actor) });
  if (!job) throw notFound('Job');
  return job;
}

const chosen = new Set(['rows', 'cols', 'nodes', 'order']);
const queryOf = ({ query }: Visit): string => {
  const kept = new URLSearchParams([...query].filter(([name]) => chosen.has(name)));
  return kept.size === 0 ? '' : `?${kept.toString()}`;
};
const nameOf = (visit: Visit, name: string): string => (visit.shared ? 'A shared job' : named(name));

/** Regions with a place of their own; the others follow in their order. */
const FIRST = new Set(['r-state', 'r-actions']);

async function show(visit: Visit): Promise<Response> {
  const { id, seq: newest, state: now } = await jobOf(visit);
  const asks = { id, seq: Number(newest), isMeasuring: now === 'running' };
  const { job, seq, parts, isComplete } = await renderJob(visit.context, asks, viewerOf(visit));
  const part = (name: string): Content => raw(parts.find(({ region }) => region === name)?.html ?? '');
  const others = parts.filter(({ region }) => !FIRST.has(region));
  const asked = visit.query.get('refresh');
  const seconds = asked === 'off' || isComplete ? undefined : asked === '30' ? 30 : 10;
  const path = `${visit.base}/jobs/${job.id}`;
  const body = html`${part('r-state')}${part('r-actions')}
  ${
    !isComplete
      ? html`<div data-live="${path}/events${queryOf(visit)}" data-seq="${seq}">
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
  ${visit.shared ? html`<p class="small muted">A shared page, until ${time(visit.shared.expiresAt)}. Names, addresses and serials are left out.</p>` : null}
  ${others.map(({ html: text }) => raw(text))}`;
  return page(visit, {
    title: nameOf(visit, job.name),
    nav: 'jobs',
    crumbs: visit.shared ? [] : [{ href: '/jobs', label: 'Jobs' }],
    ...(seconds !== undefined && { refreshSeconds: seconds }),
    foot: `Job ${job.id}.`,
    body,
  });
}

async function events(visit: Visit): Promise<Response> {
  const { context, query, shared, cookie, member } = visit;
  const { id: jobId, seq, state } = await jobOf(visit);
  const isMeasuring = state === 'running';
  const last = visit.header('last-event-id') ?? query.get('after') ?? '0';
  const after = /^\d{1,15}$/.test(last) ? Number(last) : 0;
  const token = visit.base.slice('/s/'.length);
  const access = async (): Promise<Access> => {
    if (shared !== null)
      return readShared(context, token).then(
        () => 'good',
        () => 'over',
      );
    if ((await readSession(context, cookie)) !== null) return 'good';
    return (await isRenewed(context, member?.loginSessionId ?? '0')) ? 'renewed' : 'over';
  };
  const owners = {
    customer: 'customerId' in context.actor ? context.actor.customerId : '',
    session: shared === null ? `session ${member?.loginSessionId ?? ''}` : `share ${shared.id}`,
  };
  const viewer = viewerOf(visit);
  return jobStream(context, {
    jobId,
    seq: Number(seq),
    isMeasuring,
    viewer,
    owners,
    after,
    signal: visit.signal,
    access,
  });
}

/** The file's own URL is signed and expires after an hour, so this page's URL can be bookmarked instead. */
async function report(visit: Visit): Promise<Response> {
  const url = await reportUrl(visit.context, await jobOf(visit));
  if (url === null) throw new DomainError('not_found', 'The report');
  return seeOther(url);
}
