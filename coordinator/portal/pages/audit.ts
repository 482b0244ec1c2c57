import { listEvents } from '../../accounts/audit/list-events.ts';
import { auditAction, listAuditQuery, type AuditEvent } from '../../contract/audit.ts';
import { validationError } from '../../platform/http/validation-error.ts';
import { dataTable, hrefWith } from '../components/data-table.ts';
import { field, select } from '../components/field.ts';
import { exactTime } from '../components/time.ts';
import { html, named } from '../frame/html.ts';
import { tableOf, type Listing } from '../frame/listing.ts';
import { list, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { settings } from './settings-frame.ts';

const HERE = '/company/audit';

const events = tableOf<AuditEvent>([
  { name: 'at', label: 'When', value: (row) => row.at, cell: (row) => exactTime(row.at) },
  { name: 'id', label: 'Id', value: (row) => row.id, isHidden: true },
  { name: 'action', label: 'What', value: (row) => row.action, cell: (row) => row.action.replaceAll('_', ' ') },
  { name: 'actor', label: 'Who', value: (row) => row.actor ?? row.actor_kind },
  {
    name: 'subject',
    label: 'Whom or what',
    value: (row) => row.subject,
    cell: (row) => html`<span class="long">${named(row.subject)}</span>`,
  },
  { name: 'detail', label: 'Detail', value: (row) => JSON.stringify(row.detail), isHidden: true },
  { name: 'address', label: 'From', value: (row) => row.address },
  { name: 'request_id', label: 'Request', value: (row) => row.request_id, isHidden: true },
]);

interface Events extends Listing<AuditEvent> {
  next: string | null;
}

/** Omits the empty fields of a filter form. */
export const filled = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...query].filter(([, value]) => value !== ''));

async function load({ context, query }: Visit): Promise<Events> {
  const asked = listAuditQuery.omit({ format: true }).safeParse(filled(query));
  if (!asked.success) throw validationError('query', asked.error.issues);
  const found = await listEvents(context, { ...asked.data, format: 'json' });
  if (found instanceof Response) throw new Error('events were asked for as JSON');
  return { rows: found.results, total: null, page: 1, perPage: asked.data.per_page + 1, next: found.next };
}

export const auditPages: readonly PageRoute[] = list(
  HERE,
  { who: 'admin' },
  {
    table: events,
    load,
    show: (visit, listing) =>
      settings(visit, HERE, 'Audit log', {
        body: html`<form class="filters" method="get" action="${HERE}" role="search" aria-label="Filter events">
            ${select({ name: 'action', label: 'What', value: visit.query.get('action'), options: [{ value: '', label: 'anything' }, ...auditAction.options.map((value) => ({ value, label: value.replaceAll('_', ' ') }))] })}
            ${field({ name: 'actor', label: 'Who', value: visit.query.get('actor'), maxlength: 254, hint: 'an e-mail address' })}
            ${field({ name: 'from', label: 'From, UTC', value: visit.query.get('from'), hint: 'as 2026-11-01T00:00:00Z' })}
            ${field({ name: 'to', label: 'Until, UTC', value: visit.query.get('to'), hint: 'as 2026-11-30T00:00:00Z' })}
            <div class="acts"><button class="main">Search</button> <a href="${HERE}">Clear</a></div>
          </form>
          ${dataTable(visit, { caption: 'Events, newest first', table: events, listing, ifEmpty: html`<p>No event fits these filters.</p>` })}
          ${olderLink(visit, listing)}`,
      }),
  },
);

const olderLink = (visit: Visit, listing: Listing<AuditEvent>) =>
  'next' in listing && typeof listing.next === 'string'
    ? html`<p><a href="${hrefWith(visit, { before: listing.next })}" rel="next">Older events</a></p>`
    : null;
