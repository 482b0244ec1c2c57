import type { z } from 'zod';
import { ownCustomer } from '../../platform/actor.ts';
import { invalidField, notFound } from '../../platform/errors.ts';
import { errorSummary } from '../components/field.ts';
import { asked } from '../frame/asked.ts';
import { attempt, noErrors, type FormErrors } from '../frame/attempt.ts';
import { html, named, type Content } from '../frame/html.ts';
import { idOf, type Visit } from '../frame/visit.ts';
import { page, seeOther } from '../frame/layout.ts';
import { get, post, type PageRoute } from '../frame/route.ts';
import { ownsAll, type ShareRow } from '../queries/shares.ts';
import { confirmPassword } from '../sessions/confirm-password.ts';
import { listShares, revokeShare, sharePage } from '../sharing/share-page.ts';
import { compareAsked, itemsAsked } from './compare.ts';
import { shareForm } from './share-form.ts';

const HERE = '/compare';
const SHARE = '/compare/share';

type Asked = z.output<typeof compareAsked>;

/** The comparison named by the query or the form, of the caller's own runs. Throws `not_found`, `validation`. */
async function comparisonOf({ context, query, form }: Visit): Promise<Asked> {
  const request = asked(compareAsked, itemsAsked(form.size > 0 ? form : query));
  if (request.items.length === 0) throw invalidField('items', 'must name at least one job or task');
  const ids = (kind: string) =>
    request.items.filter((item) => item.startsWith(kind)).map((item) => item.split(':')[1] ?? '');
  const customerId = ownCustomer(context.actor);
  // Staff can see other customers' runs but may not share them.
  if (!(await ownsAll(context.sql, { customerId, jobs: ids('job:'), tasks: ids('task:') })))
    throw notFound('The comparison');
  return request;
}

/** Parameters in a fixed order and nothing else, so that equal comparisons have equal links. */
const queryOf = ({ items, base }: Asked): string =>
  new URLSearchParams({ items: items.join(','), ...(base === undefined ? {} : { base }) }).toString();

async function ask(visit: Visit, errors: FormErrors, made: ShareRow | null = null): Promise<Response> {
  if (visit.form.size === 0 && !visit.query.get('items')) return seeOther(HERE);
  const comparison = await comparisonOf(visit);
  const query = queryOf(comparison);
  const fields: Content = html`<input type="hidden" name="items" value="${comparison.items.join(',')}" />
    ${comparison.base === undefined ? null : html`<input type="hidden" name="base" value="${comparison.base}" />`}`;
  const opens = (share: ShareRow): Content =>
    share.query === query
      ? 'This comparison'
      : html`<a href="${HERE}?${share.query}">${named(new URLSearchParams(share.query).get('items') ?? 'another')}</a>`;
  return page(visit, {
    title: errors.size > 0 ? 'Error: Share the comparison' : 'Share the comparison',
    heading: 'Share the comparison',
    nav: 'compare',
    crumbs: [{ href: `${HERE}?${query}`, label: 'Compare runs' }],
    facts: `${comparison.items.length} ${comparison.items.length === 1 ? 'run' : 'runs'}`,
    status: errors.size > 0 ? 422 : 200,
    body: html`${errorSummary(errors)}${shareForm(visit, {
      action: SHARE,
      fields,
      shown:
        'A stranger sees the figures, their spreads, tiers, models of the devices and why runs are not comparable. Hidden: the company and its people, names of runs, host names, serials and machine ids; runs are numbered. The link opens no other comparison, and ends when one of its runs is deleted.',
      live: await listShares(visit.context, HERE),
      opens,
      made,
      errors,
    })}`,
  });
}

async function share(visit: Visit): Promise<Response> {
  const comparison = await comparisonOf(visit);
  const tried = await attempt(async () => {
    await confirmPassword(visit);
    const shared = { path: HERE, query: queryOf(comparison), jobId: null };
    return sharePage(visit.context, shared, Number(visit.form.get('days')));
  });
  return 'errors' in tried ? ask(visit, tried.errors) : ask(visit, noErrors, tried.done);
}

async function takeBack(visit: Visit): Promise<Response> {
  const comparison = await comparisonOf(visit);
  const tried = await attempt(async () => {
    await confirmPassword(visit);
    return revokeShare(visit.context, idOf(visit.form.get('share') ?? undefined));
  });
  return 'errors' in tried ? ask(visit, tried.errors) : seeOther(`${SHARE}?${queryOf(comparison)}`);
}

export const compareSharePages: readonly PageRoute[] = [
  get(SHARE, { who: 'member', showsSecret: true }, (visit) => ask(visit, noErrors)),
  post(SHARE, { who: 'member' }, share),
  post(`${SHARE}/revoke`, { who: 'member' }, takeBack),
];
