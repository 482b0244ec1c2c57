import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readTable } from '../../platform/read-table.ts';
import type { Edition } from '../factors/edition.ts';
import { subregionFactor, subregionZone } from '../factors/egrid-subregion.ts';

const folder = join(import.meta.dirname, '..', 'tables');
const cell = z.string().trim();
const code = cell.min(1);
const country = cell.regex(/^[A-Z]{2}$/, 'must be two capital letters');
const rate = cell.regex(/^\d+(\.\d+)?$/, 'must be a number').transform(Number);

const egridRow = z.object({
  edition: cell.regex(/^eGRID\d{4}/, 'must begin with eGRID and a year'),
  subregion: cell.regex(/^[A-Z]{2,4}$/, 'must be capital letters'),
  name: code,
  co2_lb_per_mwh: rate,
  ch4_lb_per_mwh: rate,
  n2o_lb_per_mwh: rate,
  /** as EPA publishes it; empty if EPA calculates with older warming potentials */
  co2e_lb_per_mwh: z.union([rate, z.literal('').transform(() => null)]),
});

const zipRow = z.object({
  prefix: cell.regex(/^\d{3}$/, 'must be three digits'),
  state: country,
  subregions: code.transform((names) => names.split('|')),
  zips: cell.regex(/^\d\d(-\d\d)?( \d\d(-\d\d)?)*$/, 'must be pairs of digits and ranges of them'),
});

const regionRow = z.object({ provider: code, code, name: code, country_code: country, zone: code });

const capitalRow = z.object({
  country_code: country,
  name: code,
  lat: cell.regex(/^-?\d+(\.\d+)?$/, 'must be a number').transform(Number),
  lon: cell.regex(/^-?\d+(\.\d+)?$/, 'must be a number').transform(Number),
});

const postcodeRow = z.object({ country_code: country, postcode: cell });
const prefixRow = z.object({ country_code: country, from: code, to: code, zone: code, basis: code });

export type PrefixRow = z.output<typeof prefixRow>;

/** A table's rows, and the hash of its bytes. */
async function table<T extends z.ZodType>(name: string, row: T): Promise<{ rows: z.output<T>[]; sha256: Buffer }> {
  const bytes = await readFile(join(folder, name));
  return { rows: readTable(name, bytes.toString('utf8'), row), sha256: createHash('sha256').update(bytes).digest() };
}

/** A main post code of each country; the empty string for countries without post codes. */
export const readDefaultPostcodes = async (): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await table('default-postcodes.csv', postcodeRow);
  return new Map(rows.map((row) => [row.country_code, row.postcode]));
};

/** The position of each country's capital, in degrees: the post code nearest to it becomes the country's main one. */
export const readCapitals = async (): Promise<ReadonlyMap<string, { lat: number; lon: number }>> =>
  new Map(
    (await table('capitals.csv', capitalRow)).rows.map(({ country_code, lat, lon }) => [country_code, { lat, lon }]),
  );

export const readPrefixRows = async (): Promise<PrefixRow[]> => (await table('postcode-zones.csv', prefixRow)).rows;

/** When EPA published each edition. */
const PUBLISHED: Record<string, string> = { eGRID2022: '2024-01-30', 'eGRID2023 rev2': '2025-06-12' };

/** The tables that we wrote from published facts, as editions. */
export async function tableEditions(): Promise<Edition[]> {
  return [...(await egridEditions()), await zipEdition(), await regionEdition()];
}

const empty = {
  shipped: true,
  zones: [],
  factors: [],
  zips: [],
  regions: [],
  defaultPostcodes: [],
  refused: {},
} as const;

async function egridEditions(): Promise<Edition[]> {
  const { rows, sha256 } = await table('egrid-rates.csv', egridRow);
  return [...Map.groupBy(rows, (row) => row.edition)].map(([edition, ofEdition]) => ({
    ...empty,
    source: 'egrid',
    scope: edition,
    published_on: PUBLISHED[edition] ?? null,
    origin: 'egrid-rates.csv of this version',
    sha256,
    zones: ofEdition.map(subregionZone),
    factors: ofEdition.map(subregionFactor),
  }));
}

async function zipEdition(): Promise<Edition> {
  const { rows, sha256 } = await table('us-zips.csv', zipRow);
  return {
    ...empty,
    source: 'epa-zips',
    scope: 'zips',
    published_on: '2025-06-18',
    origin: 'us-zips.csv of this version',
    sha256,
    zips: rows.map(({ prefix, state, subregions, zips }) => ({ prefix, state, zones: subregions, zips })),
  };
}

async function regionEdition(): Promise<Edition> {
  const { rows, sha256 } = await table('provider-regions.csv', regionRow);
  return {
    ...empty,
    source: 'provider-regions',
    scope: 'regions',
    published_on: null,
    origin: 'provider-regions.csv of this version',
    sha256,
    regions: rows,
  };
}
