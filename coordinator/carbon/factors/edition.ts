import type { Factor, Zone } from './factor.ts';
import type { SourceName } from './sources.ts';

/** Zips of a state with the same subregions, the one that EPA marks predominant first. */
export interface ZipGroup {
  /** first three digits */
  prefix: string;
  state: string;
  zones: readonly string[];
  /** the last two digits of each: `01-05 07` */
  zips: string;
}

export interface Region {
  provider: string;
  code: string;
  name: string;
  country_code: string;
  zone: string;
}

/** A main post code of a country. */
export interface DefaultPostcode {
  country_code: string;
  postcode: string;
}

/** One table of a source, stored whole or not at all; a later one of the same source and scope takes its place. */
export interface Edition {
  source: SourceName;
  scope: string;
  /** came with this version; what an operator has loaded goes before it, and is not replaced by it */
  shipped: boolean;
  /** YYYY-MM-DD; null: not known */
  published_on: string | null;
  /** file, URL, or the package that it came with */
  origin: string;
  /** of what was read: the same again costs nothing */
  sha256: Buffer;
  zones: readonly Zone[];
  factors: readonly Factor[];
  zips: readonly ZipGroup[];
  regions: readonly Region[];
  defaultPostcodes: readonly DefaultPostcode[];
  /** rows that were not kept, by reason */
  refused: Readonly<Record<string, number>>;
}
