import { z } from 'zod';
import { dayLines } from '../../charts/day-lines.ts';
import { chartWidths } from '../../charts/svg-parts.ts';
import { ALL_COUNTRIES, historyPriceRequest, type PriceRecord } from '../../contract/market.ts';
import {
  isRetail,
  priceTypeDescriptions,
  priceTypes,
  providerSourceType,
  providerSourceTypes,
  type ProviderSourceType,
} from '../../contract/price-type.ts';
import { classHistory, historyPrice } from '../../market/history-price.ts';
import { requireHistory, requireProduct } from '../../platform/require-terms.ts';
import { chart } from '../components/chart.ts';
import { operatorLine } from '../components/copyable.ts';
import { dataTable, hrefWith } from '../components/data-table.ts';
import { empty } from '../components/note.ts';
import { field, select } from '../components/field.ts';
import { figureCards, type Figure } from '../components/figure-card.ts';
import { numbersTable } from '../components/numbers-table.ts';
import { figure, percent, usd } from '../components/numbers.ts';
import { asked, daysAgo, filled } from '../frame/asked.ts';
import { html, type Content } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { tableOf, type Listing } from '../frame/listing.ts';
import { list, type PageRoute } from '../frame/route.ts';
import { hasProduct } from '../frame/tier-page.ts';
import type { Visit } from '../frame/visit.ts';
import { productOf, type MarketProduct } from './product-of.ts';
import { votesSection } from './product-votes.ts';

/** Days shown by default: the history that the smallest tier includes. */
const USUAL_DAYS = 29;
/** All days of the longest range in one page of the API. */
const WHOLE = { num_per_page: 100, page_num: 1 } as const;

interface History extends Listing<PriceRecord>, MarketProduct {
  from: string;
  to: string;
  priceType: number;
  country: string;
  sellers: ProviderSourceType | null;
  /** over all providers, in addition to those of one kind */
  ofAll: readonly PriceRecord[];
}

const priceUnit = (type: number): string => (isRetail(type) ? 'USD per card' : 'USD per GPU hour');

const prices = tableOf<PriceRecord>([
  {
    name: 'date',
    label: 'Day, UTC',
    value: (row) => row.date,
    cell: (row) => html`<time datetime="${row.date}">${row.date}</time>`,
  },
  { name: 'country', label: 'Country', value: (row) => row.country },
  { name: 'price_type', label: 'Term', value: (row) => row.price_type, cell: (row) => row.price_type_descriptioin },
  { name: 'price', label: 'Price, USD', value: (row) => row.price, cell: (row) => usd(row.price), isNumber: true },
  { name: 'p10', label: 'p10', value: (row) => row.p10, cell: (row) => usd(row.p10), isNumber: true },
  { name: 'median', label: 'Median', value: (row) => row.median, cell: (row) => usd(row.median), isNumber: true },
  { name: 'p90', label: 'p90', value: (row) => row.p90, cell: (row) => usd(row.p90), isNumber: true },
  { name: 'provider_count', label: 'Providers', value: (row) => row.provider_count, isNumber: true },
  { name: 'sample_size', label: 'Observations', value: (row) => row.sample_size, isNumber: true },
  { name: 'oldest_quote', label: 'Oldest quote', value: (row) => row.oldest_quote },
  { name: 'status', label: 'Standing', value: (row) => row.status },
]);

const sellersAsked = z.object({ provider_source_type: providerSourceType.optional() });

async function load(visit: Visit): Promise<History> {
  const { context, query } = visit;
  const { market, product } = await productOf(visit);
  const given = filled(query);
  const to = given['end_date'] ?? context.now().toISOString().slice(0, 10);
  const request = asked(historyPriceRequest, {
    product_id: product.product_id,
    start_date: given['start_date'] ?? daysAgo(new Date(Number.isNaN(Date.parse(to)) ? 0 : to), USUAL_DAYS),
    end_date: to,
    price_type: Number(given['price_type'] ?? 0),
    country: given['country'] ?? ALL_COUNTRIES,
    ...WHOLE,
  });
  requireHistory(context.actor, { field: 'start_date', day: request.start_date, now: context.now() });
  const sellers = asked(sellersAsked, given).provider_source_type ?? null;
  const { results: ofAll, total } = await historyPrice(market, request);
  // A price for one kind of provider may be the vote of a single provider.
  if (sellers !== null) requireProduct(context.actor, 'price-evidence', 'Prices by kind of provider');
  const rows = sellers === null ? ofAll : await classHistory(context, market, request, sellers);
  return {
    rows,
    total: sellers === null ? total : rows.length,
    page: 1,
    perPage: WHOLE.num_per_page,
    product,
    market,
    from: request.start_date,
    to: request.end_date,
    priceType: request.price_type,
    country: request.country,
    sellers,
    ofAll,
  };
}

