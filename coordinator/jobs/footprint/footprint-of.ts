import { deviceNames } from '../../figures/device-name.ts';
import { z } from 'zod';
import { ruledVerdict } from '../../contract/figure-verdict.ts';
import type { Footprint, JobFootprint, RunCarbon, RunCost } from '../../contract/footprint.ts';
import type { Place, Site } from './site-of.ts';

/** Joules in a kWh, and TFLOP in a PFLOP. */
const JOULES_PER_KWH = 3_600_000;
const PER_PFLOP = 1000;

/** The metric that a machine is bought for, then the fallbacks; as on the first page of its report. */
const HEADLINES = ['bf16_tflops', 'fp16_tflops', 'fp32_tflops'] as const;

const figure = z.number().nullable();
const reasons = z.object({ energy_consumption_wh: z.string().optional() });
const verdicts = z.object({ energy_consumption_wh: ruledVerdict.optional() });

/** The parts of QuickMark's results that are needed here; stored ones have passed their own schema. */
const measured = z.object({
  test_results: z
    .array(
      z.object({
        vendor: z.string(),
        gpu_model: z.string(),
        simulated: z.boolean(),
        energy_consumption_wh: figure,
        unavailable: reasons,
        verdicts: verdicts.nullish(),
      }),
    )
    .min(1),
  aggregate_results: z.object({
    bf16_tflops: figure,
    fp16_tflops: figure,
    fp32_tflops: figure,
    power_consumption_watts: figure,
  }),
});
type Measured = z.output<typeof measured>;

/**
 * What a run emitted where it ran, by the energy that its devices counted, and what its machine costs by the newest prices. Null
 * if nothing was measured, or a device is simulated, whose energy nobody paid for.
 */
export function footprintOf({ place, reason, product, price }: Site, stored: unknown): Footprint | null {
  const parsed = measured.safeParse(stored);
  if (!parsed.success || parsed.data.test_results.some(({ simulated }) => simulated)) return null;
  const { test_results: devices } = parsed.data;
  const headline = headlineOf(parsed.data);
  // A machine with several models has no single price or data sheet.
  const known = product && devices.every(({ gpu_model }) => gpu_model === product.model) ? product : null;
  const cost = known && price && costOf(known.slug, price, { count: devices.length, headline });
  const energy = energyOf(devices);
  if ('reason' in energy) return { carbon: null, carbon_reason: energy.reason, cost };
  if (!place) return { carbon: null, carbon_reason: reason, cost };
  const sheetWatts = known?.tdp == null ? null : known.tdp * devices.length;
  const watts = parsed.data.aggregate_results.power_consumption_watts;
  const carbon = carbonOf(place, { wh: energy.wh, headline, watts, sheetWatts });
  return { carbon, carbon_reason: null, cost };
}

interface Headline {
  metric: (typeof HEADLINES)[number];
  tflops: number;
}

/** The first of these metrics that every device has, summed over the devices. */
function headlineOf({ aggregate_results: sums }: Measured): Headline | null {
  for (const metric of HEADLINES) {
    const tflops = sums[metric];
    if (tflops !== null && tflops > 0) return { metric, tflops };
  }
  return null;
}

/** Wh of all devices, or why it is unknown: a device without a counter, or one whose counter is not plausible. */
function energyOf(devices: Measured['test_results']): { wh: number } | { reason: string } {
  let wh = 0;
  const names = deviceNames(devices);
  for (const [at, { energy_consumption_wh: energy, unavailable, verdicts }] of devices.entries()) {
    if (energy === null) {
      const why = unavailable.energy_consumption_wh ?? 'no reason was given';
      return { reason: `the energy of ${names[at]} was not measured: ${why}` };
    }
    const verdict = verdicts?.energy_consumption_wh;
    if (verdict && verdict.verdict !== 'ok')
      return { reason: `the energy of ${names[at]} is not plausible: ${verdict.rule}` };
    wh += energy;
  }
  return { wh };
}

/** g CO2e for 10^15 operations of a machine that draws `watts` at a rate of `tflops`. */
const gramsPerPflop = (watts: number, tflops: number, gramsPerKwh: number): number =>
  ((watts / tflops) * PER_PFLOP * gramsPerKwh) / JOULES_PER_KWH;

function carbonOf(
  place: Place,
  given: { wh: number; headline: Headline | null; watts: number | null; sheetWatts: number | null },
): RunCarbon {
  const { wh, headline, watts, sheetWatts } = given;
  const rate = place.carbon_emission_rate;
  const grams = (power: number, { tflops }: Headline): number => gramsPerPflop(power, tflops, rate);
  return {
    energy_wh: wh,
    g_co2e: (wh / 1000) * rate,
    ...place,
    per_pflop:
      headline === null || watts === null
        ? null
        : {
            ...headline,
            g_co2e_measured: grams(watts, headline),
            g_co2e_at_tdp: sheetWatts === null ? null : grams(sheetWatts, headline),
          },
  };
}

function costOf(
  slug: string,
  price: NonNullable<Site['price']>,
  { count, headline }: { count: number; headline: Headline | null },
): RunCost {
  const perHour = price.usd_per_gpu_hour * count;
  return {
    product_slug: slug,
    ...price,
    usd_per_hour: perHour,
    usd_per_pflop_hour: headline && (perHour * PER_PFLOP) / headline.tflops,
  };
}

/** Nodes that are listed with their reason. */
const MOST_REASONS = 10;

/** Sums over nodes, by basis, since figures of different bases are not added up. */
export function sumFootprints(known: readonly (Footprint & { task_id: string })[]): JobFootprint {
  const carbons = Map.groupBy(
    known.flatMap(({ carbon }) => carbon ?? []),
    ({ emission_factor_type }) => emission_factor_type,
  );
  const costs = known.flatMap(({ cost }) => cost ?? []);
  return {
    nodes: known.length,
    carbon: [...carbons].map(([emission_factor_type, ofBasis]) => ({
      emission_factor_type,
      nodes: ofBasis.length,
      energy_wh: sum(ofBasis.map(({ energy_wh }) => energy_wh)),
      g_co2e: sum(ofBasis.map(({ g_co2e }) => g_co2e)),
    })),
    without_carbon: known
      .flatMap(({ task_id, carbon_reason: reason }) => (reason === null ? [] : [{ task_id, reason }]))
      .slice(0, MOST_REASONS),
    cost:
      costs.length === 0
        ? null
        : { nodes: costs.length, usd_per_hour: sum(costs.map(({ usd_per_hour }) => usd_per_hour)) },
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
