import { z } from 'zod';
import type { Region } from '../../carbon/factors/edition.ts';
import { checked, readJson } from '../reading/read-json.ts';
import type { CarbonConnector, CarbonFile, CarbonReading } from './carbon-connector.ts';
import { collectRows, Misfit } from './collect-rows.ts';

/** The list of 2026 is 60 kB. */
const MOST_BYTES = 16 * 1024 ** 2;

const centers = z.record(
  z.string(),
  z.object({
    provider: z.string().min(1),
    region: z.string(),
    displayName: z.string(),
    zoneKey: z.string(),
    status: z.string().optional(),
  }),
);

/** Their names of providers -> ours, where they differ. */
const OURS: Record<string, string> = { ovh: 'ovhcloud' };

/**
 * `config/data_centers/data_centers.json` of electricitymaps-contrib: the zone of each region of the large clouds. It is
 * AGPL, so operators who accept that load it themselves, and it never ships with the product.
 */
export const electricityMapsRegions: CarbonConnector = {
  name: 'electricity-maps-regions',
  title: 'Electricity Maps, data centers and their zones (AGPL)',
  url: null,
  read,
};

async function read(file: CarbonFile): Promise<CarbonReading> {
  const listed = Object.values(checked(file, centers, await readJson(file, MOST_BYTES), ''));
  const seen = new Set<string>();
  const rows = listed.map((center, at) => ({ row: at + 1, made: regionOf(center, seen) }));
  const { values: regions, tally } = await collectRows<Region>(file, [rows]);
  // The factors of a zone come from elsewhere; a zone that has no name yet gets its key as its name.
  const zones = regions.map(({ zone, country_code }) => ({ zone, name: zone, country_code }));
  const once = [...new Map(zones.map((zone) => [zone.zone, zone])).values()];
  const edition = { source: 'electricity-maps-regions', scope: 'regions', zones: once, regions } as const;
  return { rowsRead: tally.rowsRead, rowsKept: regions.length, refused: tally.refused, editions: [edition] };
}

function regionOf(center: z.output<typeof centers>[string], seen: Set<string>): Region | Misfit {
  const { region: code, displayName: name, zoneKey: zone, status } = center;
  const provider = OURS[center.provider] ?? center.provider;
  if (code === '') return new Misfit('no-region', name);
  if (status !== undefined && status !== 'operational') return new Misfit('not-operational', `${provider} ${code}`);
  if (!/^[A-Z]{2}(-[A-Z0-9]+)*$/.test(zone)) return new Misfit('bad-zone', zone);
  if (seen.has(`${provider} ${code}`)) return new Misfit('repeated', `${provider} ${code}`);
  seen.add(`${provider} ${code}`);
  return { provider, code, name, country_code: zone.slice(0, 2), zone };
}
