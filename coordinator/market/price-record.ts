import { ALL_COUNTRIES, type CountryPriceRecord, type PriceRecord, UNKNOWN_COUNTRY } from '../contract/market.ts';
import { isRetail, priceTypeDescriptions, type PriceType } from '../contract/price-type.ts';
import type { PriceRow, ProductRow } from './queries/prices.ts';

/** A price as the data hub shows it. */
export function priceRecordOf(product: ProductRow, row: PriceRow): PriceRecord {
  return {
    product_id: product.product_id,
    product_slug: product.product_slug,
    chip: product.chip,
    name: product.name,
    manufacturer: product.manufacturer,
    date: row.day,
    country: row.country === '' ? ALL_COUNTRIES : row.country,
    price_type: row.price_type,
    price_type_descriptioin: priceTypeText(row.price_type),
    price: rounded(row.price, row.price_type),
    provider_count: row.provider_count,
    sample_size: row.sample_size,
    median: rounded(row.price_median, row.price_type),
    p10: row.p10 === null ? null : rounded(row.p10, row.price_type),
    p90: row.p90 === null ? null : rounded(row.p90, row.price_type),
    oldest_quote: row.oldest_quote,
    status: row.status,
  };
}

export const countryPriceRecordOf = (product: ProductRow, row: PriceRow): CountryPriceRecord => ({
  ...priceRecordOf(product, row),
  country_name: countryName(row.country === '' ? ALL_COUNTRIES : row.country),
});

export const priceTypeText = (type: number): string =>
  priceTypeDescriptions[type as PriceType] ?? `Rental Reserved ${type} month`;

/**
 * Rounded to a hundredth of a cent per hour, or a cent for a card: further digits come from averaging, not from the
 * market.
 */
export const rounded = (price: number, type: number): number => {
  const digits = isRetail(type) ? 2 : 4;
  return Math.round(price * 10 ** digits) / 10 ** digits;
};

// The runtime's own table (CLDR) has a name for every ISO 3166-1 code.
const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' });

/** English name of an ISO 3166-1 alpha-2 code. */
export const countryName = (code: string): string =>
  code === UNKNOWN_COUNTRY ? 'Not stated' : code === ALL_COUNTRIES ? 'All countries' : (names.of(code) ?? code);
