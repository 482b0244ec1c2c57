import { z } from 'zod';
import { gramsPerKwh, type Factor } from '../../carbon/factors/factor.ts';
import { checked, readJson } from '../reading/read-json.ts';
import { Tally } from '../tally.ts';
import type { CarbonConnector, CarbonFile, CarbonReading, CarbonRefusal } from './carbon-connector.ts';

/** A day of five-minute points is some 30 kB. */
const MOST_BYTES = 1024 * 1024;
const MOST_POINTS = 1000;
const POINT_MS = 300_000;
const HOUR_MS = 3_600_000;

/** MOER: emissions of one kWh more; AOER: average of all running generation. CO2 alone, at the stacks. */
const kinds = { co2_moer: 'marginal', co2_aoer: 'average' } as const;

const answer = z.object({
  meta: z.object({
    region: z.string().regex(/^[A-Z][A-Z0-9_]{1,60}$/, 'must be a region'),
    signal_type: z.enum(['co2_moer', 'co2_aoer']),
    units: z.literal('lbs_co2_per_mwh'),
    data_point_period_seconds: z.int().positive().max(86_400).optional(),
  }),
  data: z
    .array(z.object({ point_time: z.iso.datetime({ offset: true }), value: z.number().min(0).max(10_000) }))
    .max(MOST_POINTS),
});

/**
 * WattTime's answer for a region (v3: `/forecast` and `/historical`), with the operator's token from `/login`, which is valid
 * for half an hour. Regions are WattTime's own: they are stored as zones `watttime:...`, which answer no request by themselves;
 * marginal figures never do.
 */
export const watttime: CarbonConnector = {
  name: 'watttime',
  title: 'WattTime, now in a region (with a token)',
  url: null,
  live: {
    keyIn: 'WATTTIME_TOKEN',
    header: 'authorization',
    scheme: 'Bearer ',
    addressOf: (region) =>
      `https://api.watttime.org/v3/forecast?region=${encodeURIComponent(region)}&signal_type=co2_moer&horizon_hours=0`,
  },
  read,
};

async function read(file: CarbonFile): Promise<CarbonReading> {
  const { meta, data } = checked(file, answer, await readJson(file, MOST_BYTES), '');
  const zone = `watttime:${meta.region}`;
  const period = meta.data_point_period_seconds === undefined ? POINT_MS : meta.data_point_period_seconds * 1000;
  const factors = new Map<string, Factor>();
  const tally = new Tally<CarbonRefusal>();
  for (const [at, { point_time, value }] of data.entries()) {
    const from = new Date(point_time);
    const factor: Factor = {
      zone,
      valid_from: from.toISOString(),
      valid_to: new Date(from.getTime() + Math.min(period, HOUR_MS)).toISOString(),
      g_per_kwh: gramsPerKwh(value),
      basis: 'direct',
      kind: kinds[meta.signal_type],
      source_year: null,
      source_row: `${point_time}: ${meta.region} ${meta.signal_type} = ${value} lb/MWh`,
    };
    if (factors.has(factor.valid_from)) tally.refuse('repeated', at + 1, point_time);
    else factors.set(factor.valid_from, factor);
  }
  return {
    rowsRead: data.length,
    rowsKept: factors.size,
    refused: tally.refused,
    editions: [
      {
        source: 'watttime',
        scope: `${meta.region} ${meta.signal_type}`,
        zones: [{ zone, name: `WattTime, ${meta.region}`, country_code: null }],
        factors: [...factors.values()],
      },
    ],
  };
}
