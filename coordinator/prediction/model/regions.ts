import { continents, countries, type TContinentCode } from 'countries-list';

/** Regions are continents. */
export const regions = continents;
export type Region = TContinentCode;

/** ISO 3166-1 alpha-2 -> its continent; null for ZZ and unknown codes. */
export function regionOf(country: string): Region | null {
  return Object.hasOwn(countries, country) ? countries[country as keyof typeof countries].continent : null;
}
