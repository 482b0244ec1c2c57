import {
  ALL_COUNTRIES,
  type CountryPriceRecord,
  type LatestPriceRequest,
  type PriceRecord,
} from '../contract/market.ts';
import { pageOf } from '../platform/page.ts';
import { hasKeyword } from './find-products.ts';
import type { HotMarket } from './hot-market.ts';
import { countryPriceRecordOf, priceRecordOf } from './price-record.ts';
import type { PriceRow, ProductRow } from './queries/prices.ts';

interface Results<T> {
  total: number;
  results: T[];
}

/** The newest price of each requested product, country and term, ordered by product, term and country. */
export const latestPrice = (market: HotMarket, request: LatestPriceRequest): Results<PriceRecord> =>
  recordsOf(market, request, priceRecordOf);

/** The same with the countries' names. */
export const countryLatestPrice = (market: HotMarket, request: LatestPriceRequest): Results<CountryPriceRecord> =>
  recordsOf(market, request, countryPriceRecordOf);

function recordsOf<T>(
  { products, latest, worldwide }: HotMarket,
  { keyword, product_id, country, price_type, ...page }: LatestPriceRequest,
  record: (product: ProductRow, row: PriceRow) => T,
): Results<T> {
  const wanted = new Set(
    [...products.values()]
      .filter(hasKeyword(keyword))
      .map((product) => product.product_id)
      .filter((id) => product_id === 0 || id === product_id),
  );
  const rows = (country === ALL_COUNTRIES ? worldwide : latest).filter(
    (row) =>
      wanted.has(row.product_id) &&
      (country === '' || country === ALL_COUNTRIES || row.country === country) &&
      (price_type === undefined || row.price_type === price_type),
  );
  const results = pageOf(rows, page).flatMap((row) => {
    const product = products.get(row.product_id);
    return product ? [record(product, row)] : [];
  });
  return { total: rows.length, results };
}
