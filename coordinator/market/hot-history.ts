import type { Platform } from '../platform/context.ts';
import { shortCache } from '../platform/short-cache.ts';
import { selectYear, type PriceKey } from './queries/prices.ts';

/** Prices of one product and term in a year, column by column: the newest day first, then by country, without those over all. */
export interface PriceYear {
  days: readonly string[];
  countries: readonly string[];
  prices: Float64Array;
  providerCounts: Int32Array;
  sampleSizes: Int32Array;
}

/** At 32 bytes a row and 40 countries on every day a year has 0.5 MB; most have a tenth of that. */
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
    const same = shared();
    return {
      days: rows.map(({ day }) => same(day)),
      countries: rows.map(({ country }) => same(country)),
      prices: Float64Array.from(rows, ({ price }) => price),
      providerCounts: Int32Array.from(rows, ({ provider_count }) => provider_count),
      sampleSizes: Int32Array.from(rows, ({ sample_size }) => sample_size),
    };
  });
  return (version, { productId, priceType, year }) => years([version, productId, priceType, year].join('/'));
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
