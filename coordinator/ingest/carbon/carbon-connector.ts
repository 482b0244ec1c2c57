import type { Edition } from '../../carbon/factors/edition.ts';
import type { SourceFile } from '../connector.ts';
import type { Refused } from '../tally.ts';

/** Why a row of a carbon table is not kept. */
export const carbonRefusals = {
  'cells-missing': 'the row has fewer or more cells than the header',
  'bad-value': 'the figure is not a number from 0 to 5,000 g/kWh',
  'no-figure': 'no figure in it',
  'other-figure': 'a figure other than the carbon intensity of the grid',
  'other-unit': 'the figure is in another unit',
  'no-country': 'the area is not a country of ISO 3166-1: a region, a union, the world',
  'bad-zip': 'the zip is missing or has more than five digits',
  'no-subregion': 'does not say which subregion',
  'no-region': 'the region is not named',
  'bad-zone': 'the zone is missing or malformed',
  'bad-time': 'its times are missing, or end before they begin',
  'bad-year': 'the year is missing or malformed',
  'unknown-basis': 'the basis is neither direct nor lifecycle',
  'unknown-kind': 'the kind is neither average nor marginal',
  'not-operational': 'the region is not in operation',
  'unknown-capital': 'the capital of the country is not known',
  'no-place': 'does not say where the post code is',
  farther: 'another post code of the country lies nearer to its capital',
  repeated: 'is in the file already',
} as const;
export type CarbonRefusal = keyof typeof carbonRefusals;

/** A file of a carbon source, unpacked; can be read once. */
export type CarbonFile = Pick<SourceFile, 'name' | 'content'>;

/** The part of an edition that a connector provides; the rest comes from the file. */
type EditionContent = Pick<Edition, 'source' | 'scope'> &
  Partial<Pick<Edition, 'zones' | 'factors' | 'zips' | 'regions' | 'defaultPostcodes'>>;

export interface CarbonReading {
  rowsRead: number;
  rowsKept: number;
  refused: ReadonlyMap<CarbonRefusal, Refused>;
  /** parts of the source that the file holds; each replaces what was loaded of the same part */
  editions: readonly EditionContent[];
}

/** One publisher's format of factors, zips, regions or post codes. */
export interface CarbonConnector {
  /** as typed: `ingest <name> <file-or-url>` */
  name: string;
  title: string;
  /** address it is fetched from by default; null if the operator must name a file, URL or zone */
  url: string | null;
  /** queried per zone with the operator's key, which is sent in a header to that address only */
  live?: {
    /** environment variable that holds the key */
    keyIn: string;
    header: string;
    /** precedes the key in the header */
    scheme?: string;
    addressOf: (zone: string) => string;
  };
  /** Throws `FormatError` if the file as a whole is not in this format: nothing of it is kept then. */
  read: (file: CarbonFile) => Promise<CarbonReading>;
}
