import { createRoute, z } from '@hono/zod-openapi';
import { access, needs } from './access.ts';
import { bodyLimit } from './body-limit.ts';
import { detailBody, envelopeErrorBody, envelopeOf } from './errors.ts';
import { sellersOfIndex, type IndexVersion } from './gpu-index.ts';
import { pageFields, resultsOf } from './list-body.ts';
import { ALL_COUNTRIES, priceRecord } from './market.ts';
import { json, jsonBody, speaks } from './operation.ts';
import { priceType, providerSourceType } from './price-type.ts';
import { day, instant, preset, queryInt, text } from './wire.ts';

/** The evidence for a published price, and the published prices that have changed. */

const LARGEST_INT = 2_147_483_647;

export const explainPriceRequest = z.object({
  product_id: z.int().min(1).max(LARGEST_INT),
  date: day,
  price_type: preset(priceType, 0),
  country: text(2)
    .default(ALL_COUNTRIES)
    .transform((code) => code.toUpperCase())
    .meta({ description: `ISO 3166-1 alpha-2; ${ALL_COUNTRIES}: the price over all countries` }),
  ...pageFields,
});
export type ExplainPriceRequest = z.output<typeof explainPriceRequest>;

const explainedVote = z.object({
  provider: z.string(),
  provider_source_type: providerSourceType,
  segment: z
    .string()
    .nullable()
    .meta({ description: 'a market beside the standard one, in which it votes; null: the standard one' }),
  price: z.number().meta({ description: 'median of the offers that are in it' }),
  observations: z.int(),
  cards: z
    .number()
    .nullable()
    .meta({ description: 'accelerators of the machine it is of; null: not stated, or several' }),
  oldest_quote: day,
  own_level: z.number().nullable().meta({ description: 'what the provider asked over the 30 days before' }),
  own_days: z.int().nullable().meta({
    description:
      'days whose votes `own_level` is the median of; null: there is none, or it stands from a day that did not keep them',
  }),
  counted: z.boolean(),
  reason: z.string().nullable().meta({ description: 'why it does not count' }),
});
export type ExplainedVote = z.infer<typeof explainedVote>;

const explainedObservation = z.object({
  provider: z.string(),
  country: z.string().nullable(),
  region: z.string().nullable(),
  price: z.number().meta({ description: 'USD per accelerator and hour; retail: USD per card' }),
  original_price: z.number(),
  currency: z.string(),
  gpu_count: z.number(),
  offer: z.string().nullable().meta({ description: 'what the source calls the machine' }),
  label: z.string().nullable().meta({ description: 'the source’s words for the accelerator' }),
  evidence: z.string().nullable().meta({ description: 'why they mean this product, if they alone would not' }),
  segment: z.string().nullable(),
  source: z.string(),
  file: z.string().nullable(),
  row: z.int().nullable().meta({ description: 'counted from 1 within its file' }),
  row_hash: z
    .string()
    .nullable()
    .meta({ description: 'the first bytes of the SHA-256 of what the row says, in hexadecimal' }),
  observed_at: instant,
  in_vote: z.boolean(),
  fate: z.string().meta({ description: 'what became of it' }),
});

const indexContribution = z.object({
  provider: z.string(),
  price: z.number(),
  quoted: day,
  price_before: z.number().nullable().meta({ description: 'on the day it is linked to' }),
  weight: z.number(),
});

const indexVersions = Object.keys(sellersOfIndex) as [IndexVersion, ...IndexVersion[]];
const explainedIndex = z.object({
  index_version: z.enum(indexVersions),
  value: z.number(),
  linked_to: z.object({ date: day, value: z.number() }).nullable().meta({
    description:
      'its value there times the product of (price / price_before) to the power of weight; null: the index begins here',
  }),
  contributions: z.array(indexContribution),
});

const restatement = z
  .object({
    id: z.string(),
    at: instant.meta({ description: 'when it was published anew' }),
    date: day.meta({ description: 'the day whose price changed' }),
    product_id: z.int(),
    product_slug: z.string(),
    price_type: z.int(),
    countries: z.array(z.string()).meta({ description: `in which it changed; ${ALL_COUNTRIES}: over all` }),
    before: z.number().nullable().meta({ description: 'the price over all countries; null: there was none' }),
    after: z.number().nullable(),
    reason: z.string(),
  })
  .meta({ id: 'Restatement' });
export type Restatement = z.infer<typeof restatement>;

const explainedPrice = z
  .object({
    product_id: z.int(),
    product_slug: z.string(),
    name: z.string(),
    date: day,
    price_type: z.int(),
    country: z.string(),
    price: priceRecord.nullable().meta({ description: 'null: no vote counts' }),
    votes: z.array(explainedVote),
    observations: resultsOf(explainedObservation),
    index: z
      .array(explainedIndex)
      .meta({ description: 'on demand over all countries only: each version that has a value' }),
    restatements: z.array(restatement),
  })
  .meta({ id: 'ExplainedPrice' });
export type ExplainedPrice = z.infer<typeof explainedPrice>;

const listRestatementsQuery = z.object({
  product_id: queryInt(1, LARGEST_INT).optional(),
  from: day.optional().meta({ description: 'prices of this day and later' }),
  to: day.optional().meta({ description: 'prices of this day and earlier' }),
  since: instant.optional().meta({ description: 'published anew at this instant or later' }),
  before: z
    .string()
    .regex(/^\d{1,18}$/, 'must be the next of the page before')
    .optional()
    .meta({ description: '`next` of the page before' }),
  num_per_page: preset(queryInt(1, 100), 50),
});
export type ListRestatementsQuery = z.output<typeof listRestatementsQuery>;

const restatementPage = z.object({
  results: z.array(restatement),
  next: z.string().nullable().meta({ description: '`before` of the next page; null: this is the last' }),
});

const common = {
  ...access.data,
  ...speaks('envelope', 'GPU market data'),
  'x-validation-dialect': 'detail',
  'x-choice': true,
} as const;
const answers = {
  401: json(envelopeErrorBody, 'No valid credential'),
  403: json(envelopeErrorBody, 'The credential does not open this; 34004: the subscription does not include it'),
  422: json(detailBody, 'A field is wrong'),
  429: json(envelopeErrorBody, 'Too many requests; Retry-After says when'),
};

export const explainPriceRoute = createRoute({
  ...common,
  ...needs({ product: 'price-evidence' }),
  method: 'post',
  path: '/api/data-hub/gpu/explain',
  operationId: 'gpu_explain_price',
  'x-body-limit': bodyLimit.small,
  summary: 'A published price down to the rows of its sources; for Professional and above',
  request: jsonBody(explainPriceRequest),
  responses: {
    ...answers,
    200: json(envelopeOf(explainedPrice), 'Price, votes, observations, index'),
    404: json(envelopeErrorBody, 'No such product'),
  },
});

export const listRestatementsRoute = createRoute({
  ...common,
  method: 'get',
  path: '/api/data-hub/gpu/restatements',
  operationId: 'gpu_restatements',
  summary: 'Published prices that changed afterwards: which days, when and why; the newest first',
  request: { query: listRestatementsQuery },
  responses: { ...answers, 200: json(envelopeOf(restatementPage), 'One page') },
});
