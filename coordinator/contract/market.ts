import { z } from 'zod';
import { day } from './wire.ts';
import { keyed, keyword, orderBy, pageFields, paginate } from './list-body.ts';
import { priceType, providerSourceType } from './price-type.ts';
import { text } from './wire.ts';

const figure = (description: string) => z.number().nullable().meta({ description });

export const architecture = z
  .string()
  .nullable()
  .meta({ description: 'what the chip is built as, in its maker’s words', example: 'Hopper' });

/** A product in the data hub's lists. An unknown figure is null. */
export const gpuProduct = z
  .object({
    product_id: z.int(),
    product_slug: z.string(),
    chip: z.string(),
    name: z.string(),
    manufacturer: z.string(),
    mem: figure('GB'),
    mem_bus: figure('bits'),
    bus: z.string().nullable(),
    bandwidth: figure('GB/s'),
    tdp: figure('W'),
    fp16: figure('TFLOPS, dense: on matrix units where there are any, without sparsity'),
    msrp: figure('USD at launch'),
    released_date: z.string().nullable().meta({ description: 'YYYY-MM-DD' }),
    architecture,
  })
  .meta({ id: 'GpuProduct' });
export type GpuProduct = z.infer<typeof gpuProduct>;

/** All countries together; the code belongs to no country. */
export const ALL_COUNTRIES = 'WW';

/** Country of prices whose providers do not state one; ISO 3166-1 leaves the code to its users. */
export const UNKNOWN_COUNTRY = 'ZZ';

const priceStatus = z.enum(['ok', 'thin', 'insufficient']).nullable().meta({
  description:
    'ok: votes of at least three providers; thin: of two; insufficient: one provider’s price, not a market’s',
});
export type PriceStatus = NonNullable<z.infer<typeof priceStatus>>;

/** The evidence for one price. Null if an earlier release computed the price, until it is computed again. */
const support = {
  provider_count: z.int().meta({ description: 'providers with one vote each' }),
  sample_size: z.int().meta({ description: 'observations behind their votes' }),
  median: z.number().meta({ description: 'of the votes' }),
  p10: z.number().nullable().meta({ description: 'a tenth of the votes lie below, linear between two' }),
  p90: z.number().nullable(),
  oldest_quote: day.nullable().meta({ description: 'day of the oldest observation in it' }),
  status: priceStatus,
};

/** One day's price of a product in a country. The misspelt field name is the interface's. */
export const priceRecord = z
  .object({
    product_id: z.int(),
    product_slug: z.string(),
    chip: z.string(),
    name: z.string(),
    manufacturer: z.string(),
    date: day,
    country: z.string().meta({
      description: `ISO 3166-1 alpha-2; ${UNKNOWN_COUNTRY} where the providers do not say where; ${ALL_COUNTRIES} over all countries`,
      example: 'US',
    }),
    price_type: z.int(),
    price_type_descriptioin: z.string(),
    price: z.number().meta({ description: 'USD per GPU hour; retail: USD per card. Mean of the providers’ votes' }),
    ...support,
  })
  .meta({ id: 'PriceRecord' });
export type PriceRecord = z.infer<typeof priceRecord>;

export const countryPriceRecord = priceRecord.extend({ country_name: z.string() }).meta({ id: 'CountryPriceRecord' });
export type CountryPriceRecord = z.infer<typeof countryPriceRecord>;

const country = text(2)
  .default('')
  .transform((code) => code.toUpperCase())
  .meta({ description: `ISO 3166-1 alpha-2; empty: each of them; ${ALL_COUNTRIES}: the price over all countries` });

export const specsQueryRequest = z
  .object({ ...pageFields, keyword })
  .default({ num_per_page: 50, page_num: 1, keyword: '' });
export type SpecsQueryRequest = z.output<typeof specsQueryRequest>;

export const latestPriceRequest = z
  .object({
    ...pageFields,
    keyword,
    product_id: z.int().min(0).max(2_147_483_647).default(0).meta({ description: '0: all' }),
    country,
    price_type: priceType.optional(),
  })
  .prefault({});
export type LatestPriceRequest = z.output<typeof latestPriceRequest>;

const MOST_DAYS = 90;
const DAY_MS = 86_400_000;

export const historyPriceRequest = z
  .object({
    product_id: z.int().min(1).max(2_147_483_647),
    start_date: day,
    end_date: day,
    price_type: priceType,
    country,
    ...pageFields,
  })
  .superRefine(({ start_date, end_date }, context) => {
    const days = (Date.parse(end_date) - Date.parse(start_date)) / DAY_MS;
    const message =
      days < 0
        ? 'must not be before start_date'
        : days > MOST_DAYS
          ? `must be at most ${MOST_DAYS} days after start_date`
          : null;
    if (message !== null) context.addIssue({ code: 'custom', path: ['end_date'], message });
  });
