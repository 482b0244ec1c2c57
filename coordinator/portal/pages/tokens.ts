import type { BookRow } from '../../contract/token-prices.ts';
import { bookOrder, bookPreviewRequest, pulseOrder, pulsePreviewRequest } from '../../contract/token-views.ts';
import { hotTokens } from '../../tokens/hot-tokens.ts';
import { previewBook, pulseFigures } from '../../tokens/previews.ts';
import { tokenScreens } from '../../tokens/screens.ts';
import type { PulseFigures } from '../../tokens/pulse-trend.ts';
import { operatorLine } from '../components/copyable.ts';
import { dataTable } from '../components/data-table.ts';
import { exampleRows } from '../components/example-rows.ts';
import { empty } from '../components/note.ts';
import { eachValue, field } from '../components/field.ts';
import { figure } from '../components/numbers.ts';
import { asked, filled, filterAsked, pageAsked, sortAsked } from '../frame/asked.ts';
import { html, named, type Content } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { tableOf, type Column, type Listing } from '../frame/listing.ts';
import { list, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { chips } from './token-views.ts';

type ModelRow = Pick<BookRow, 'date' | 'developer' | 'model_name' | 'model_type' | 'model_status'>;

const nameColumns = <Row extends ModelRow>(): Column<Row>[] => [
  {
    name: 'model_name',
    label: 'Model',
    value: (row) => row.model_name,
    cell: (row) => named(row.model_name),
    sort: 'model_name',
  },
  {
    name: 'developer',
    label: 'Developer',
    value: (row) => row.developer,
    cell: (row) => named(row.developer),
    sort: 'developer',
  },
];

const stateColumns = <Row extends ModelRow>(): Column<Row>[] => [
  { name: 'model_type', label: 'Kind', value: (row) => row.model_type, sort: 'model_type' },
  { name: 'model_status', label: 'State', value: (row) => row.model_status, sort: 'model_status' },
  { name: 'date', label: 'Day, UTC', value: (row) => row.date, sort: 'date' },
];

type NumberIn<Row> = { [K in keyof Row]: Row[K] extends number | null ? K : never }[keyof Row] & string;
const number = <Row extends Record<NumberIn<Row>, number | null>>(name: NumberIn<Row>, label: string): Column<Row> => ({
  name,
  label,
  value: (row) => row[name],
  cell: (row) => figure(row[name]),
  isNumber: true,
  sort: name,
});

const MILLION = 'USD per million tokens';
const book = tableOf<BookRow>([
  ...nameColumns<BookRow>(),
  {
    name: 'source_id',
    label: 'Seller',
    value: (row) => row.source_id,
    cell: (row) => named(row.source_id),
    sort: 'source_id',
  },
  { name: 'source_type', label: 'Kind of seller', value: (row) => row.source_type, sort: 'source_type' },
  number<BookRow>('price_input', `Input, ${MILLION}`),
  number<BookRow>('price_output', `Output, ${MILLION}`),
  number<BookRow>('price_cached_input', `Cached input, ${MILLION}`),
  {
    name: 'screened_by',
    label: 'Not counted',
    value: (row) => (row.screened_by === null ? null : tokenScreens[row.screened_by]),
  },
  number<BookRow>('context_length', 'Context, tokens'),
  number<BookRow>('total_param', 'Weights, billions'),
  number<BookRow>('active_param', 'Active, billions'),
  ...stateColumns<BookRow>(),
]);

/** A row of the pulse as stored: the same columns for all days, whichever names the API uses for the means of a day. */
type PulseLine = Omit<PulseFigures, 'model'>;
const pulse = tableOf<PulseLine>([
  ...nameColumns<PulseLine>(),
  number<PulseLine>('volume_input_index', 'Input volume, 100 = market on a mean day'),
  number<PulseLine>('volume_output_index', 'Output volume, 100 = market on a mean day'),
  { name: 'volume_counts', label: 'Counts of the source, n', value: (row) => row.volume_counts, isNumber: true },
  number<PulseLine>('avg_price_input', `Input mean, ${MILLION}`),
  number<PulseLine>('avg_price_output', `Output mean, ${MILLION}`),
  number<PulseLine>('med_price_input', `Input median, ${MILLION}`),
  number<PulseLine>('med_price_output', `Output median, ${MILLION}`),
  { name: 'sellers', label: 'Sellers, n', value: (row) => row.sellers, isNumber: true },
  { name: 'is_estimated', label: 'Split estimated', value: (row) => row.is_estimated },
  ...stateColumns<PulseLine>(),
]);

const filterNames = [
  'developer',
  'model_name',
  'model_type',
  'model_status',
  'source_id',
  'source_type',
  'date',
  'start_date',
  'end_date',
] as const;

function viewAsked({ query }: Visit, order: readonly string[], usual: string, names: readonly string[]) {
  const given = filled(query);
  const filter = filterAsked(query, names);
  const sortBy = order.includes(given['sort_by'] ?? '') ? (given['sort_by'] ?? usual) : usual;
  return { filter, sortBy, sortOrder: sortAsked(query), paginate: pageAsked(query) };
}

async function loadBook(visit: Visit): Promise<Listing<BookRow>> {
  const { filter, sortBy, sortOrder, paginate } = viewAsked(visit, bookOrder, 'price_input', filterNames);
  const request = asked(bookPreviewRequest, { filter, order_by: [{ [sortBy]: sortOrder }], paginate });
  const { total, results } = await previewBook(visit.context, await hotTokens(visit.context)(), request);
  return { rows: results, total, page: paginate.page_num, perPage: paginate.num_per_page, sortBy, sortOrder };
}

async function loadPulse(visit: Visit): Promise<Listing<PulseLine>> {
  const names = filterNames.filter((name) => !name.startsWith('source'));
  const { filter, sortBy, sortOrder, paginate } = viewAsked(visit, pulseOrder, 'volume_input_index', names);
  const request = asked(pulsePreviewRequest, { filter, order_by: [{ [sortBy]: sortOrder }], paginate });
  const { total, results } = await pulseFigures(visit.context, await hotTokens(visit.context)(), request);
  return { rows: results, total, page: paginate.page_num, perPage: paginate.num_per_page, sortBy, sortOrder };
}

function filters({ query }: Visit, here: string, sellers: boolean): Content {
  const text = (name: string, label: string) =>
    eachValue(query, { name, label }, (given) => field({ ...given, maxlength: 200 }));
  const day = eachValue(query, { name: 'date', label: 'Day' }, (given) =>
    field({ ...given, type: 'date', hint: 'the newest unless told' }),
  );
  return html`<form class="filters" method="get" action="${here}" role="search" aria-label="Filter models">
    ${text('developer', 'Developer')}${text('model_name', 'Model')}${sellers ? text('source_id', 'Seller') : null}${day}
    <div class="acts"><button class="main">Search</button> <a href="${here}">Clear</a></div>
  </form>`;
}

const nothing = (here: string): Content =>
  empty(
    'No rows fit.',
    html`<a href="${here}">Show the newest day</a>. If it has none either, the operator reads a source of token prices:`,
    operatorLine('ingest openrouter-models'),
  );

/** The days on which the shown prices were read from their sellers. */
function readOn(rows: readonly ModelRow[]): Content {
  const days = [...new Set(rows.map(({ date }) => date))].toSorted();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined) return null;
  return first === last
    ? html`, read on <time datetime="${first}">${first}</time> (UTC)`
    : html`, read from <time datetime="${first}">${first}</time> to <time datetime="${last}">${last}</time> (UTC)`;
}

