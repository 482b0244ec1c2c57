import type { Connector, SourceFile } from '../connector.ts';
import { judgeListing, refuse } from '../judge-listing.ts';
import type { Listing, ReadRow, Refusal } from '../listing.ts';
import { amountIn, rememberingUtcTime } from '../reading/cell-values.ts';
import { oneByOne, readCsvBatches, type CsvFormat } from '../reading/read-csv.ts';
import type { CsvRow } from '../reading/csv-row.ts';
import { machineNamed } from './machine-families.ts';
import { termNamed } from './price-terms.ts';

type Column =
  | ('date' | 'provider' | 'gpu_model' | 'gpu_count' | 'collected_at' | 'sku' | 'region' | 'country' | 'currency')
  | ('pricing' | 'price_type' | 'usd_per_hour' | 'usd_per_gpu_hour' | 'cluster_size' | 'memory_gb' | 'form_factor');

const format: CsvFormat<Column> = {
  required: ['date', 'provider', 'gpu_model', 'gpu_count'],
  anyOf: [
    ['usd_per_gpu_hour', 'usd_per_hour'],
    ['pricing', 'price_type'],
  ],
  optional: ['collected_at', 'sku', 'region', 'country', 'currency', 'cluster_size', 'memory_gb', 'form_factor'],
  looks: { date: 'date', gpu_count: 'count', usd_per_gpu_hour: 'number', usd_per_hour: 'number' },
  varying: ['date', 'collected_at', 'usd_per_gpu_hour', 'usd_per_hour'],
};

/**
 * Our own import format, the columns of the public `gpu-price-index` plus some of ours. `date` YYYY-MM-DD; `collected_at` a
 * time of that day; `pricing` on_demand, spot, reserved_1m (3m, 6m, 1y, 2y, 3y) or `price_type` -1, 0, 1, 3, 6, 12, 24,
 * 36; `usd_per_gpu_hour`, else `usd_per_hour` for the machine with its `gpu_count`; `country` ISO alpha-2; `currency` ISO
 * 4217 of both prices, USD if empty; `cluster_size` machines rented together; `memory_gb` of one accelerator. If both prices
 * are given they must agree to 1 %, which exposes swapped columns.
 */
export const observations: Connector = {
  name: 'observations',
  title: 'Observations as CSV (own format)',
  kind: 'rental',
  url: null,
  rowsSayDay: true,
  read: (file) => oneByOne(readMany(file)),
  readMany,
};

/** What a row says apart from price and time, or why it is refused. */
type Words = Listing | { refused: Refusal; detail: string };

function readMany(file: SourceFile): AsyncIterable<readonly ReadRow[]> {
  const timeOf = rememberingUtcTime();
  return readCsvBatches(file, format, { row: (row) => [observation(row, row.once(wordsIn), timeOf)] });
}

/** Runs 50 million times for a full import: nothing that earlier rows already said is parsed or looked up again. */
function observation(row: CsvRow<Column>, words: Words, timeOf: (text: string) => Date): ReadRow {
  if ('refused' in words) return refuse(row, words.refused, words.detail);
  const ofMachine = amountIn(row.cell('usd_per_hour'));
  const said = row.cell('usd_per_gpu_hour');
  const price = amountIn(said) ?? (ofMachine === null ? null : ofMachine / words.gpuCount);
  if (price === null) return refuse(row, 'no-price', words.label);
  if (ofMachine !== null && !agree(price, ofMachine / words.gpuCount)) {
    return refuse(row, 'bad-price', `${price} for one of ${words.gpuCount} accelerators that cost ${ofMachine}`);
  }
  const date = row.cell('date');
  const collected = row.cell('collected_at');
  const observedAt = timeOf(collected.startsWith(date) && collected !== '' ? collected : date);
  return judgeListing(row, { ...words, price, observedAt }, said || undefined, date);
}

const NO_TIME = new Date(NaN);

function wordsIn(row: CsvRow<Column>): Words {
  const terms = row.cell('price_type') || row.cell('pricing');
  const priceType = termNamed(terms);
  if (priceType === undefined) return { refused: 'other-terms', detail: terms };
  const sku = row.cell('sku');
  const form = row.cell('form_factor');
  const machine = machineNamed(sku);
  return {
    label: row.cell('gpu_model'),
    memoryGb: amountIn(row.cell('memory_gb')),
    formFactor: form || (machine?.formFactor ?? null),
    isByMachine: form === '' && machine !== null,
    provider: row.cell('provider'),
    region: row.cell('region') || null,
    country: row.cell('country').toUpperCase() || null,
    priceType,
    price: NaN,
    currency: row.cell('currency').toUpperCase() || 'USD',
    gpuCount: amountIn(row.cell('gpu_count')) ?? NaN,
    clusterSize: amountIn(row.cell('cluster_size')) ?? 1,
    offer: sku || null,
    observedAt: NO_TIME,
    words: { found: null },
  };
}

/** Published prices are rounded to four decimals. A row with an unknown count is refused elsewhere, not here. */
const agree = (a: number, b: number): boolean =>
  Number.isNaN(a) || Number.isNaN(b) || Math.abs(a - b) <= Math.max(0.0001, 0.01 * Math.abs(b));
