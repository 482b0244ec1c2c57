import type { CountrySummary } from '../contract/market.ts';
import { countryName } from './country-name.ts';
import type { HotMarket } from './hot-market.ts';
import { rounded } from './price-record.ts';
import { median } from '../platform/statistics.ts';

const ON_DEMAND = 0;

/** Each country in numbers, of the newest prices in it; most products first. */
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
      price_median: prices.length > 0 ? rounded(median(prices), ON_DEMAND) : null,
      price_max: prices.length > 0 ? Math.max(...prices) : null,
      updated: rows.reduce((newest, { day }) => (day > newest ? day : newest), ''),
    };
  });
  results.sort((a, b) => b.product_count - a.product_count || a.country.localeCompare(b.country));
  return { total: results.length, results };
}
