import type { Factor, Zone } from './factor.ts';
import type { SourceName } from './sources.ts';

/** Zips of a state with the same subregions, of which the one that EPA marks predominant comes first. */
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

/** One table of a source, stored whole or not at all; a later one of the same source and scope replaces it. */
export interface Edition {
  source: SourceName;
  scope: string;
  /** comes with this version; an operator's table takes precedence and is not replaced by it */
  shipped: boolean;
  /** YYYY-MM-DD; null if unknown */
  published_on: string | null;
  /** file, URL, or the package that it came with */
  origin: string;
  /** of the content: the same content is not stored again */
  sha256: Buffer;
  zones: readonly Zone[];
  factors: readonly Factor[];
  zips: readonly ZipGroup[];
  regions: readonly Region[];
  defaultPostcodes: readonly DefaultPostcode[];
  /** number of rows that were not kept, by reason */
  refused: Readonly<Record<string, number>>;
}

export const rowsOf = ({ factors, zips, regions, defaultPostcodes }: Edition): number =>
  factors.length + zips.length + regions.length + defaultPostcodes.length;
