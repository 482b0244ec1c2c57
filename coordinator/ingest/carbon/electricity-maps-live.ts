import { z } from 'zod';
import { MOST_GRAMS } from '../../carbon/factors/factor.ts';
import { checked, readJson } from '../reading/read-json.ts';
import type { CarbonConnector, CarbonFile, CarbonReading } from './carbon-connector.ts';

/** An answer is 300 bytes. */
const MOST_BYTES = 64 * 1024;
const HOUR_MS = 3_600_000;

const answer = z.object({
  zone: z.string().regex(/^[A-Z]{2}(-[A-Z0-9]+)*$/, 'must be a zone'),
  carbonIntensity: z.number().min(0).max(MOST_GRAMS),
  datetime: z.iso.datetime({ offset: true }),
  updatedAt: z.iso.datetime({ offset: true }).optional(),
  emissionFactorType: z.enum(['lifecycle', 'direct']),
  isEstimated: z.boolean().nullish(),
});

/**
 * The carbon intensity of the current hour from the Electricity Maps API, with the operator's key. A zone's answer replaces
 * the previous one: no history is kept.
 */
export const electricityMapsLive: CarbonConnector = {
  name: 'electricity-maps-live',
  title: 'Electricity Maps, the hour in a zone (with a key)',
  url: null,
  live: {
    keyIn: 'ELECTRICITY_MAPS_TOKEN',
    header: 'auth-token',
    addressOf: (zone) => `https://api.electricitymap.org/v3/carbon-intensity/latest?zone=${encodeURIComponent(zone)}`,
  },
  read,
};

async function read(file: CarbonFile): Promise<CarbonReading> {
  const said = checked(file, answer, await readJson(file, MOST_BYTES), '');
  const { zone, carbonIntensity, datetime, emissionFactorType: basis, isEstimated } = said;
  const from = new Date(datetime);
  const factor = {
    zone,
    valid_from: from.toISOString(),
    valid_to: new Date(from.getTime() + HOUR_MS).toISOString(),
    g_per_kwh: carbonIntensity,
    basis,
    kind: 'average',
    source_year: null,
    source_row: `${datetime}: ${zone} = ${carbonIntensity} gCO2eq/kWh, ${basis}${isEstimated === true ? ', estimated' : ''}`,
  } as const;
  return {
    rowsRead: 1,
    rowsKept: 1,
    refused: new Map(),
    editions: [
      {
        source: 'electricity-maps-live',
        scope: zone,
        zones: [{ zone, name: zone, country_code: zone.slice(0, 2) }],
        factors: [factor],
      },
    ],
  };
}
