import type { FilterMap } from '../contract/market.ts';
import { countryName } from './country-name.ts';
import type { HotMarket } from './hot-market.ts';
import { describe } from './price-record.ts';

/** Values by which prices can be filtered: those that have a price. */
export function filterMap({ products, latest }: HotMarket): FilterMap {
  const priced = new Set(latest.map(({ product_id }) => product_id));
  const known = [...products.values()].filter(({ product_id }) => priced.has(product_id));
  const each = <T>(values: T[]): T[] => [...new Set(values)];
  return {
    countries: each(latest.map(({ country }) => country))
      .toSorted()
      .map((country) => ({ country, country_name: countryName(country) })),
    price_types: each(latest.map(({ price_type }) => price_type))
      .toSorted((a, b) => a - b)
      .map((value) => ({ value, description: describe(value) })),
    manufacturers: each(known.map(({ manufacturer }) => manufacturer)).toSorted(),
    chips: each(known.map(({ chip }) => chip)).toSorted(),
    products: known.map(({ product_id, product_slug, name }) => ({ product_id, product_slug, name })),
  };
}
