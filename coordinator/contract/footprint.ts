import { z } from 'zod';

/** Ours, additive: what a measured run emitted and what its machine costs, or why there is no figure. */

const runCarbon = z
  .object({
    energy_wh: z.number().meta({ description: 'of all devices in the whole run, by their counters' }),
    g_co2e: z.number().meta({ description: 'energy_wh / 1000 x carbon_emission_rate' }),
    carbon_emission_rate: z.number().meta({ description: 'g CO2e per kWh at the place of the run' }),
    emission_factor_type: z.string().meta({ description: 'direct or lifecycle; the two must not be compared' }),
    carbon_region_code: z.string(),
    resolved_by: z.string().meta({ description: 'how the location led to the region' }),
    location: z.string(),
    source: z.string(),
    source_year: z.int().nullable(),
    per_pflop: z
      .object({
        metric: z.string(),
        tflops: z.number().meta({ description: 'measured, all devices' }),
        g_co2e_measured: z.number().meta({ description: 'per 10^15 operations, at the measured power' }),
        g_co2e_at_tdp: z
          .number()
          .nullable()
          .meta({ description: 'the same operations at the power of the data sheet; null where nobody publishes it' }),
      })
      .nullable()
      .meta({ description: 'null where no product or no power was measured' }),
  })
  .meta({ id: 'RunCarbon' });
export type RunCarbon = z.output<typeof runCarbon>;

const runCost = z
  .object({
    product_slug: z.string(),
    usd_per_gpu_hour: z.number().meta({ description: 'newest on-demand price over all countries' }),
    usd_per_hour: z.number().meta({ description: 'of all devices' }),
    usd_per_pflop_hour: z
      .number()
      .nullable()
      .meta({ description: 'an hour of 10^15 measured operations per second; null where none were measured' }),
    price_date: z.string(),
    provider_count: z.int(),
    sample_size: z.int(),
  })
  .meta({ id: 'RunCost' });
export type RunCost = z.output<typeof runCost>;

export const footprint = z
  .object({
    carbon: runCarbon.nullable(),
    carbon_reason: z.string().nullable().meta({ description: 'why there is no figure' }),
    cost: runCost.nullable().meta({ description: 'null where the product has no price younger than 30 days' }),
  })
  .meta({ id: 'Footprint' });
export type Footprint = z.output<typeof footprint>;

/** Total over the nodes of a job. Emissions by factors of different types are not added up. */
export const jobFootprint = z
  .object({
    nodes: z.int().meta({ description: 'that were measured and are not simulated' }),
    carbon: z.array(
      z.object({ emission_factor_type: z.string(), nodes: z.int(), energy_wh: z.number(), g_co2e: z.number() }),
    ),
    without_carbon: z
      .array(z.object({ task_id: z.string(), reason: z.string() }))
      .meta({ description: 'nodes without a figure, ten at most' }),
    cost: z.object({ nodes: z.int(), usd_per_hour: z.number() }).nullable(),
  })
  .meta({ id: 'JobFootprint' });
export type JobFootprint = z.output<typeof jobFootprint>;
