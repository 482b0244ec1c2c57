import type { Platform } from '../platform/context.ts';
import { shortCache } from '../platform/short-cache.ts';
import { selectYear, type PriceKey, type PriceRow } from './queries/prices.ts';

/** Prices of one product and term in a year: the newest day first, then by country, '' over all. */
export interface PriceYear {
  length: number;
  /** YYYY-MM-DD of a row */
  dayOf: (at: number) => string;
  countryOf: (at: number) => string;
  rowOf: (at: number) => PriceRow;
}

/** At 72 bytes a row and 40 countries on every day a year has 1 MB; most have a tenth of that. */
const MOST_YEARS = 512;
const LIFETIME_MS = 24 * 3_600_000;

/** Years of prices as they are at a version of the market; those that were asked for last are in memory. */
export function hotHistory({
  sql,
  now,
}: Pick<Platform, 'sql' | 'now'>): (version: string, key: PriceKey & { year: number }) => Promise<PriceYear> {
  const years = shortCache({ lifetimeMs: LIFETIME_MS, maxEntries: MOST_YEARS, now }, async (name) => {
    const [productId = 0, priceType = 0, year = 0] = name.split('/').slice(1).map(Number);
    const rows = await selectYear(sql, { productId, priceType, year });
    return yearOf(rows, { product_id: productId, price_type: priceType });
  });
  return (version, { productId, priceType, year }) => years([version, productId, priceType, year].join('/'));
}

/** Column by column: the objects that rows come as would take four times the room. */
function yearOf(rows: readonly PriceRow[], of: Pick<PriceRow, 'product_id' | 'price_type'>): PriceYear {
  const same = shared();
  const texts = (pick: (row: PriceRow) => string | null): (string | null)[] =>
    rows.map((row) => {
      const text = pick(row);
      return text === null ? null : same(text);
    });
  const numbers = (pick: (row: PriceRow) => number | null): Float64Array =>
    Float64Array.from(rows, (row) => pick(row) ?? Number.NaN);
  const known = (value: number | undefined): number | null =>
    value === undefined || Number.isNaN(value) ? null : value;
  const [days, countries] = [texts(({ day }) => day), texts(({ country }) => country)];
  const [quotes, statuses] = [texts(({ oldest_quote }) => oldest_quote), texts(({ status }) => status)];
  const prices = numbers(({ price }) => price);
  const medians = numbers(({ price_median }) => price_median);
  const [tenths, nineTenths] = [numbers(({ p10 }) => p10), numbers(({ p90 }) => p90)];
  const providers = Int32Array.from(rows, ({ provider_count }) => provider_count);
  const samples = Int32Array.from(rows, ({ sample_size }) => sample_size);
  return {
    length: rows.length,
    dayOf: (at) => days[at] ?? '',
    countryOf: (at) => countries[at] ?? '',
    rowOf: (at) => ({
      ...of,
      day: days[at] ?? '',
      country: countries[at] ?? '',
      price: prices[at] ?? Number.NaN,
      price_median: medians[at] ?? Number.NaN,
      p10: known(tenths[at]),
      p90: known(nineTenths[at]),
      provider_count: providers[at] ?? 0,
      sample_size: samples[at] ?? 0,
      oldest_quote: quotes[at] ?? null,
      status: (statuses[at] ?? null) as PriceRow['status'],
    }),
  };
}

/** Equal texts as one: a year has 365 days and some countries, on many rows. */
function shared(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text);
    if (found === undefined) known.set(text, text);
    return found ?? text;
  };
}
