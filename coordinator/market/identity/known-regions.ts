import type { Segment } from '../segments.ts';

export interface RegionRow {
  /** slug */
  provider: string;
  region: string;
  /** ISO 3166-1 alpha-2 */
  country: string;
  /** the region's own code if `region` is another spelling of it; otherwise empty */
  code: string;
  /** '' for the standard market */
  segment: Segment | '';
}

interface KnownRegion {
  /** the provider's own code, however the source spells the region or its zone; an unrecognised region as spelled */
  code: string;
  /** null if unknown */
  country: string | null;
  /** null for the standard market */
  segment: Segment | null;
}

/** Segments of regions that are missing from the table, recognised by the region's name alone. */
const byName: readonly (readonly [provider: string, name: RegExp, segment: Segment])[] = [
  // us-east-1-bos-1; us-east-1-wl1-nyc1 and us-east-1-wl1-nyc-wlz-1, at a phone company
  ['aws', /^[a-z]{2}(?:-[a-z]+)+-\d-(?:[a-z]{3}-\d|wl\d\b.*|[a-z]{3}-wlz-\d)$/, 'local-zone'],
  ['aws', /^us-(?:gov|iso[a-z]?)-/, 'government'],
  ['azure', /^us(?:gov|dod|nat|sec)/, 'government'],
  ['oci', /^[a-z]{2}-gov-/, 'government'],
];

/**
 * Looks up a provider's region. A code means nothing under another provider: `us-east-1` is five different places. A
 * zone counts as its region, because a price list has one price for all zones of a region.
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

/** How AWS abbreviates the words of a region in zone names and on bills: `apne1-az4`, `USW2`. */
const short: Readonly<Record<string, string>> = {
  gov: 'g',
  north: 'n',
  south: 's',
  east: 'e',
  west: 'w',
  central: 'c',
  northeast: 'ne',
  northwest: 'nw',
  southeast: 'se',
  southwest: 'sw',
};

/**
 * Candidate codes for a region's name, tried in order: the name itself, then the name without its zone letter; for
 * AWS's short names only the long form; for Azure also the name without blanks. AWS writes `us-east-1-bue-1a` for a
 * zone of `us-east-1-bue-1`, which is in Buenos Aires: only one letter is removed, because the parent region can be in
 * another country.
 */
function regionCodes(
  rows: readonly { provider: string; region: string }[],
): (provider: string, region: string) => string[] {
  const awsShort = new Map(
    rows
      .filter(({ provider, region }) => provider === 'aws' && /^[a-z]{2}(?:-[a-z]+)+-\d$/.test(region))
      .map(({ region }) => [shortOf(region), region]),
  );
  return (provider, region) => {
    if (provider === 'aws') {
      const written = awsShort.get(region.toLowerCase().replace(/-az\d+$/, ''));
      return written === undefined ? [region, region.replace(/(?<=\d)[a-z]$/i, '')] : [written];
    }
    if (provider === 'gcp') return [region, region.replace(/-[a-z]$/i, '')];
    if (provider === 'azure') return [region, region.toLowerCase().replaceAll(/[^a-z0-9]/g, '')];
    return [region];
  };
}

/** `ap-northeast-1` -> `apne1` */
const shortOf = (region: string): string =>
  region
    .split('-')
    .map((word, at) => (at === 0 ? word : (short[word] ?? word)))
    .join('');
