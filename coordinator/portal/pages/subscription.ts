import { customerActor, limitsInUse } from '../../accounts/standing/customer-actor.ts';
import { listRequestsNow, type RequestsNow } from '../../accounts/standing/requests-now.ts';
import { listSubscriptions } from '../../accounts/standing/subscriptions.ts';
import { product } from '../../contract/terms.ts';
import { operatorLine } from '../components/copyable.ts';
import { dataTable } from '../components/data-table.ts';
import { empty, note } from '../components/note.ts';
import { whole } from '../components/numbers.ts';
import { status } from '../components/status.ts';
import { time } from '../components/time.ts';
import { html, named, type Content } from '../frame/html.ts';
import { tableOf, wholeListing, type Listing } from '../frame/listing.ts';
import { list, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { settings } from './settings-frame.ts';

const HERE = '/company/subscription';
type Row = Awaited<ReturnType<typeof listSubscriptions>>[number];

const subscriptions = tableOf<Row>([
  { name: 'tier', label: 'Tier', value: (row) => row.tier },
  { name: 'id', label: 'Id', value: (row) => row.id, isHidden: true },
  { name: 'starts_at', label: 'From', value: (row) => row.starts_at.toISOString(), cell: (row) => time(row.starts_at) },
  {
    name: 'ends_at',
    label: 'Until',
    value: (row) => row.ends_at?.toISOString() ?? null,
    cell: (row) => (row.ends_at ? time(row.ends_at) : 'open, until you or the operator end it'),
  },
]);

async function limits(visit: Visit): Promise<Content> {
  const customer = customerActor(visit.context.actor);
  const { tier, subscribed, terms } = customer.standing;
  const [used, requests] = await Promise.all([limitsInUse(visit.context, customer), listRequestsNow(visit.context)]);
  const own = requests?.find(({ kind, id }) => kind === 'user' && id === visit.member?.userId);
  return html`<dl class="facts">
      <dt>Tier</dt>
      <dd>${tier}${subscribed ? null : ', no active subscription: data is read as with basic'}</dd>
      <dt>Requests</dt>
      <dd>
        ${terms.requests_per_minute.toLocaleString('en')} a minute for each person and credential,
        ${terms.burst.toLocaleString('en')} at
        once${own ? `; you have taken ${whole(own.taken)} of ${whole(own.burst)} now` : null}${requests === null ? '; this coordinator does not enforce it' : null}
      </dd>
      <dt>Applications</dt>
      <dd>${used.applications} of ${terms.applications} in use</dd>
      <dt>Application tokens</dt>
      <dd>
        ${used.tokens} valid; ${terms.tokens_per_application} for each application, good for ${terms.token_days} days
      </dd>
      <dt>API key names</dt>
      <dd>
        ${used.key_names} of ${terms.api_keys} in use, with ${used.keys} valid ${used.keys === 1 ? 'key' : 'keys'}; two
        for each name
      </dd>
      <dt>Price history</dt>
      <dd>${terms.history_days.toLocaleString('en')} days</dd>
      <dt>Archives</dt>
      <dd>${terms.archive_tiers.length === 0 ? 'none' : `tiers ${terms.archive_tiers.join(' and ')}`}</dd>
    </dl>
    ${requestTable(visit, wholeListing(requests ?? []), REQUESTS)}
    ${dataTable(visit, { caption: 'Products', table: products, listing: wholeListing(productRows(visit)), files: PRODUCTS, ifEmpty: null })}`;
}

const REQUESTS = `${HERE}/requests`;
/** Rows shown: a company can have a thousand people and credentials; the files have them all. */
const MOST_SHOWN = 25;

const kinds: Record<RequestsNow['kind'], string> = { user: 'person', key: 'API key', app: 'application token' };

const requestsNow = tableOf<RequestsNow>([
  {
    name: 'name',
    label: 'Whose',
    value: (row) => row.name,
    cell: (row) => html`${named(row.name)}<small>${named(row.detail)}${row.kind === 'user' ? null : '…'}</small>`,
  },
  { name: 'id', label: 'Id', value: (row) => row.id, isHidden: true },
  { name: 'kind', label: 'Kind', value: (row) => kinds[row.kind] },
  { name: 'detail', label: 'E-mail address, or how the credential begins', value: (row) => row.detail, isHidden: true },
  { name: 'taken', label: 'Taken now', value: (row) => row.taken, cell: (row) => whole(row.taken), isNumber: true },
  { name: 'at_once', label: 'At once', value: (row) => row.burst, cell: (row) => whole(row.burst), isNumber: true },
  {
    name: 'free_in_seconds',
    label: 'All free in, s',
    value: (row) => row.freeInSeconds,
    cell: (row) => whole(row.freeInSeconds),
    isNumber: true,
  },
]);

const requestTable = (visit: Visit, listing: Listing<RequestsNow>, files?: string): Content =>
  listing.rows.length === 0
    ? null
    : html`${dataTable(visit, { caption: 'Requests now', table: requestsNow, listing, most: MOST_SHOWN, ifEmpty: null, ...(files && { files }) })}
        <p class="small muted">${MEANING}</p>`;

const MEANING =
  'Taken: how many of the requests that can be sent at once are used up; they come back at the rate of requests a minute. Each process of the coordinator ' +
  'borrows a fiftieth of them ahead, a thirtieth in a rush, and returns unused ones within ten seconds: a figure can differ by that much from the requests sent.';

interface ProductRow {
  product: string;
  isIncluded: boolean;
  tiers: string | null;
}

const PRODUCTS = '/company/subscription/products';

const products = tableOf<ProductRow>([
  { name: 'product', label: 'Product', value: (row) => row.product },
  {
    name: 'included',
    label: 'Yours',
    value: (row) => row.isIncluded,
    cell: (row) => (row.isIncluded ? status('ok', 'included') : status('none', 'not included')),
  },
  { name: 'tiers', label: 'Tiers with it', value: (row) => row.tiers, cell: (row) => row.tiers ?? 'by agreement' },
]);

function productRows({ context }: Visit): ProductRow[] {
  const { terms, tiersWith } = customerActor(context.actor).standing;
  return product.options.map((name) => ({
    product: name,
    isIncluded: terms.products.includes(name),
    tiers: tiersWith[name]?.join(', ') ?? null,
  }));
}

export const subscriptionPages: readonly PageRoute[] = [
  ...list(
    PRODUCTS,
    { who: 'member' },
    {
      table: products,
      load: async (visit) => wholeListing(productRows(visit)),
      show: (visit, listing) =>
        settings(visit, HERE, 'Products of your subscription', {
          body: dataTable(visit, { caption: 'Products', table: products, listing, ifEmpty: null }),
        }),
    },
  ),
  ...list(
    REQUESTS,
    { who: 'member' },
    {
      table: requestsNow,
      load: async ({ context }) => wholeListing((await listRequestsNow(context)) ?? []),
      show: (visit, listing) =>
        settings(visit, HERE, 'Requests now', {
          body:
            listing.rows.length === 0
              ? note('plain', 'Requests are not counted here:', 'the operator has switched the limits off.')
              : requestTable(visit, listing),
        }),
    },
  ),
  ...list(
    HERE,
    { who: 'member' },
    {
      table: subscriptions,
      load: async ({ context }) => wholeListing(await listSubscriptions(context, customerActor(context.actor))),
      show: async (visit, listing) =>
        settings(visit, HERE, 'Subscription', {
          body: html`${await limits(visit)}${dataTable(visit, { caption: 'Subscriptions', table: subscriptions, listing, ifEmpty: empty('There was never a subscription.', 'The operator adds one:', operatorLine('subscription add --help')) })}`,
        }),
    },
  ),
];
