import type { CountryPriceRecord, FilterPriceRequest } from '../contract/market.ts';
import type { Context } from '../platform/context.ts';
import { pageBounds, pageOf } from '../platform/page.ts';
import type { HotMarket } from './hot-market.ts';
import { readFilter, type PriceFilter } from './price-filter.ts';
import { countryPriceRecordOf } from './price-record.ts';
import { selectFiltered, type PriceOrder, type PriceRow, type ProductRow } from './queries/prices.ts';

const NEWEST_FIRST: PriceOrder = [['date', 'desc']];
/** Bounds before and after every day that can have a price. */
const EVER = { startDate: '0001-01-01', endDate: '9999-12-31' };

/**
 * Prices that pass the filter, the newest first unless `order_by` says otherwise. Without a day in the filter: the
 * newest price of each product, term and country.
 */
export async function filterPrice(
  { sql }: Context,
  { products, latest, worldwide }: HotMarket,
  { filter: asked, order_by, paginate }: FilterPriceRequest,
): Promise<{ total: number; results: CountryPriceRecord[] }> {
  const filter = readFilter(asked, products.values());
  const order = [...order_by.flatMap((entry) => Object.entries(entry) as PriceOrder), ...NEWEST_FIRST];
  const { startDate, endDate } = filter;
  const newest = [...latest, ...(filter.countries?.includes('') ? worldwide : [])].filter(passes(filter));
  const found =
    startDate === null && endDate === null
      ? { total: newest.length, rows: pageOf(sorted(newest, order, products), paginate) }
      : await selectFiltered(
          sql,
          { ...filter, startDate: startDate ?? EVER.startDate, endDate: endDate ?? EVER.endDate },
          { ...pageBounds(paginate), order },
        );
  return {
    total: found.total,
    results: found.rows.flatMap((row) => {
      const product = products.get(row.product_id);
      return product ? [countryPriceRecordOf(product, row)] : [];
    }),
  };
}

const passes =
  ({ productIds, priceTypes, countries, priceMin, priceMax }: PriceFilter) =>
  (row: PriceRow): boolean =>
    (productIds?.includes(row.product_id) ?? true) &&
    (priceTypes?.includes(row.price_type) ?? true) &&
    (countries?.includes(row.country) ?? true) &&
    row.price >= (priceMin ?? 0) &&
    row.price <= (priceMax ?? Infinity);

function sorted(rows: readonly PriceRow[], order: PriceOrder, products: ReadonlyMap<number, ProductRow>): PriceRow[] {
  const value = (row: PriceRow, column: string): string | number => {
    if (column === 'date') return row.day;
    if (column === 'price' || column === 'price_type') return row[column];
    if (column === 'country') return row.country;
    return products.get(row.product_id)?.[column === 'name' ? 'name' : 'product_slug'] ?? '';
  };
  return rows.toSorted((a, b) => {
    for (const [column, direction] of order) {
      const [left, right] = [value(a, column), value(b, column)];
      if (left !== right) return left < right === (direction === 'asc') ? -1 : 1;
    }
    return 0;
  });
}
