import type { HistoryPriceRequest, PriceRecord } from '../contract/market.ts';
import type { Context } from '../platform/context.ts';
import { pageBounds } from '../platform/page.ts';
import type { HotMarket } from './hot-market.ts';
import { priceRecordOf } from './price-record.ts';
import { selectHistory } from './queries/prices.ts';

/** Prices of one product and term, the newest day first. Days without observations are missing; an unknown product has none. */
export async function historyPrice(
  { sql }: Context,
  { products }: HotMarket,
  request: HistoryPriceRequest,
): Promise<{ total: number; results: PriceRecord[] }> {
  const product = products.get(request.product_id);
  if (!product) return { total: 0, results: [] };
  const { total, rows } = await selectHistory(
    sql,
    {
      productId: request.product_id,
      priceType: request.price_type,
      startDate: request.start_date,
      endDate: request.end_date,
      country: request.country,
    },
    pageBounds(request),
  );
  return { total, results: rows.map((row) => priceRecordOf(product, row)) };
}
