import { ALL_COUNTRIES, type HistoryPriceRequest, type PriceRecord } from '../contract/market.ts';
import type { ProviderSourceType } from '../contract/price-type.ts';
import type { Context } from '../platform/context.ts';
import type { HotMarket } from './hot-market.ts';
import { priceRecordOf } from './price-record.ts';
import { selectClassPrices } from './queries/votes.ts';

/**
 * Prices of one product and term by one kind of provider, the newest day first: of the same votes that count in the price of
 * all of them. Empty for an unknown product; a day on which no such provider votes is missing.
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