const prices = {
  who: 'member',
  product: 'token-prices',
  holds: 'What each seller asks for each language model by day, and how much of each is used,',
} as const;

const exampleModel = {
  date: '2000-01-01',
  developer: 'Example Lab',
  model_name: 'Example model A',
  model_type: 'open-weight',
  model_status: 'active',
} as const;
const otherModel = { ...exampleModel, model_name: 'Example model B' };
const examplePrice = {
  total_param: 100,
  active_param: 10,
  context_length: 100_000,
  price_input: 1,
  price_output: 2,
  price_cached_input: null,
  source_id: 'example-seller',
  source_type: 'model-platform',
  screened_by: null,
} as const;
const exampleUse = {
  volume_input_index: 1,
  volume_output_index: 2,
  avg_price_input: 1,
  avg_price_output: 2,
  med_price_input: 1,
  med_price_output: 2,
  volume_counts: 2,
  sellers: 3,
  is_estimated: false,
};
const bookExample = exampleRows(book, [
  { ...exampleModel, ...examplePrice },
  { ...otherModel, ...examplePrice, price_input: 2 },
]);
const pulseExample = exampleRows(pulse, [
  { ...exampleModel, ...exampleUse },
  { ...otherModel, ...exampleUse, is_estimated: true },
]);

export const tokenPages: readonly PageRoute[] = [
  ...list(
    '/tokens/book',
    { ...prices, example: bookExample },
    {
      table: book,
      load: loadBook,
      show: (visit, listing) =>
        page(visit, {
          title: 'Token price book',
          nav: 'tokens',
          facts: html`${listing.total ?? 0} ${listing.total === 1 ? 'price' : 'prices'}${readOn(listing.rows)},
          ${MILLION}`,
          body: html`${chips('/tokens/book')}${filters(visit, '/tokens/book', true)}${dataTable(visit, { caption: 'Prices by model and seller, each the one that its seller asks', table: book, listing, shape: 'scroll', ifEmpty: nothing('/tokens/book') })}`,
        }),
    },
  ),
  ...list(
    '/tokens/pulse',
    { ...prices, example: pulseExample },
    {
      table: pulse,
      load: loadPulse,
      show: (visit, listing) =>
        page(visit, {
          title: 'Token pulse',
          nav: 'tokens',
          facts: `${listing.total ?? 0} models${listing.rows[0] === undefined ? '' : ` of ${listing.rows[0].date}`}`,
          body: html`${chips('/tokens/pulse')}${filters(visit, '/tokens/pulse', false)}${dataTable(visit, { caption: 'Volume and price by model; volumes are sums of the source’s counts, one for each variant; means and medians are over the sellers, one price each', table: pulse, listing, shape: 'scroll', ifEmpty: nothing('/tokens/pulse') })}`,
        }),
    },
  ),
];
