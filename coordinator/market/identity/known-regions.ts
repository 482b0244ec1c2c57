import type { Segment } from '../segments.ts';
import { regionCodes } from './region-codes.ts';

export interface RegionRow {
  /** slug */
  provider: string;
  region: string;
  /** ISO 3166-1 alpha-2 */
  country: string;
  /** how it is written where this is another spelling of it; empty: so */
  code: string;
  /** '' for the standard market */
  segment: Segment | '';
}

export interface KnownRegion {
  /** the provider's own code, the same whatever the source calls the region or its zones; unknown ones as they are said */
  code: string;
  /** null: nothing known */
  country: string | null;
  /** a market of its own; null: the standard one */
  segment: Segment | null;
}

/** Regions that came after the table was written: what their names alone say. */
const byName: readonly (readonly [provider: string, name: RegExp, segment: Segment])[] = [
  // us-east-1-bos-1; us-east-1-wl1-nyc1 and us-east-1-wl1-nyc-wlz-1, at a phone company's
  ['aws', /^[a-z]{2}(?:-[a-z]+)+-\d-(?:[a-z]{3}-\d|wl\d\b.*|[a-z]{3}-wlz-\d)$/, 'local-zone'],
  ['aws', /^us-(?:gov|iso[a-z]?)-/, 'government'],
  ['azure', /^us(?:gov|dod|nat|sec)/, 'government'],
  ['oci', /^[a-z]{2}-gov-/, 'government'],
];

/**
 * What is known of a provider's region. A code means nothing under another provider: `us-east-1` is five different places.
 * A zone is its region: a price list has one price for all of them.
 */
export function createRegionReader(rows: readonly RegionRow[]): (provider: string, region: string) => KnownRegion {
  const known = new Map(rows.map((row) => [keyOf(row.provider, row.region), row]));
  const codesOf = regionCodes(rows);
  return (provider, region) => {
    const codes = codesOf(provider, region);
    const row = codes.map((code) => known.get(keyOf(provider, code))).find((one) => one !== undefined);
    if (row !== undefined)
      return { code: row.code || row.region, country: row.country, segment: row.segment === '' ? null : row.segment };
    const code = codes.at(-1) ?? region;
    const segment = byName.find(([of, name]) => of === provider && name.test(code))?.[2] ?? null;
    return { code: segment === null ? region : code, country: null, segment };
  };
}

const keyOf = (provider: string, region: string): string => `${provider} ${region.toLowerCase()}`;
