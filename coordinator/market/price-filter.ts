import { ALL_COUNTRIES, type FilterPriceRequest } from '../contract/market.ts';
import type { ProductRow } from './queries/prices.ts';

/** The parsed `filter`, by column; null matches anything. A row must match one of the values of each column. */
export interface PriceFilter {
  productIds: number[] | null;
  priceTypes: number[] | null;
  countries: string[] | null;
  priceMin: number | null;
  priceMax: number | null;
  /** both null: the newest price of each product, term and country */
  startDate: string | null;
  endDate: string | null;
}

/** Matched whole, against the values that filter-map lists: L4 is not L40S. */
const wholeColumns = ['product_slug', 'manufacturer', 'chip'] as const;

/** Product texts are resolved to ids here, once, so that the database receives ids only. */
export function readFilter(request: FilterPriceRequest['filter'], products: Iterable<ProductRow>): PriceFilter {
  const entries = request.flatMap((entry) => Object.entries(entry));
  const all = (column: string): (string | number)[] =>
    entries.filter(([name]) => name === column).map(([, value]) => value);
  const texts = (column: string): string[] => all(column).map((value) => String(value).trim().toLowerCase());
  const numbers = (column: string): number[] => all(column).map(Number);
  const byText = wholeColumns.filter((column) => texts(column).length > 0);
  const names = texts('name');
  const ids = numbers('product_id');
  const isWanted = (product: ProductRow): boolean =>
    (ids.length === 0 || ids.includes(product.product_id)) &&
    byText.every((column) => texts(column).includes(product[column].toLowerCase())) &&
    (names.length === 0 || names.some((name) => product.name.toLowerCase().includes(name)));
  const orNull = <T>(values: T[]): T[] | null => (values.length > 0 ? values : null);
  const dates = (column: string): string[] => all(column).map(String).toSorted();
  return {
    productIds:
      ids.length + byText.length + names.length > 0
        ? [...products].filter(isWanted).map(({ product_id }) => product_id)
        : null,
    priceTypes: orNull(numbers('price_type')),
    countries: orNull(
      texts('country')
        .filter((code) => code !== '')
        .map((code) => (code === ALL_COUNTRIES.toLowerCase() ? '' : code.toUpperCase())),
    ),
    priceMin: orNull(numbers('price_min'))?.reduce((a, b) => Math.min(a, b)) ?? null,
    priceMax: orNull(numbers('price_max'))?.reduce((a, b) => Math.max(a, b)) ?? null,
    startDate: dates('start_date')[0] ?? null,
    endDate: dates('end_date').at(-1) ?? null,
  };
}
