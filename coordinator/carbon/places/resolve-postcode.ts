import { chooseFactor } from '../factors/choose-factor.ts';
import type { Region } from '../factors/edition.ts';
import type { Basis, StoredFactor } from '../factors/factor.ts';
import type { HotCarbon } from '../hot-carbon.ts';
import { fiveDigits, islandOf } from './us-zips.ts';
import { countryName } from '../countries.ts';
import { findRegion } from '../providers.ts';

/** The zone of a place, and the factor that is used there. */
export interface Resolved {
  zone: string;
  factor: StoredFactor;
  /** how the place led to the zone, in words */
  rule: string;
  /** zones that the place also belongs to, which were not used */
  others: readonly string[];
}

export interface Postcode {
  zipcode: string;
  country_code: string;
}

interface Candidate {
  zone: string;
  basis: Basis;
  rule: string;
  others?: readonly string[];
}

const NONE: readonly StoredFactor[] = [];

/** Countries whose post codes are zips of the United States. */
const WITH_ZIPS: ReadonlySet<string> = new Set(['US', 'PR']);

/**
 * US zips lead to a subregion of eGRID (direct); other post codes to the zone listed for their prefix, else to the country's
 * (lifecycle). Null if nothing is published for the place.
 */
export function resolvePostcode(hot: HotCarbon, place: Postcode, at: Date): Resolved | null {
  return firstWithFactor(hot, candidatesFor(hot, place), at);
}

/** The zone of a provider's region; the country's if the zone has no factor. */
export function resolveRegion(
  hot: HotCarbon,
  { zone, country_code }: Pick<Region, 'zone' | 'country_code'>,
  at: Date,
): Resolved | null {
  const rule = 'the place that the provider names';
  const candidates: Candidate[] = [
    { zone, basis: 'lifecycle', rule },
    { zone: country_code, basis: 'lifecycle', rule: `${rule}; its zone ${zone} has no factor, so its country` },
  ];
  return firstWithFactor(hot, candidates, at);
}

function candidatesFor(hot: HotCarbon, { zipcode, country_code }: Postcode): Candidate[] {
  if (WITH_ZIPS.has(country_code)) {
    const zip = fiveDigits(zipcode);
    const island = zip === null ? null : islandOf(zip);
    if (island !== null) return [{ zone: island, basis: 'lifecycle', rule: `island of ${zip}` }];
    const found = zip === null ? null : hot.zips.find(zip);
    if (found) {
      const [zone = '', ...others] = found.subregions;
      const by = found.rule === 'zip' ? `zip ${zip}` : `the ${found.rule} of ${zip}`;
      return [{ zone, basis: 'direct', rule: `eGRID subregion by ${by}`, others }];
    }
    // A zip that no US grid covers, like those of the forces abroad, does not get the country's average; a missing zip does.
    if (country_code === 'US') {
      const average = { zone: 'US', basis: 'direct', rule: 'country, without a zip' } as const;
      return zipcode.trim() === '' ? [average] : [];
    }
  }
  const country = { zone: country_code, basis: 'lifecycle', rule: 'country' } as const;
  const prefix = hot.prefixes.find(country_code, zipcode);
  if (!prefix) return [country];
  return [{ zone: prefix.zone, basis: 'lifecycle', rule: `post code by ${prefix.basis}` }, country];
}

function firstWithFactor(hot: HotCarbon, candidates: readonly Candidate[], at: Date): Resolved | null {
  for (const { zone, basis, rule, others = [] } of candidates) {
    const factor = chooseFactor(hot.factors.get(zone) ?? NONE, { basis, at });
    if (factor) return { zone, factor, rule, others };
  }
  return null;
}

/** The forms in which a location names a place. */
export const LOCATION_FORMS = '"US 94105", "DE", or a provider\'s region as "aws us-east-1"';

/**
 * The place in a machine's location as written by an operator or a provider: a country, a country with a post code, or a
 * provider with its region. Null if it does not name a place, or nothing is published for it.
 */
export function placeInText(hot: HotCarbon, text: string, at: Date): Resolved | null {
  const words = text.trim().split(/[\s,;/:]+/);
  const [first = '', ...rest] = words;
  const region = rest.length === 1 ? findRegion(hot, first, rest[0] ?? '') : null;
  if (region) return resolveRegion(hot, region, at);
  const country = words.findIndex((word) => /^[A-Z]{2}$/.test(word) && countryName(word) !== undefined);
  if (country < 0) return null;
  const country_code = words[country] ?? '';
  const zipcode = words.toSpliced(country, 1).join(' ');
  // Words next to a country without any digit are a town or a room, for which no factor is published.
  return resolvePostcode(hot, { zipcode: /\d/.test(zipcode) ? zipcode : '', country_code }, at);
}
