import { createRoute, z } from '@hono/zod-openapi';
import { access, needs } from './access.ts';
import { detailBody, envelopeErrorBody, envelopeOf } from './errors.ts';
import { json, speaks } from './operation.ts';
import { day, text } from './wire.ts';

const breakevenRequest = z.object({
  model: text(200, 1).meta({ description: 'developer/name, or the name alone', example: 'deepseek/deepseek-v3.2' }),
  product: text(80, 1).meta({ description: 'slug or name of a GPU product', example: 'nvidia-h100-sxm-80gb' }),
  bytes_per_weight: z
    .enum(['0.5', '1', '2'])
    .default('1')
    .transform(Number)
    .meta({ description: '1: weights of 8 bits', example: '1' }),
});
export type BreakevenRequest = z.output<typeof breakevenRequest>;

const breakeven = z
  .object({
    model: z.string(),
    product_slug: z.string(),
    breakeven_tokens_per_second: z.number().nullable().meta({
      description:
        '(USD per GPU hour x GPUs) / 3600 / (USD per output token): from here on renting costs less than the cheapest listed price',
    }),
    decode_ceiling_tokens_per_second: z.number().nullable().meta({
      description: 'of one stream: bandwidth of the GPUs / (active weights x bytes of a weight); no engine is above it',
    }),
    streams_needed: z.number().nullable().meta({
      description:
        'streams at that ceiling which make the break-even, rounded up; streams that share a batch read the weights once',
    }),
    gpus: z.int().nullable().meta({ description: 'that hold the weights' }),
    reasons: z.array(z.string()).meta({ description: 'what is missing where a figure is null' }),
    inputs: z.object({
      model_type: z.string().nullable().meta({ description: 'null: not known' }),
      total_param: z.number().nullable().meta({ description: 'billions' }),
      active_param: z.number().nullable().meta({ description: 'billions' }),
      memory_gb: z.number().nullable().meta({ description: 'of one GPU' }),
      bandwidth_gb_per_second: z.number().nullable().meta({ description: 'of one GPU' }),
      bandwidth_basis: z.enum(['measured', 'published']).nullable().meta({
        description:
          'measured: the median of one vote per customer, of at least five with eight machines; else as its vendor publishes it',
      }),
      bandwidth_machines: z.int().nullable().meta({ description: 'that were measured' }),
      rental_usd_per_gpu_hour: z
        .number()
        .nullable()
        .meta({ description: 'on demand, newest mean over all countries, at most 30 days old' }),
      rental_date: day.nullable(),
      price_output: z.number().nullable().meta({ description: 'USD per million output tokens, the cheapest listed' }),
      price_source_id: z.string().nullable(),
      price_date: day.nullable(),
    }),
    assumptions: z.array(z.string()),
  })
  .meta({ id: 'TokenBreakeven' });
export type Breakeven = z.infer<typeof breakeven>;

export const breakevenRoute = createRoute({
  ...access.data,
  ...needs({ product: 'token-prices' }),
  ...speaks('envelope', 'Token prices'),
  ...({ 'x-validation-dialect': 'detail', 'x-choice': true } as const),
  method: 'get',
  path: '/api/token-price/breakeven',
  operationId: 'token_price_breakeven',
  summary: 'Tokens per second at which renting a GPU beats the cheapest listed price of an open model; for Enterprise',
  request: { query: breakevenRequest },
  responses: {
    200: json(
      envelopeOf(breakeven),
      'The figure with all that it is made of; null with the reason if something is missing',
    ),
    401: json(envelopeErrorBody, 'No valid credential'),
    403: json(envelopeErrorBody, '34004: the subscription does not include token prices'),
    422: json(detailBody, 'A field is wrong, or there is no such model or product'),
    429: json(envelopeErrorBody, 'Too many requests; Retry-After says when'),
  },
});
