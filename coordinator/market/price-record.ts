import type { CountryPriceRecord, PriceRecord } from '../contract/market.ts';
import { isRetail, priceTypeDescriptions, type PriceType } from '../contract/price-type.ts';
import { countryName } from './country-name.ts';
import type { PriceRow, ProductRow } from './queries/prices.ts';

/** Of a price, what its record tells. */
export type ToldPrice = Omit<PriceRow, 'price_median'>;

/** A price as the data hub shows it. */
export function priceRecordOf(product: ProductRow, row: ToldPrice): PriceRecord {
  return {
    product_id: product.product_id,
    product_slug: product.product_slug,
    chip: product.chip,
    name: product.name,
    manufacturer: product.manufacturer,
    date: row.day,
    country: row.country,
    price_type: row.price_type,
    price_type_descriptioin: describe(row.price_type),
    price: rounded(row.price, row.price_type),
    provider_count: row.provider_count,
    sample_size: row.sample_size,
  };
}

export const countryPriceRecordOf = (product: ProductRow, row: ToldPrice): CountryPriceRecord => ({
  ...priceRecordOf(product, row),
  country_name: countryName(row.country),
});

export const describe = (type: number): string =>
  priceTypeDescriptions[type as PriceType] ?? `Rental Reserved ${type} month`;

/** A hundredth of a cent per hour, a cent for a card: what is beyond that is the mean's, not the market's. */
export const rounded = (price: number, type: number): number => {
  const digits = isRetail(type) ? 2 : 4;
  return Math.round(price * 10 ** digits) / 10 ** digits;
};