async function show(visit: Visit, listing: Listing<PriceRecord>): Promise<Response> {
  const history = listing as History;
  const { product } = history;
  const facts = [
    `${product.manufacturer} ${product.chip}`,
    product.mem === null ? null : `${figure(product.mem)} GB`,
    product.bandwidth === null ? null : `${figure(product.bandwidth)} GB/s`,
    product.tdp === null ? null : `${figure(product.tdp)} W`,
    product.product_slug,
  ];
  return page(visit, {
    title: product.name,
    nav: 'market',
    crumbs: [{ href: '/market', label: 'Market' }],
    facts: facts.filter((fact) => fact !== null).join(' · '),
    actions: ['forward', 'predict', 'rent-or-buy'].map(
      (name) => html`<a class="btn" href="/market/${product.product_slug}/${name}">${labels[name]}</a> `,
    ),
    body: html`${figureCards(newest(history), 'Newest prices')}${filters(visit, history)}${priceChart(history)}
    ${dataTable(visit, {
      caption: `${priceTypeDescriptions[history.priceType as 0]}, ${history.country === ALL_COUNTRIES ? 'all countries' : history.country}, ${history.sellers === null ? 'all providers' : `kind of provider: ${history.sellers}`}, ${priceUnit(history.priceType)}, newest first`,
      table: prices,
      listing,
      shape: 'scroll',
      ifEmpty: empty(
        `No price of ${history.from} to ${history.to} with this term and place.`,
        html`Take
          <a
            href="${hrefWith(visit, { country: null, price_type: null, provider_source_type: null, start_date: null, end_date: null })}"
            >all countries on demand</a
          >, or other days. If there are none at all, the operator reads a source of prices; this lists them:`,
        operatorLine('ingest --list'),
      ),
    })}${await votesSection(visit, product.product_slug, visit.query.get('day') || history.rows[0]?.date)}`,
  });
}

const labels: Record<string, string> = {
  forward: 'Forward curve',
  predict: 'Predict a price',
  'rent-or-buy': 'Rent or buy',
};

/** The newest price of each of the main terms over all countries. */
function newest({ market, product }: History): Figure[] {
  return ([0, -1, 12, 100] as const).map((type) => {
    const price = market.worldwide.find((row) => row.product_id === product.product_id && row.price_type === type);
    const name = priceTypeDescriptions[type];
    if (price === undefined) return { name, value: null, unit: priceUnit(type), support: 'no price was observed' };
    return {
      name,
      value: usd(price.price),
      unit: priceUnit(type),
      support: html`${price.provider_count} providers, <time datetime="${price.day}">${price.day}</time>`,
    };
  });
}

function filters(visit: Visit, { product, from, to, country, priceType, sellers }: History): Content {
  return html`<form
    class="filters"
    method="get"
    action="/market/${product.product_slug}"
    role="search"
    aria-label="Which prices"
  >
    ${select({ name: 'price_type', label: 'Term', value: String(priceType), options: priceTypes.map((type) => ({ value: String(type), label: priceTypeDescriptions[type] })) })}
    ${field({ name: 'country', label: 'Country', value: country, maxlength: 2, hint: 'two letters; WW is all, ZZ not stated' })}
    ${hasProduct(visit.context.actor, 'price-evidence') ? select({ name: 'provider_source_type', label: 'Kind of provider', value: sellers ?? '', options: [{ value: '', label: 'all' }, ...providerSourceTypes.map((value) => ({ value, label: value }))] }) : null}
    ${field({ name: 'start_date', label: 'From', type: 'date', value: from })}${field({ name: 'end_date', label: 'To', type: 'date', value: to })}
    ${field({ name: 'day', label: 'Votes of the day', type: 'date', value: visit.query.get('day') })}
    <div class="acts"><button class="main">Show</button></div>
  </form>`;
}

function priceChart({ rows, ofAll, from, to, priceType, product, sellers }: History): Content {
  const [last, first] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined || first.country !== last.country) return null;
  const unit = priceUnit(priceType);
  const change = last.price / first.price - 1;
  const own = rows.map(({ date, price, p10, p90 }) => ({
    day: date,
    value: price,
    ...(p10 === null || p90 === null ? {} : { low: p10, high: p90 }),
  }));
  const lines = [
    { name: sellers ?? product.name, points: own },
    ...(sellers === null
      ? []
      : [{ name: 'all providers', points: ofAll.map(({ date, price }) => ({ day: date, value: price })) }]),
  ];
  const svg = (width: number): string => dayLines(lines, { unit, width, from, to });
  return chart({
    title: `${usd(last.price)} ${unit}${sellers === null ? '' : ` of ${sellers} providers`} on ${last.date}, ${percent(change)} since ${first.date}`,
    svg: { wide: svg(chartWidths.wide), narrow: svg(chartWidths.narrow) },
    caption: `Mean of the providers’ votes, one each; band: p10 to p90 of the votes. ${rows.length} days have a price; the others are left empty.`,
    table: priceNumbers(rows, sellers === null ? null : ofAll, unit),
  });
}

/** The numbers in the chart: for one kind of provider also days on which only other providers had a price. */
function priceNumbers(rows: readonly PriceRecord[], ofAll: readonly PriceRecord[] | null, unit: string): Content {
  const own = new Map(rows.map((row) => [row.date, row]));
  const all = new Map((ofAll ?? []).map((row) => [row.date, row]));
  const days = [...new Set([...own.keys(), ...all.keys()])].toSorted().toReversed();
  return numbersTable(
    `Price by day, ${unit}`,
    ['Day, UTC', 'Price', 'p10', 'p90', 'Providers', ...(ofAll === null ? [] : ['All providers', 'Their count'])],
    days.map((day) => {
      const [row, other] = [own.get(day), all.get(day)];
      const beside = [usd(other?.price ?? null), other?.provider_count ?? '–'];
      return [
        day,
        usd(row?.price ?? null),
        usd(row?.p10 ?? null),
        usd(row?.p90 ?? null),
        row?.provider_count ?? '–',
        ...(ofAll === null ? [] : beside),
      ];
    }),
  );
}

export const productPages: readonly PageRoute[] = list(
  '/market/:slug',
  { who: 'member' },
  { table: prices, load, show },
);
