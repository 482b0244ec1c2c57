import { createRoute, z } from '@hono/zod-openapi';
import { access, needs } from './access.ts';
import { bodyLimit } from './body-limit.ts';
import { detailBody, envelopeErrorBody, envelopeOf } from './errors.ts';
import { json, jsonBody, speaks } from './operation.ts';
import { priceType, priceTypes, providerSourceType } from './price-type.ts';
import { day, instant, preset, text } from './wire.ts';

export const cpuPlatforms = ['intel', 'amd', 'arm', 'other'] as const;
/** Retail prices are listed but not predicted. */
export const predictedTypes = priceTypes.filter((type) => type < 100);
const MOST_GPUS = 100_000;

const place = {
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'must be two letters (ISO 3166-1)')
    .transform((code) => code.toUpperCase())
    .optional()
    .meta({ description: 'ISO 3166-1 alpha-2; this or region', example: 'US' }),
  region: text(20, 1).optional().meta({ description: 'a continent by code or name: EU, Europe', example: 'EU' }),
};

const oneOfPlace = ({ country, region }: { country?: string | undefined; region?: string | undefined }): boolean =>
  (country === undefined) !== (region === undefined);
const placeError = { error: 'exactly one of country and region must be given', path: ['country'] };

export const predictRequest = z
  .object({
    gpu_name: text(80, 1)
      .optional()
      .meta({ description: 'slug, name or label of a product; this or slug', example: 'H100 SXM' }),
    slug: text(80, 1).optional().meta({ description: 'slug of a product', example: 'nvidia-h100-sxm-80gb' }),
    gpu_count: z.int().min(1).max(MOST_GPUS).default(1).meta({ description: 'GPUs of one machine' }),
    memory_gb: z
      .number()
      .positive()
      .max(10_000)
      .optional()
      .meta({ description: 'of one GPU, where the name leaves it open' }),
    form_factor: text(20, 1).optional().meta({ description: 'SXM, PCIe, NVL, OAM, where the name leaves it open' }),
    cpu_platform: z
      .enum(cpuPlatforms)
      .optional()
      .meta({ description: 'accepted; no source of prices says it, so it changes nothing' }),
    price_type: preset(priceType, 0),
    provider_source_type: providerSourceType.optional().meta({ description: 'absent: as those who sell it are' }),
    ...place,
  })
  .refine(oneOfPlace, placeError)
  .refine(({ gpu_name, slug }) => gpu_name !== undefined || slug !== undefined, {
    error: 'Field required: gpu_name or slug',
    path: ['gpu_name'],
  });
export type PredictRequest = z.output<typeof predictRequest>;

const percentiles = z.object({
  p5: z.number(),
  p10: z.number(),
  p25: z.number(),
  p50: z.number(),
  p75: z.number(),
  p90: z.number(),
  p95: z.number(),
});
export type Percentiles = z.infer<typeof percentiles>;

const offer = z.object({
  provider: z.string(),
  provider_source_type: z.string(),
  date: day,
  country: z.string().meta({ description: 'ZZ: not said' }),
  gpu_count: z.number().nullable().meta({ description: 'of the machine; null: not stated' }),
  price: z.number().meta({ description: 'USD per GPU hour, the median of the month up to the date' }),
  days: z.int().optional().meta({ description: 'how many days `price` is the median of; older models do not say' }),
});

const prediction = z
  .object({
    product_slug: z.string(),
    price_type: z.int(),
    predicted_price: z.number(),
    currency: z.literal('USD'),
    unit: z.literal('GPU hour'),
    percentiles,
    interval_basis: z.string(),
    sample_size: z.int().meta({ description: 'providers whose prices of the product and its chip are behind it' }),
    residuals: z.int().meta({
      description:
        'past predictions, each of a price without its own provider, whose errors the percentiles are of; those of a provider have one vote together',
    }),
    comparable_offers: z.array(offer).max(5),
    as_of: day.meta({ description: 'the newest price in the model; the prediction is of this day' }),
    model_version: z.string(),
    trained_at: instant,
    backtest: z.object({
      mape: z
        .number()
        .nullable()
        .meta({ description: 'mean error as a share of the price, providers left out one at a time' }),
      coverage_80: z
        .number()
        .nullable()
        .meta({ description: 'share of a provider’s prices within their 80 % interval, the mean over providers' }),
      median_ape: z.number().nullable(),
      votes: z.int(),
    }),
    notes: z.array(z.string()),
  })
  .meta({ id: 'Prediction' });
export type Prediction = z.infer<typeof prediction>;

const specsList = z
  .object({
    gpus: z.array(
      z.object({
        gpu_name: z.string(),
        slug: z.string(),
        chip: z.string(),
        memory_gb: z.number().nullable(),
        form_factor: z.string().nullable(),
        countries: z.array(z.string()),
        regions: z.array(z.string()),
        price_types: z.array(z.int()),
        sample_size: z.int().meta({ description: 'providers of the product and its chip' }),
      }),
    ),
    geolocations: z.object({
      countries: z.array(z.string()),
      regions: z.array(z.object({ code: z.string(), name: z.string() })),
    }),
    price_types: z.array(z.object({ value: z.int(), description: z.string() })),
    cpu_platforms: z.array(z.string()),
    provider_source_types: z.array(z.string()),
    as_of: day.nullable(),
    model_version: z.string().nullable(),
  })
  .meta({ id: 'PredictionSpecs' });
