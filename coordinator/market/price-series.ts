import { sellersOfIndex, type IndexVersion } from '../contract/gpu-index.ts';
import type { Queryable } from '../platform/db/client.ts';
import { chainIndex } from './pricing/chain-index.ts';
import { selectFiltered, type PriceRow } from './queries/prices.ts';
import { selectQuotes } from './queries/votes.ts';

export interface SeriesDay {
  day: string;
  /** null on a day without a price on which earlier quotes still hold */
  price: PriceRow | null;
  /** from prices on demand over all countries; a version without a value has too few providers on that day */
  index: Partial<Record<IndexVersion, number>>;
}

interface AskedSeries {
  productId: number;
  priceType: number;
  /** '' over all */
  country: string;
  first: string;
  last: string;
}

const ON_DEMAND = 0;
/** Ten years and three days. */
export const MOST_SERIES_DAYS = 3_655;

/** Daily prices and indices, the earliest day first; a day with neither is left out. */
export async function priceSeries(sql: Queryable, asked: AskedSeries): Promise<SeriesDay[]> {
  const { productId, priceType, country, first, last } = asked;
  const of = {
    productIds: [productId],
    priceTypes: [priceType],
    countries: [country],
    startDate: first,
    endDate: last,
  };
  const page = { limit: MOST_SERIES_DAYS, offset: 0, order: [['date', 'asc'] as ['date', 'asc']] };
  const { rows } = await selectFiltered(sql, { ...of, priceMin: null, priceMax: null }, page);
  const days = new Map(rows.map((price): [string, SeriesDay] => [price.day, { day: price.day, price, index: {} }]));
  if (priceType === ON_DEMAND && country === '')
    for (const version of Object.keys(sellersOfIndex) as IndexVersion[]) {
      const quotes = await selectQuotes(sql, { productId, sellers: sellersOfIndex[version] });
      for (const [day, { value }] of chainIndex(quotes, last)) {
        if (day < first) continue;
        const known = days.get(day) ?? { day, price: null, index: {} };
        known.index[version] = value;
        days.set(day, known);
      }
    }
  return [...days.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1));
}
