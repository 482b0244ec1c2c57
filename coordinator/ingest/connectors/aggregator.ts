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

/** From this day on the source states its prices per accelerator; before, for the machine of `gpu_count`. */
const PER_GPU_SINCE = '2026-02-19';
/**
 * Of this day it has rows in either unit, often both in one row: AWS' eight H100 are listed from 6.88 to 55.04. Without its
 * larger machines the day would be another market, so none of its rows votes.
 */
const IN_BOTH_UNITS = '2026-02-18';
/** Most by which highest / lowest price differs from the count, apart from the rounding to cents. */
const TOLERANCE = 0.02;
const HALF_A_CENT = 0.005;

/**
 * Prices on an aggregator's pages by provider, model and machine size. Another day from which they are per accelerator can
 * be stated with `--unit-changed-on`. A row whose unit is not known is doubted; one whose median is outside its own range is
 * refused.
 */
export const aggregator: Connector = {
  name: 'aggregator',
  title: 'Aggregator observations',
  kind: 'rental',
  url: null,
  rowsSayDay: true,
  unitAfterChange: 'its prices are per accelerator',
  read: (file) => {
    const perGpuSince = file.unitChangedOn?.[0] ?? PER_GPU_SINCE;
    return readCsv(file, format, { row: (row) => [aggregatorRow(row, perGpuSince)] });
  },
};

function aggregatorRow(row: CsvRow<Column>, perGpuSince: string): ReadRow {
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
  const day = row.cell('date').slice(0, 10);
  const isUnclear = day === IN_BOTH_UNITS || (gpuCount > 1 && isInBothUnits({ low, high, gpuCount }));
  const listing = {
    ...unsaid,
    label,
    said,
    formFactor: formFactorIn(label),
    provider: row.cell('provider'),
    region: region === '' || region === 'global' ? null : region,
    priceType,
    price: day < perGpuSince ? median / gpuCount : median,
    gpuCount,
    doubt: isUnclear ? ('unclear-unit' as const) : null,
    offer: offers === '' ? null : `median of ${offers} offers`,
    observedAt: utcTime(row.cell('fetched_at') || row.cell('date')),
  };
  return judgeListing(row, listing, row.cell('price_median_usd'), row.cell('date'));
}

/** The highest price is the lowest one times the count: one is of the machine, the other of one accelerator. */
const isInBothUnits = ({ low, high, gpuCount }: { low: number; high: number; gpuCount: number }): boolean =>
  Math.abs(high - low * gpuCount) <= TOLERANCE * high + HALF_A_CENT * (gpuCount + 1);
