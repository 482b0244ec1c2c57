import type { Connector } from '../connector.ts';
import { judgeListing, refuse, unsaid } from '../judge-listing.ts';
import type { ReadRow } from '../listing.ts';
import { amountIn, utcTime } from '../reading/cell-values.ts';
import { type CsvFormat, readCsv } from '../reading/read-csv.ts';
import type { CsvRow } from '../reading/csv-row.ts';
import { formFactorIn } from './form-factor-in.ts';
import { termNamed } from './price-terms.ts';

type Column =
  | ('date' | 'provider' | 'gpu_model' | 'gpu_count' | 'rental_type' | 'region' | 'fetched_at')
  | ('price_min_usd' | 'price_median_usd' | 'price_max_usd' | 'n_offers');

const format: CsvFormat<Column> = {
  required: ['date', 'provider', 'gpu_model', 'gpu_count', 'rental_type', 'price_median_usd'],
  optional: ['region', 'fetched_at', 'price_min_usd', 'price_max_usd', 'n_offers'],
  looks: { date: 'date', gpu_count: 'count', price_median_usd: 'number' },
};

/**
 * Prices on an aggregator's pages by provider, model and machine size. They are for the machine of `gpu_count`: AWS is listed
 * at 55.04 for 8 H100, which is its p5.48xlarge. A row whose median is outside its own range is refused.
 */
export const aggregator: Connector = {
  name: 'aggregator',
  title: 'Aggregator observations',
  kind: 'rental',
  url: null,
  rowsSayDay: true,
  read: (file) => readCsv(file, format, { row: (row) => [aggregatorRow(row)] }),
};

function aggregatorRow(row: CsvRow<Column>): ReadRow {
  const priceType = termNamed(row.cell('rental_type'));
  if (priceType === undefined) return refuse(row, 'other-terms', row.cell('rental_type'));
  const median = amountIn(row.cell('price_median_usd'));
  const said = row.cell('gpu_model');
  const label = said.replaceAll('_', ' ');
  if (median === null) return refuse(row, 'no-price', label);
  const [low, high] = [amountIn(row.cell('price_min_usd')) ?? median, amountIn(row.cell('price_max_usd')) ?? median];
  if (median < low || median > high) return refuse(row, 'bad-price', `median ${median} outside ${low} to ${high}`);
  const gpuCount = amountIn(row.cell('gpu_count')) ?? NaN;
  const region = row.cell('region');
  const offers = row.cell('n_offers');
  const listing = {
    ...unsaid,
    label,
    said,
    formFactor: formFactorIn(label),
    provider: row.cell('provider'),
    region: region === '' || region === 'global' ? null : region,
    priceType,
    price: median / gpuCount,
    gpuCount,
    offer: offers === '' ? null : `median of ${offers} offers`,
    observedAt: utcTime(row.cell('fetched_at') || row.cell('date')),
  };
  return judgeListing(row, listing, row.cell('price_median_usd'), row.cell('date'));
}
