import { countryName } from '../countries.ts';
import { findRegion } from '../providers.ts';
import type { HotCarbon } from '../hot-carbon.ts';
import { resolvePostcode, resolveRegion, type Resolved } from './resolve-postcode.ts';

/** What a location may look like that names a place. */
export const LOCATION_FORMS = '"US 94105", "DE", or a provider\'s region as "aws us-east-1"';

/**
 * The place in what an operator or a provider wrote as a machine's location: a country, a country with a post code, or a
 * provider with its region. Null: it names none, or nothing is published for it.
 */
export function placeInText(hot: HotCarbon, text: string, at: Date): Resolved | null {
  const words = text.trim().split(/[\s,;/:]+/);
  const [first = '', ...rest] = words;
  const region = rest.length === 1 ? findRegion(hot, first, rest[0] ?? '') : null;
  if (region) return resolveRegion(hot, region, at);
  const country = words.findIndex((word) => /^[A-Z]{2}$/.test(word) && countryName(word) !== undefined);
  if (country < 0) return null;
  const countryCode = words[country] ?? '';
  const zipcode = words.toSpliced(country, 1).join(' ');
  // Words beside a country that hold no digit are a town or a room, none that a factor is published for.
  return resolvePostcode(hot, { zipcode: /\d/.test(zipcode) ? zipcode : '', countryCode }, at);
}
