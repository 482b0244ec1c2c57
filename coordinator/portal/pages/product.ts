import { dayLines } from '../../charts/day-lines.ts';
import { chartWidths } from '../../charts/svg-parts.ts';
import { ALL_COUNTRIES, historyPriceRequest, type PriceRecord } from '../../contract/market.ts';
import {
  isRetail,
  priceTypeDescriptions,
  priceTypes,
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
import { figure, percent, usd } from '../components/numbers.ts';
import { asked, daysAgo, filled } from '../frame/asked.ts';
import { html, type Content } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import type { Listing } from '../frame/listing.ts';
import { list, type PageRoute } from '../frame/route.ts';
import { hasProduct } from '../frame/tier-page.ts';
import type { Visit } from '../frame/visit.ts';
import { productOf, sellersAsked, type MarketProduct } from './product-of.ts';
import { priceDays, priceNumbers, pricesOf, type PriceDay } from './product-prices.ts';
import { votesSection } from './product-votes.ts';

/** Days shown by default: the history that the smallest tier includes. */
const USUAL_DAYS = 29;
/** All days of the longest range in one page of the API. */
const WHOLE = { num_per_page: 100, page_num: 1 } as const;

interface History extends Listing<PriceDay>, MarketProduct {
  from: string;
  to: string;
  priceType: number;
  country: string;
  sellers: ProviderSourceType | null;
}

const priceUnit = (type: number): string => (isRetail(type) ? 'USD per card' : 'USD per GPU hour');

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
  const own = sellers === null ? ofAll : await classHistory(context, market, request, sellers);
  const rows = own.length === 0 ? [] : priceDays(own, ofAll);
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
  };
}

async function show(visit: Visit, listing: Listing<PriceDay>): Promise<Response> {
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
      table: pricesOf(history.sellers !== null),
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
    })}${await votesSection(visit, product.product_slug, visit.query.get('day') || ownPrices(history)[0]?.date)}`,
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
      support: html`${price.provider_count} ${price.provider_count === 1 ? 'provider' : 'providers'},
        <time datetime="${price.day}">${price.day}</time>`,
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

/** Prices for the chosen kind of provider, or for all. */
const ownPrices = ({ rows }: History): PriceRecord[] => rows.flatMap(({ own }) => own ?? []);

function priceChart(history: History): Content {
  const { rows, from, to, priceType, product, sellers } = history;
  const own = ownPrices(history);
  const [last, first] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined || first.country !== last.country) return null;
  const unit = priceUnit(priceType);
  const points = own.map(({ date, price, p10, p90 }) => ({
    day: date,
    value: price,
    ...(p10 === null || p90 === null ? {} : { low: p10, high: p90 }),
  }));
  const lines = [
    { name: sellers ?? product.name, points },
    ...(sellers === null
      ? []
      : [
          {
            name: 'all providers',
            points: rows.flatMap(({ all }) => (all === null ? [] : { day: all.date, value: all.price })),
          },
        ]),
  ];
  const svg = (width: number): string => dayLines(lines, { unit, width, from, to });
  return chart({
    title: `${usd(last.price)} ${unit}${sellers === null ? '' : ` of ${sellers} providers`} on ${last.date}, n ${last.provider_count}${first.date === last.date ? '' : `, ${percent(last.price / first.price - 1)} since ${first.date}`}`,
    svg: { wide: svg(chartWidths.wide), narrow: svg(chartWidths.narrow) },
    caption: `Mean of the providers’ votes, one each; band: p10 to p90 of the votes. ${own.length === 1 ? '1 day has a price' : `${own.length} days have a price`}; the others are left empty.`,
    table: priceNumbers(rows, sellers !== null, unit),
  });
}

export const productPages: readonly PageRoute[] = list(
  '/market/:slug',
  { who: 'member' },
  { table: pricesOf(false), load, show },
);
