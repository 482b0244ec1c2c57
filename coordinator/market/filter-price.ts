import type { CountryPriceRecord, FilterPriceRequest } from '../contract/market.ts';
import type { Context } from '../platform/context.ts';
import { invalidField } from '../platform/errors.ts';
import { dearQuery } from '../platform/limits/dear-query.ts';
import { pageBounds, pageOf } from '../platform/page.ts';
import type { HotMarket } from './hot-market.ts';
import { readFilter, type PriceFilter } from './price-filter.ts';
import { countryPriceRecordOf } from './price-record.ts';
import { selectFiltered, type PriceOrder, type PriceRow, type ProductRow } from './queries/prices.ts';

const NEWEST_FIRST: PriceOrder = [['date', 'desc']];
/** Most days between the first and the last of one request. */
const MOST_DAYS = 366;
const DAY_MS = 86_400_000;

/**
 * Prices that pass the filter, the newest first unless `order_by` says otherwise. Without a day in the filter: the
 * newest price of each product, term and country. Throws `validation` for more than 366 days and for a page beyond row 10,000.
 */
export async function filterPrice(
  context: Context,
  { products, latest, worldwide }: HotMarket,
  { filter: asked, order_by, paginate }: FilterPriceRequest,
): Promise<{ total: number; results: CountryPriceRecord[] }> {
  const filter = readFilter(asked, products.values());
  const order = [...order_by.flatMap((entry) => Object.entries(entry) as PriceOrder), ...NEWEST_FIRST];
  const days = daysAsked(filter, context.now());
  const newest = [...latest, ...(filter.countries?.includes('') ? worldwide : [])].filter(passes(filter));
  const found =
    days === null
      ? { total: newest.length, rows: pageOf(sorted(newest, order, products), paginate) }
      : await dearQuery(context, { days: days.count, paginate }, (sql) =>
          selectFiltered(sql, { ...filter, ...days }, { ...pageBounds(paginate), order }),
        );
  return {
    total: found.total,
    results: found.rows.flatMap((row) => {
      const product = products.get(row.product_id);
      return product ? [countryPriceRecordOf(product, row)] : [];
    }),
  };
}

/** The days that the filter names; null if it names none. Without an end they go up to today. */
function daysAsked({ startDate, endDate }: PriceFilter, now: Date) {
  if (startDate === null && endDate === null) return null;
  if (startDate === null)
    throw invalidField('filter', `must have a start_date beside its end_date, at most ${MOST_DAYS} days before it`);
  const last = endDate ?? now.toISOString().slice(0, 10);
  const count = Math.max(0, (Date.parse(last) - Date.parse(startDate)) / DAY_MS);
  if (count > MOST_DAYS)
    throw invalidField(
      'filter',
      `has ${count} days from start_date ${startDate} to ${endDate === null ? 'today' : `end_date ${last}`}, and at most ${MOST_DAYS} are answered at once; the archives hold whole years`,
    );
  return { startDate, endDate: last, count };
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
