import { z } from 'zod';
import { text } from './wire.ts';

/** Longer than GPUs have existed; what is computed from it is still a finite figure. */
const MOST_HOURS = 100_000_000;
/** Most items of a batch that are parsed; above 50 the answer says that 50 are allowed. */
const MOST_READ = 1000;

const decimal = /^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$/;

/** A JSON number, or a number as text. */
const hours = z
  .union([z.number(), z.string().max(40).regex(decimal, 'must be a number').transform(Number)])
  .pipe(z.number().gt(0, 'must be greater than 0').max(MOST_HOURS))
  .meta({ type: 'number', exclusiveMinimum: 0, maximum: MOST_HOURS, description: 'Hours; more than 0' });

/** Absent, null and empty are the same: not given. */
const identifier = text(200)
  .nullish()
  .transform((value) => (value === undefined || value === null || value.trim() === '' ? null : value));

const gpu = {
  gpu_slug: identifier.meta({ description: 'Counts where both are given', example: 'nvidia-h100-sxm5-80gb' }),
  gpu_name: identifier.meta({ description: 'As in the catalogue; refused where several GPUs have it' }),
  hours_used: hours,
};

const countryCode = z
  .string()
  .trim()
  .regex(/^[A-Za-z]{2}$/, 'must be two letters (ISO 3166-1 alpha-2)')
  .transform((code) => code.toUpperCase())
  .meta({ example: 'US' });

const place = {
  zipcode: text(20).meta({ description: 'Empty for countries without post codes', example: '94105' }),
  country_code: countryCode,
};

export const gpuCarbonRequest = z.object({ ...gpu, ...place }).meta({ id: 'GpuCarbonRequest' });
export type GpuCarbonRequest = z.output<typeof gpuCarbonRequest>;

export const gpuProviderCarbonRequest = z
  .object({ ...gpu, provider: text(60, 1), provider_code: text(60, 1) })
  .meta({ id: 'GpuProviderCarbonRequest' });
export type GpuProviderCarbonRequest = z.output<typeof gpuProviderCarbonRequest>;

export const batchCarbonRequest = z
  .object({ data: z.array(gpuCarbonRequest).max(MOST_READ).default([]) })
  .meta({ id: 'BatchCarbonRequest' });
export type BatchItem = GpuCarbonRequest;

export const zoneRequest = z.object(place).meta({ id: 'ZoneEmissionRequest' });

const updated = z.string().meta({ description: 'UTC, without a zone', example: '2025-06-12T00:00:00' });
const rate = z.number().meta({ description: 'g CO2e per kWh' });
const grams = z
  .number()
  .meta({ description: 'g CO2e: gpu_tdp in W / 1000 x hours x carbon_emission_rate in g CO2e per kWh' });

const ofGpu = {
  carbonIntensity: grams,
  gpu_slug: z.string().nullable(),
  gpu_name: z.string().nullable(),
  gpu_tdp: z.number().meta({ description: 'W' }),
};
const ofZone = { carbon_emission_rate: rate, carbon_data_updated_time: updated };

export const gpuCarbon = z
  .object({
    ...ofGpu,
    zipcode: z.string(),
    country_code: z.string(),
    ...ofZone,
  })
  .meta({ id: 'GpuCarbon' });
export type GpuCarbon = z.output<typeof gpuCarbon>;

export const gpuProviderCarbon = z
  .object({
    ...ofGpu,
    hour: z.number(),
    provider: z.string(),
    provider_code: z.string(),
    ...ofZone,
  })
  .meta({ id: 'GpuProviderCarbon' });
export type GpuProviderCarbon = z.output<typeof gpuProviderCarbon>;

const batchResult = z
  .object({
    gpu_slug: z.string().nullable(),
    gpu_name: z.string().nullable(),
    gpu_tdp: z.number().nullable().meta({ description: 'W; 0: no such GPU, null: nobody publishes it' }),
    hours_used: z.number(),
    zipcode: z.string(),
    country_code: z.string(),
    carbon_emission_rate: rate.nullable(),
    carbon_data_updated_time: updated.nullable(),
    carbon_intensity: grams.nullable(),
  })
  .meta({ id: 'BatchCarbonResult' });
export type BatchResult = z.output<typeof batchResult>;

export const batchCarbon = z.object({ data_cnt: z.int(), data: z.array(batchResult) }).meta({ id: 'BatchCarbon' });

const zoneEmissionRate = z
  .object({
    zipcode: z.string(),
    country_code: z.string(),
    country_name: z.string(),
    carbon_region_code: z.string().meta({ description: 'eGRID subregion, zone of Electricity Maps, or country' }),
    carbon_emission_rate: rate,
    carbon_emission_rate_type: z.string().meta({ description: 'average' }),
    emission_factor_type: z.string().meta({ description: 'direct or lifecycle; the two must not be compared' }),
    extra_data: z.record(z.string(), z.unknown()).nullable().meta({
      description: 'Source, its year, row, licence and credit; how the place led to the region, and its others',
    }),
    updated_time: updated,
  })
  .meta({ id: 'ZoneEmissionRate' });
export type ZoneEmissionRate = z.output<typeof zoneEmissionRate>;

export const zoneEmission = z.object({ carbon_emission_rate: zoneEmissionRate.nullable() });

/** The beginning of a country's English name, or its code. */
export const countryQuery = z.object({ country_name: text(100).default('') });
export const countryRecord = z
  .object({ country_code: z.string(), country_name: z.string(), has_zipcodes: z.boolean() })
  .meta({ id: 'CountryRecord' });
export type CountryRecord = z.output<typeof countryRecord>;

export const countryCodeQuery = z.object({ country_code: countryCode });

const regionCode = z.object({
  code: z.string(),
  name: z.string(),
  country_code: z.string(),
  carbon_region_code: z.string(),
});
const providerRecord = z.object({ provider: z.string(), name: z.string() });
export const providerList = z.object({ providers: z.array(providerRecord) });
export const providersWithCodes = z.object({
  providers: z.array(providerRecord.extend({ codes: z.array(regionCode) })),
});
export const providerCodes = z
  .object({ provider: z.string(), codes: z.array(regionCode) })
  .meta({ id: 'ProviderCodes' });
export type ProviderCodes = z.output<typeof providerCodes>;
export const noProviderCodes = z.object({ provider: z.null(), codes: z.null() });
export const providerPath = z.object({ provider: text(60, 1) });
