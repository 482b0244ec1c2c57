import type { CountrySummary, FilterMap, ProviderRecord, SpecsQueryRequest } from '../contract/market.ts';
import { countryName, rounded, priceTypeText } from './price-record.ts';
import type { HotMarket } from './hot-market.ts';
import { linearMedian } from '../figures/statistics.ts';
import { pageOf } from '../platform/page.ts';

const ON_DEMAND = 0;

/** Figures for each country from its newest prices, the country with the most products first. */
export function countrySummary({ latest, providersIn }: HotMarket): { total: number; results: CountrySummary[] } {
  const results = [...Map.groupBy(latest, ({ country }) => country)].map(([country, rows]): CountrySummary => {
    const prices = rows
      .filter(({ price_type }) => price_type === ON_DEMAND)
      .map(({ price }) => rounded(price, ON_DEMAND));
    return {
      country,
      country_name: countryName(country),
      product_count: new Set(rows.map(({ product_id }) => product_id)).size,
      provider_count: providersIn.get(country) ?? 0,
      price_min: prices.length > 0 ? Math.min(...prices) : null,
      price_median: prices.length > 0 ? rounded(linearMedian(prices), ON_DEMAND) : null,
      price_max: prices.length > 0 ? Math.max(...prices) : null,
      updated: rows.reduce((newest, { day }) => (day > newest ? day : newest), ''),
    };
  });
  results.sort((a, b) => b.product_count - a.product_count || a.country.localeCompare(b.country));
  return { total: results.length, results };
}

/** Values to filter prices by; only those that have a price are listed. */
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
      .map((value) => ({ value, description: priceTypeText(value) })),
    manufacturers: each(known.map(({ manufacturer }) => manufacturer)).toSorted(),
    chips: each(known.map(({ chip }) => chip)).toSorted(),
    products: known.map(({ product_id, product_slug, name }) => ({ product_id, product_slug, name })),
  };
}

/** Providers whose slug or name contains the keyword, by name. */
export function listProviders(
  { providers }: HotMarket,
  { keyword, ...page }: SpecsQueryRequest,
): { total: number; results: ProviderRecord[] } {
  const wanted = keyword.trim().toLowerCase();
  const found = providers.filter(({ id, name }) => [id, name].some((text) => text.toLowerCase().includes(wanted)));
  return { total: found.length, results: pageOf(found, page) };
}
