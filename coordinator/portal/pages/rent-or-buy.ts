import { monthLines } from '../../charts/month-lines.ts';
import { chartWidths } from '../../charts/svg-parts.ts';
import { rentOrBuyRequest, type RentOrBuy } from '../../contract/prediction.ts';
import { providerSourceTypes } from '../../contract/price-type.ts';
import { hotModel } from '../../prediction/hot-model.ts';
import { rentOrBuy } from '../../prediction/rent-or-buy.ts';
import { chart } from '../components/chart.ts';
import { exampleRows } from '../components/example-rows.ts';
import { dataTable } from '../components/data-table.ts';
import { field, select } from '../components/field.ts';
import { figureCards } from '../components/figure-card.ts';
import { numbersTable } from '../components/numbers-table.ts';
import { digits, figure, usd } from '../components/numbers.ts';
import { asked, filled } from '../frame/asked.ts';
import { html, type Content } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { tableOf, wholeListing, type Listing } from '../frame/listing.ts';
import type { PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { listOrReason } from './list-or-reason.ts';
import { productOf, underProduct } from './product-of.ts';

type Month = RentOrBuy['months'][number];

interface MonthListing extends Listing<Month> {
  answer: RentOrBuy;
}

const money = (name: 'rent_rate' | 'rent' | 'buy', label: string) => ({
  name,
  label,
  value: (row: Month) => row[name],
  cell: (row: Month) => usd(row[name]),
  isNumber: true,
});

const months = tableOf<Month>([
  { name: 'month', label: 'Month', value: (row) => row.month },
  money('rent_rate', 'Rent, USD per GPU hour'),
  money('rent', 'Renting, USD in all so far'),
  money('buy', 'Buying, USD in all so far, less resale'),
]);

/** Initial values of the form; readers enter their own. */
const USUAL = { country: 'US', utilisation: '0.7', horizon_months: '36', electricity_price: '0.12' } as const;

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

async function load(visit: Visit): Promise<MonthListing> {
  const { market, product } = await productOf(visit);
  const given = filled(visit.query);
  const request = asked(rentOrBuyRequest, {
    gpu: product.product_slug,
    utilisation: Number(given['utilisation'] ?? USUAL.utilisation),
    horizon_months: Number(given['horizon_months'] ?? USUAL.horizon_months),
    electricity_price: Number(given['electricity_price'] ?? USUAL.electricity_price),
    retail_price: numberOf(given['retail_price']),
    power_watts: numberOf(given['power_watts']),
    provider_source_type: given['provider_source_type'],
    country: given['country'] ?? (given['region'] === undefined ? USUAL.country : undefined),
    region: given['region'],
  });
  const answer = await rentOrBuy(visit.context, { market, model: await hotModel(visit.context)() }, request);
  return { ...wholeListing(answer.months), answer };
}

function filters({ query }: Visit, here: string): Content {
  const number = (name: string, label: string, hint: string, usual: string | null = null) =>
    field({ name, label, type: 'number', step: 'any', min: 0, value: query.get(name) ?? usual, hint });
  return html`<form class="filters" method="get" action="${here}" aria-label="What to compare">
    ${number('utilisation', 'Hours at work', 'share, 0 to 1', USUAL.utilisation)}
    ${number('horizon_months', 'Months', '1 to 36', USUAL.horizon_months)}
    ${number('electricity_price', 'Electricity', 'USD per kWh', USUAL.electricity_price)}
    ${number('retail_price', 'Price of the card', 'USD; empty: as observed')}
    ${number('power_watts', 'Power', 'W; empty: its TDP')}
    ${field({ name: 'country', label: 'Country', value: query.get('country') ?? (query.get('region') ? '' : USUAL.country), maxlength: 2, hint: 'two letters; this or a region' })}
    ${field({ name: 'region', label: 'Region', value: query.get('region'), maxlength: 20, hint: 'a continent, as EU' })}
    ${select({ name: 'provider_source_type', label: 'Kind of provider', value: query.get('provider_source_type'), options: [{ value: '', label: 'the one with the most providers' }, ...providerSourceTypes.map((value) => ({ value, label: value }))] })}
    <div class="acts"><button class="main">Compare</button></div>
  </form>`;
}

async function show(visit: Visit, found: MonthListing | null, reason: Content): Promise<Response> {
  const { product } = await productOf(visit);
  const here = `/market/${product.product_slug}`;
  return page(visit, {
    title: `Rent or buy ${product.name}`,
    ...underProduct(product),
    facts: 'one GPU, USD, renting along the forward curve beside buying',
    body: html`${filters(visit, `${here}/rent-or-buy`)}${reason}${found === null ? null : answered(visit, found)}`,
  });
}

const monthWords = (month: number | null): string => (month === null ? 'not within the horizon' : digits(month));

function answered(visit: Visit, listing: MonthListing): Content {
  const { answer } = listing;
  const { break_even_month: month, break_even_interval: interval } = answer;
  const card = {
    name: 'Buying costs less after',
    value: month === null ? null : digits(month),
    unit: 'months',
    support: html`${month === null ? 'Not within the horizon. ' : null}With rent at p90: ${monthWords(interval.early)};
    at p10: ${monthWords(interval.late)}`,
  };
  return html`${figureCards([card], 'Answer')}${costs(listing)}
    ${dataTable(visit, { caption: 'Money by month', table: months, listing, shape: 'scroll', ifEmpty: null })}
    <section>
      <h2>What went into it</h2>
      <dl class="facts">
        ${Object.entries(answer.inputs).map(
          ([name, { value, unit, source }]) =>
            html`<dt>${name.replaceAll('_', ' ')}</dt>
              <dd>${figure(value)} ${unit} · ${source}</dd>`,
        )}
      </dl>
      <ul>
        ${answer.assumptions.map((words) => html`<li>${words}</li>`)}
      </ul>
    </section>`;
}

function costs({ rows, answer }: MonthListing): Content {
  const last = rows.at(-1);
  if (last === undefined) return null;
  const { break_even_month: month, break_even_interval: interval } = answer;
  const line = (name: string, of: (row: Month) => number) => ({
    name,
    points: rows.map((row) => ({ month: row.month, value: of(row) })),
  });
  const mark =
    month === null
      ? null
      : {
          month,
          words: `even after ${digits(month)} months`,
          from: interval.early ?? month,
          to: interval.late ?? last.month,
        };
  const svg = (width: number): string =>
    monthLines([line('renting', ({ rent }) => rent), line('buying', ({ buy }) => buy)], {
      unit: 'USD in all so far, one GPU',
      width,
      mark,
    });
  const less = last.rent < last.buy ? 'renting' : 'buying';
  return chart({
    title: `After ${last.month} months ${less} has cost less: ${usd(Math.min(last.rent, last.buy))} beside ${usd(Math.max(last.rent, last.buy))} USD`,
    svg: { wide: svg(chartWidths.wide), narrow: svg(chartWidths.narrow) },
    caption:
      'Buying is less what the card would bring if it were sold in that month. The band is where both are even with rents from p10 to p90.',
    table: numbersTable(
      'Money by month, USD in all so far',
      ['Month', 'Renting', 'Buying'],
      rows.map((row) => [row.month, usd(row.rent), usd(row.buy)]),
    ),
  });
}

export const rentOrBuyPages: readonly PageRoute[] = listOrReason(
  '/market/:slug/rent-or-buy',
  {
    who: 'member',
    product: 'price-iq',
    holds: 'From which month on buying a GPU costs less than renting it',
    example: exampleRows(months, [
      { month: 1, rent_rate: 1, rent: 500, buy: 10_000 },
      { month: 24, rent_rate: 0.8, rent: 11_000, buy: 9000 },
    ]),
  },
  { table: months, load, show },
);
