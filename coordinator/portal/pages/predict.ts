import { cpuPlatforms, predictedTypes, predictRequest, type Prediction } from '../../contract/prediction.ts';
import { priceTypeDescriptions, providerSourceTypes } from '../../contract/price-type.ts';
import { hotModel } from '../../prediction/hot-model.ts';
import { predict } from '../../prediction/predict.ts';
import { exampleRows } from '../components/example-rows.ts';
import { dataTable } from '../components/data-table.ts';
import { empty } from '../components/note.ts';
import { field, select } from '../components/field.ts';
import { figureCards } from '../components/figure-card.ts';
import { usd } from '../components/numbers.ts';
import { asked, filled } from '../frame/asked.ts';
import { html, named, type Content } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { tableOf, wholeListing, type Listing } from '../frame/listing.ts';
import { list, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { listOrReason } from './list-or-reason.ts';
import { predictionChart } from './prediction-chart.ts';
import { productOf, underProduct } from './product-of.ts';

interface Quantile {
  name: string;
  price: number;
  /** number of providers whose prices of the product and its chip are behind it */
  providers: number;
  /** number of past predictions whose errors give this percentile; null for the prediction itself */
  residuals: number | null;
}

interface PredictionListing extends Listing<Quantile> {
  prediction: Prediction;
}

const quantiles = tableOf<Quantile>([
  { name: 'figure', label: 'Figure', value: (row) => row.name, cell: (row) => row.name.replaceAll('_', ' ') },
  {
    name: 'price_usd_per_gpu_hour',
    label: 'USD per GPU hour',
    value: (row) => row.price,
    cell: (row) => usd(row.price),
    isNumber: true,
  },
  { name: 'providers', label: 'Providers of product and chip, n', value: (row) => row.providers, isNumber: true },
  { name: 'residuals', label: 'Past predictions behind the spread, n', value: (row) => row.residuals, isNumber: true },
]);

const offers = tableOf<Prediction['comparable_offers'][number]>([
  { name: 'provider', label: 'Provider', value: (row) => row.provider, cell: (row) => named(row.provider) },
  { name: 'provider_source_type', label: 'Kind', value: (row) => row.provider_source_type },
  { name: 'date', label: 'Day, UTC', value: (row) => row.date },
  { name: 'country', label: 'Country', value: (row) => row.country },
  { name: 'gpu_count', label: 'GPUs', value: (row) => row.gpu_count, isNumber: true },
  {
    name: 'price',
    label: 'USD per GPU hour',
    value: (row) => row.price,
    cell: (row) => usd(row.price),
    isNumber: true,
  },
  { name: 'days', label: 'Days, n', value: (row) => row.days ?? null, isNumber: true },
]);

/** The country with the most prices, used unless another place is chosen. */
const USUAL_COUNTRY = 'US';

async function load(visit: Visit): Promise<PredictionListing> {
  const { market, product } = await productOf(visit);
  const { gpu_count, price_type, memory_gb, country, region, ...words } = filled(visit.query);
  const request = asked(predictRequest, {
    slug: product.product_slug,
    gpu_count: Number(gpu_count ?? 1),
    price_type: Number(price_type ?? 0),
    provider_source_type: words['provider_source_type'],
    ...(memory_gb === undefined ? {} : { memory_gb: Number(memory_gb) }),
    form_factor: words['form_factor'],
    cpu_platform: words['cpu_platform'],
    country: country ?? (region === undefined ? USUAL_COUNTRY : undefined),
    region,
  });
  const prediction = predict(market, await hotModel(visit.context)(), request);
  const { predicted_price, percentiles, sample_size: providers, residuals } = prediction;
  const rows = [
    { name: 'predicted_price', price: predicted_price, providers, residuals: null },
    ...Object.entries(percentiles).map(([name, price]) => ({ name, price, providers, residuals })),
  ];
  return { ...wholeListing(rows), prediction };
}

function filters({ query }: Visit, here: string): Content {
  return html`<form class="filters" method="get" action="${here}" aria-label="What to predict">
    ${select({ name: 'price_type', label: 'Term', value: query.get('price_type') ?? '0', options: predictedTypes.map((type) => ({ value: String(type), label: priceTypeDescriptions[type] })) })}
    ${select({ name: 'provider_source_type', label: 'Kind of provider', value: query.get('provider_source_type'), options: [{ value: '', label: 'as those who sell it' }, ...providerSourceTypes.map((value) => ({ value, label: value }))] })}
    ${field({ name: 'country', label: 'Country', value: query.get('country') ?? (query.get('region') ? '' : USUAL_COUNTRY), maxlength: 2, hint: 'two letters; this or a region' })}
    ${field({ name: 'region', label: 'Region', value: query.get('region'), maxlength: 20, hint: 'a continent, as EU' })}
    ${field({ name: 'gpu_count', label: 'GPUs of the machine', type: 'number', min: 1, value: query.get('gpu_count') ?? '1' })}
    ${field({ name: 'memory_gb', label: 'Memory of a GPU, GB', type: 'number', step: 'any', min: 0, value: query.get('memory_gb'), hint: 'empty: as the product' })}
    ${field({ name: 'form_factor', label: 'Form', value: query.get('form_factor'), maxlength: 20, hint: 'SXM, PCIe, NVL, OAM; empty: as the product' })}
    ${select({ name: 'cpu_platform', label: 'Processor of the machine', value: query.get('cpu_platform'), options: [{ value: '', label: 'any; no source says it' }, ...cpuPlatforms.map((value) => ({ value, label: value }))] })}
    <div class="acts"><button class="main">Predict</button></div>
  </form>`;
}

async function show(visit: Visit, found: PredictionListing | null, reason: Content): Promise<Response> {
  const { product } = await productOf(visit);
  const here = `/market/${product.product_slug}`;
  return page(visit, {
    title: `Predicted price of ${product.name}`,
    ...underProduct(product),
    facts:
      found === null
        ? 'no prediction'
        : `as of ${found.prediction.as_of}, model ${found.prediction.model_version}, ${found.prediction.sample_size} providers`,
    body: html`${filters(visit, `${here}/predict`)}${reason}${found === null ? null : answer(visit, found)}`,
  });
}

const share = (value: number | null): string => (value === null ? 'not known' : `${(value * 100).toFixed(1)} %`);

function answer(visit: Visit, listing: PredictionListing): Content {
  const { prediction } = listing;
  const { percentiles, backtest } = prediction;
  const card = {
    name: 'Predicted price',
    value: usd(prediction.predicted_price),
    unit: 'USD per GPU hour',
    support: `p10 to p90: ${usd(percentiles.p10)} to ${usd(percentiles.p90)}; n ${prediction.sample_size} providers`,
  };
  return html`${figureCards([card], 'Prediction')}${predictionChart(prediction)}
    ${dataTable(visit, { caption: 'How prices spread about it', table: quantiles, listing, shape: 'scroll', ifEmpty: null })}
    <section>
      <h2>Offers to compare</h2>
      ${dataTable(visit, { caption: 'The nearest offers, medians of the month up to their day', table: offers, listing: wholeListing(prediction.comparable_offers), shape: 'scroll', files: `${visit.path}/offers?${visit.query.toString()}`, ifEmpty: noOffers })}
    </section>
    <section>
      <h2>How far to trust it</h2>
      <p>
        With each provider left out in turn, the price was wrong by ${share(backtest.mape)} on average, and
        ${share(backtest.coverage_80)} of prices lay within their 80 % interval; n ${backtest.votes} prices. The
        interval is ${prediction.interval_basis}.
      </p>
      ${prediction.notes.map((words) => html`<p>${words}</p>`)}
    </section>`;
}

const needs = {
  who: 'member',
  product: 'price-iq',
} as const;

const noOffers: Content = empty(
  'There is no offer of this product and term.',
  'Choose another term above, such as on demand.',
);

/** The comparable offers of the same query as a separate list, for its files. */
async function loadOffers(visit: Visit): Promise<Listing<Prediction['comparable_offers'][number]>> {
  const { prediction } = await load(visit);
  return wholeListing(prediction.comparable_offers);
}

const offerPages = list(
  '/market/:slug/predict/offers',
  {
    ...needs,
    holds: 'The offers nearest to what a GPU should cost',
    example: exampleRows(offers, [
      {
        provider: 'Example Cloud A',
        provider_source_type: 'Neocloud',
        date: '2000-01-01',
        country: 'ZZ',
        gpu_count: 8,
        price: 1,
      },
      {
        provider: 'Example Cloud B',
        provider_source_type: 'Hyperscaler',
        date: '2000-01-01',
        country: 'ZZ',
        gpu_count: 1,
        price: 2,
      },
    ]),
  },
  {
    table: offers,
    load: loadOffers,
    show: async (visit, listing) => {
      const { product } = await productOf(visit);
      return page(visit, {
        title: `Offers near the predicted price of ${product.name}`,
        ...underProduct(product),
        facts: 'medians of the month up to their day',
        body: dataTable(visit, {
          caption: 'The nearest offers',
          table: offers,
          listing,
          shape: 'scroll',
          ifEmpty: noOffers,
        }),
      });
    },
  },
);

export const predictPages: readonly PageRoute[] = [
  ...offerPages,
  ...listOrReason(
    '/market/:slug/predict',
    {
      ...needs,
      holds: 'What a GPU should cost by the hour at a place, with its percentiles,',
      example: exampleRows(quantiles, [
        { name: 'predicted_price', price: 1, providers: 9, residuals: null },
        { name: 'p90', price: 1.2, providers: 9, residuals: 54 },
      ]),
    },
    { table: quantiles, load, show },
  ),
];
