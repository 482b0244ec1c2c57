import { DomainError } from '../platform/errors.ts';
import { countryName } from './countries.ts';
import type { HotCarbon } from './hot-carbon.ts';

/**
 * A main post code of the country; empty if it has none, or if we know none of it. Throws `validation` for two letters that are no
 * country.
 */
export function defaultPostcode({ defaultPostcodes }: HotCarbon, countryCode: string): string {
  if (countryName(countryCode) === undefined)
    throw new DomainError('validation', `country_code: ${countryCode} is not a country of ISO 3166-1`);
  return defaultPostcodes.get(countryCode) ?? '';
}
