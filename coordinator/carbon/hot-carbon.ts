import { hotCopy } from '../platform/hot-copy.ts';
import type { Region } from './factors/edition.ts';
import type { StoredFactor } from './factors/factor.ts';
import { usZips, type UsZips } from './places/us-zips.ts';
import { selectDefaultPostcodes, selectFactors, selectRegions, selectZips, selectZones } from './queries.ts';
import { readDefaultPostcodes, readPrefixRows, type PrefixRow } from './shipped/tables.ts';

/** All that answers are made from, in memory until a table is loaded: a few thousand rows. */
export interface HotCarbon {
  /** by zone, newest first */
  factors: ReadonlyMap<string, readonly StoredFactor[]>;
  zoneNames: ReadonlyMap<string, string>;
  zips: UsZips;
  prefixes: PostcodePrefixes;
  defaultPostcodes: ReadonlyMap<string, string>;
  /** by provider, in the order of their codes */
  regions: ReadonlyMap<string, readonly Region[]>;
}

/** Read again when a table has been loaded. */
export const hotCarbon = hotCopy<HotCarbon>({
  area: 'carbon',
  reader:
    ({ sql }) =>
    async () => {
      const [factors, zones, zips, regions, loadedPostcodes, prefixes, shippedPostcodes] = await Promise.all([
        selectFactors(sql),
        selectZones(sql),
        selectZips(sql),
        selectRegions(sql),
        selectDefaultPostcodes(sql),
        readPrefixRows(),
        readDefaultPostcodes(),
      ]);
      return {
        factors: Map.groupBy(factors, ({ zone }) => zone),
        zoneNames: new Map(zones.map(({ zone, name }) => [zone, name])),
        zips: usZips(zips),
        prefixes: postcodePrefixes(prefixes),
        defaultPostcodes: new Map([
          ...shippedPostcodes,
          ...loadedPostcodes.map(({ country_code, postcode }) => [country_code, postcode] as const),
        ]),
        regions: Map.groupBy(regions, ({ provider }) => provider),
      };
    },
});
interface PostcodePrefixes {
  /** The zone for a post code's prefix, and the list it is from; null if the country has no zones, or none for this post code. */
  find: (countryCode: string, postcode: string) => { zone: string; basis: string } | null;
}

/** The longest prefix wins. Rows hold inclusive ranges of prefixes of the same length. */
function postcodePrefixes(rows: readonly PrefixRow[]): PostcodePrefixes {
  const byCountry = Map.groupBy(
    rows.toSorted((a, b) => b.from.length - a.from.length),
    (row) => row.country_code,
  );
  return {
    find: (countryCode, postcode) => {
      const plain = postcode.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
      return (
        byCountry.get(countryCode)?.find(({ from, to }) => {
          const start = plain.slice(0, from.length);
          return start.length === from.length && start >= from && start <= to;
        }) ?? null
      );
    },
  };
}
