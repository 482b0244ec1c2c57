import type { Platform } from '../platform/context.ts';
import { shortCache } from '../platform/short-cache.ts';
import type { Region } from './factors/edition.ts';
import type { StoredFactor } from './factors/stored-factor.ts';
import { postcodePrefixes, type PostcodePrefixes } from './places/postcode-prefixes.ts';
import { usZips, type UsZips } from './places/us-zips.ts';
import {
  readCarbonVersion,
  selectDefaultPostcodes,
  selectFactors,
  selectRegions,
  selectZips,
  selectZones,
} from './queries/read-carbon.ts';
import { readDefaultPostcodes, readPrefixRows } from './shipped/tables.ts';

/** All that answers are made of, in memory until a table is loaded: some thousand rows. */
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

/** How old an answer may be after a table was loaded, also by another process. */
const LOOK_MS = 500;
const DAY_MS = 86_400_000;

/** Reads everything again when its version has changed; asks for the version twice a second at most. */
export function hotCarbon(platform: Pick<Platform, 'sql' | 'now'>): () => Promise<HotCarbon> {
  const known = made.get(platform.sql) ?? readHotCarbon(platform);
  made.set(platform.sql, known);
  return known;
}

/** One for each database that the process has open: requests and reports read the same. */
const made = new WeakMap<Platform['sql'], () => Promise<HotCarbon>>();

function readHotCarbon({ sql, now }: Pick<Platform, 'sql' | 'now'>): () => Promise<HotCarbon> {
  const version = shortCache({ lifetimeMs: LOOK_MS, maxEntries: 1, now }, () => readCarbonVersion(sql));
  const carbon = shortCache({ lifetimeMs: DAY_MS, maxEntries: 2, now }, async (): Promise<HotCarbon> => {
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
        ...loadedPostcodes.map(({ countryCode, postcode }) => [countryCode, postcode] as const),
      ]),
      regions: Map.groupBy(regions, ({ provider }) => provider),
    };
  });
  return async () => carbon(await version(''));
}