export type SpecsList = z.infer<typeof specsList>;

export const rentOrBuyRequest = z
  .object({
    gpu: text(80, 1).meta({ description: 'slug or name of one product', example: 'nvidia-l40s-48gb' }),
    utilisation: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: 'share of the hours in which it works; rent is paid for these' }),
    horizon_months: z.int().min(1).max(36),
    electricity_price: z.number().min(0).max(100).meta({ description: 'USD per kWh, of the caller', example: 0.15 }),
    retail_price: z
      .number()
      .positive()
      .max(10_000_000)
      .optional()
      .meta({ description: 'USD of one GPU; absent: as observed' }),
    power_watts: z
      .number()
      .positive()
      .max(100_000)
      .optional()
      .meta({ description: 'measured, of one GPU at work; absent: its TDP' }),
    provider_source_type: providerSourceType.optional(),
    ...place,
  })
  .refine(oneOfPlace, placeError);
export type RentOrBuyRequest = z.output<typeof rentOrBuyRequest>;

const input = z.object({ value: z.number().nullable(), unit: z.string(), source: z.string() });

const rentOrBuy = z
  .object({
    product_slug: z.string(),
    currency: z.literal('USD'),
    break_even_month: z.number().nullable().meta({
      description:
        'from here on renting has cost more than buying, less what the GPU would be sold for; null: not within the horizon',
    }),
    break_even_interval: z
      .object({ early: z.number().nullable(), late: z.number().nullable() })
      .meta({ description: 'with rent at the 90th and at the 10th percentile; null: not within the horizon' }),
    months: z.array(
      z.object({
        month: z.int(),
        rent_rate: z.number().meta({ description: 'USD per GPU hour in that month' }),
        rent: z.number().meta({ description: 'USD, in all so far' }),
        buy: z.number().meta({ description: 'USD, in all so far, less resale at that month' }),
      }),
    ),
    inputs: z.record(z.string(), input),
    assumptions: z.array(z.string()),
  })
  .meta({ id: 'RentOrBuy' });
export type RentOrBuy = z.infer<typeof rentOrBuy>;

const common = {
  ...access.data,
  ...speaks('envelope', 'Price prediction'),
  'x-validation-dialect': 'detail',
} as const;
const ofTier = { ...common, ...needs({ product: 'price-iq' }), method: 'post' } as const;
const errors = {
  401: json(envelopeErrorBody, 'No valid credential'),
  403: json(envelopeErrorBody, '34004: the subscription does not include it'),
  429: json(envelopeErrorBody, 'Too many requests; Retry-After says when'),
};
const unsupported = json(
  detailBody,
  'A field is wrong, or the data do not carry a number: what is missing, and the nearest combination that they carry',
);

export const predictRoute = createRoute({
  ...ofTier,
  operationId: 'price_iq_predict',
  'x-body-limit': bodyLimit.small,
  summary: 'What a GPU should cost per hour somewhere, with the distribution of its price; for Plus and above',
  description: [
    'A weighted ridge regression of log price on chip, product, price type, kind of provider, region, country, cards and age, over the votes of a year that lose half their weight in 120 days; levels of single providers are estimated beside it and are zero here.',
    'Percentiles are those of prices that were predicted without their own provider (conformal). Contracts of months are the price on demand times what providers’ own contracts cost over their own price on demand.',
    'Fewer than five providers behind the product and its chip, or a country without prices of the chip: 422.',
  ].join(' '),
  path: '/api/price-iq/predict',
  request: jsonBody(predictRequest),
  responses: {
    ...errors,
    200: json(envelopeOf(prediction), 'The prediction with what it stands on'),
    422: unsupported,
  },
});

export const specsListRoute = createRoute({
  ...common,
  method: 'get',
  operationId: 'price_iq_specs_list',
  summary: 'What predict takes: GPUs, places, price types, CPU platforms; open to every customer',
  path: '/api/price-iq/specs-list',
  responses: { ...errors, 200: json(envelopeOf(specsList), 'All of it; without a model no GPU') },
});

export const rentOrBuyRoute = createRoute({
  ...ofTier,
  'x-choice': true,
  operationId: 'price_iq_rent_or_buy',
  'x-body-limit': bodyLimit.small,
  summary: 'Renting a GPU along its forward curve beside buying it: money by month, and the month in which they meet',
  path: '/api/price-iq/rent-or-buy',
  request: jsonBody(rentOrBuyRequest),
  responses: { ...errors, 200: json(envelopeOf(rentOrBuy), 'Both, with every input and its source'), 422: unsupported },
});
