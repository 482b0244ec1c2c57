import { ALL_COUNTRIES, type HistoryPriceRequest, type PriceRecord } from '../contract/market.ts';
import { pageBounds } from '../platform/page.ts';
import { quarterOf, type HotMarket } from './hot-market.ts';
import { priceRecordOf } from './price-record.ts';
import type { ProviderSourceType } from '../contract/price-type.ts';
import type { Context } from '../platform/context.ts';
import { selectClassPrices } from './queries/votes.ts';

/** Prices of one product and term, the newest day first. Days without observations are missing; an unknown product has none. */
export async function historyPrice(
  { products, pricesOfQuarter }: HotMarket,
  { product_id, price_type, start_date, end_date, country, ...page }: HistoryPriceRequest,
): Promise<{ total: number; results: PriceRecord[] }> {
  const product = products.get(product_id);
  if (!product) return { total: 0, results: [] };
  const { limit, offset } = pageBounds(page);
  const results: PriceRecord[] = [];
  let total = 0;
  const isWanted = (of: string): boolean =>
    country === '' ? of !== '' : of === (country === ALL_COUNTRIES ? '' : country);
  const first = quarterOf(start_date);
  const quarters = Array.from({ length: quarterOf(end_date) - first + 1 }, (_, at) => first + at).toReversed();
  const read = await Promise.all(
    quarters.map((quarter) => pricesOfQuarter({ productId: product_id, priceType: price_type, quarter })),
  );
  for (const prices of read)
    for (let at = 0; at < prices.length; at += 1) {
      const day = prices.dayOf(at);
      if (day > end_date || day < start_date || !isWanted(prices.countryOf(at))) continue;
      total += 1;
      if (total <= offset || total > offset + limit) continue;
      results.push(priceRecordOf(product, prices.rowOf(at)));
    }
  return { total, results };
}

/**
 * Prices of one product and term by one kind of provider, the newest day first, from the same counted votes as the
 * price over all providers. Empty for an unknown product; a day on which no such provider votes is missing.
 */
export async function classHistory(
  { sql }: Pick<Context, 'sql'>,
  { products }: HotMarket,
  {
    product_id,
    price_type,
    start_date,
    end_date,
    country,
  }: Pick<HistoryPriceRequest, 'product_id' | 'price_type' | 'start_date' | 'end_date' | 'country'>,
  sellers: ProviderSourceType,
): Promise<PriceRecord[]> {
  const product = products.get(product_id);
  if (!product) return [];
  const rows = await selectClassPrices(sql, {
    productId: product_id,
    priceType: price_type,
    country: country === ALL_COUNTRIES ? '' : country,
    first: start_date,
    last: end_date,
    sellers,
  });
  return rows.map((row) => priceRecordOf(product, row));
}
