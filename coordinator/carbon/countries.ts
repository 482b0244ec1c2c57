import countries from 'i18n-iso-countries';
import type { CountryRecord } from '../contract/carbon.ts';
import type { HotCarbon } from './hot-carbon.ts';
import { DomainError } from '../platform/errors.ts';

import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };

countries.registerLocale(english);

export const countryName = (code: string): string | undefined => countries.getName(code, 'en');

/** Countries whose English name begins with the text, ignoring case and accents, or whose code it is; all for an empty text. */
export function searchCountries({ defaultPostcodes }: HotCarbon, beginning: string): CountryRecord[] {
  const wanted = plain(beginning.trim());
  return Object.entries(countries.getNames('en', { select: 'official' }))
    .filter(([code, name]) => plain(name).startsWith(wanted) || code.toLowerCase() === wanted)
    .map(([code, name]) => ({
      country_code: code,
      country_name: name,
      has_zipcodes: defaultPostcodes.get(code) !== '',
    }))
    .toSorted((a, b) => (a.country_name < b.country_name ? -1 : 1));
}

const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/**
 * A main post code of the country; empty if it has none or we do not know one. Throws `validation` if the code is not that of a
 * country.
 */
export function defaultPostcode({ defaultPostcodes }: HotCarbon, countryCode: string): string {
  if (countryName(countryCode) === undefined)
    throw new DomainError('validation', `country_code: ${countryCode} is not a country of ISO 3166-1`);
  return defaultPostcodes.get(countryCode) ?? '';
}