export type HistoryPriceRequest = z.output<typeof historyPriceRequest>;

const filterPriceColumns = ['date', 'price', 'product_slug', 'name', 'country', 'price_type'] as const;

const priceFilter = keyed({
  product_id: z.int().min(1).max(2_147_483_647),
  product_slug: text(200),
  name: text(200),
  country: text(200),
  manufacturer: text(200),
  chip: text(200),
  price_type: priceType,
  price_min: z.number().nonnegative(),
  price_max: z.number().nonnegative(),
  start_date: day,
  end_date: day,
});

export const filterPriceRequest = z.object({
  filter: priceFilter.default([]).meta({
    description:
      'one key each: product_id, product_slug, name, country, manufacturer, chip, price_type, price_min, price_max, start_date, end_date. name: a part of it, the other texts whole; upper and lower case are the same. A repeated key means any of its values, different keys mean all. Without a date: the latest price of each. start_date: at most 366 days before end_date, which is today unless given. With dates the pages reach row 10,000; archives hold everything',
  }),
  order_by: orderBy(filterPriceColumns),
  paginate,
});
export type FilterPriceRequest = z.output<typeof filterPriceRequest>;

/** Figures of a country, from the newest price of each product and term in it. */
export const countrySummary = z
  .object({
    country: z.string(),
    country_name: z.string(),
    product_count: z.int(),
    provider_count: z.int(),
    price_min: z.number().meta({ description: 'USD per GPU hour, on demand' }).nullable(),
    price_median: z.number().nullable(),
    price_max: z.number().nullable(),
    updated: day.meta({ description: 'day of the newest price' }),
  })
  .meta({ id: 'CountrySummary' });
export type CountrySummary = z.infer<typeof countrySummary>;

export const filterMap = z
  .object({
    countries: z.array(z.object({ country: z.string(), country_name: z.string() })),
    price_types: z.array(z.object({ value: z.int(), description: z.string() })),
    manufacturers: z.array(z.string()),
    chips: z.array(z.string()),
    products: z.array(z.object({ product_id: z.int(), product_slug: z.string(), name: z.string() })),
  })
  .meta({ id: 'FilterMap' });
export type FilterMap = z.infer<typeof filterMap>;

export const providerRecord = z
  .object({
    id: z.string(),
    name: z.string(),
    provider_source_type: providerSourceType,
    countries: z.array(z.string()),
    product_count: z.int(),
    first_seen: day,
    last_seen: day,
  })
  .meta({ id: 'Provider' });
export type ProviderRecord = z.infer<typeof providerRecord>;

export const providerListRequest = specsQueryRequest;

export const archiveIntervals = ['day', 'month', 'quarter', 'year'] as const;
export const archiveTypes = ['rental', 'retail'] as const;
/** The interface writes a period in two ways: by name here, as a range of days in the lists of token prices. Accepts both. */
const period = z
  .string()
  .regex(
    /^(\d{4}(-\d{2}(-\d{2})?|-Q[1-4])?|\d{4}\/\d{2}\/\d{2}-\d{4}\/\d{2}\/\d{2})$/,
    "must be 'YYYY-MM-DD', 'YYYY-MM', 'YYYY-Qn', 'YYYY' or 'YYYY/MM/DD-YYYY/MM/DD'",
  )
  .refine((text) => {
    const [from = '', to = from] = text.includes('/')
      ? text.replaceAll('/', '').split('-')
      : [text.replaceAll('-', '')];
    return from <= to && [from, to].every(isInCalendar);
  }, 'must be of the calendar, a range in its order');

/** Takes 2026, 202608 or 20260821; every quarter is in the calendar. */
const isInCalendar = (digits: string): boolean =>
  digits.includes('Q') ||
  day.safeParse(`${digits.slice(0, 4)}-${digits.slice(4, 6) || '01'}-${digits.slice(6) || '01'}`).success;

const archiveFilter = keyed(
  { tier: z.int().min(2).max(3), interval: z.enum(archiveIntervals), type: z.enum(archiveTypes), period },
  20,
);

export const archiveListRequest = z
  .object({
    filter: archiveFilter.default([]).meta({
      description: 'tier is 3 unless told otherwise; a repeated key means any of its values, different keys mean all',
    }),
    order_by: orderBy(['period']),
    paginate,
  })
  .prefault({});
export type ArchiveListRequest = z.output<typeof archiveListRequest>;

export const archiveFile = z
  .object({
    id: z.string(),
    sequence_id: z.int().meta({ description: 'grows with each file that was built' }),
    tier: z.int(),
    interval: z.enum(archiveIntervals),
    period: z.string(),
    type: z.enum(archiveTypes),
    csv_s3_path: z.string(),
  })
  .meta({ id: 'ArchiveFile' });
export type ArchiveFile = z.infer<typeof archiveFile>;
