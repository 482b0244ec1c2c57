import { createRoute, z } from '@hono/zod-openapi';
import { bodyLimit } from './body-limit.ts';
import { access, needs } from './access.ts';
import { envelopeErrorBody, envelopeOf } from './errors.ts';
import { indexAnswer, indexDates } from './index-dates.ts';
import { json, jsonBody, speaks } from './operation.ts';
import type { ProviderSourceType } from './price-type.ts';
import { day, text } from './wire.ts';

/** Kind of provider whose prices each version of the index contains; null: all kinds. */
export const sellersOfIndex = { neo: 'Neocloud', hs: 'Hyperscaler', all: null } as const satisfies Record<
  string,
  ProviderSourceType | null
>;
export type IndexVersion = keyof typeof sellersOfIndex;

const gpuIndexRequest = z.object({
  gpu: text(80, 1).meta({
    description: 'slug or name of a product; upper and lower case are the same',
    example: 'nvidia-h100-sxm-80gb',
  }),
  index_version: text(60, 1)
    .transform((version) => version.toLowerCase())
    .pipe(z.enum(['neo', 'hs', 'all']))
    .default('neo')
    .meta({ description: 'neo: neoclouds; hs: hyperscalers; all: both, and marketplaces' }),
  ...indexDates,
});
export type GpuIndexRequest = z.output<typeof gpuIndexRequest>;

const gpuIndex = z
  .object({
    gpu: z.string(),
    ...indexAnswer,
    contributors: z.record(z.string(), z.int()).meta({
      description: 'day -> providers behind its value; a day without a value is left out: insufficient data',
      example: { '2026-08-21': 5 },
    }),
    begins: z.array(day).meta({
      description: 'days of the range on which the index begins, or begins anew, and is linked to no day before',
    }),
  })
  .meta({ id: 'GpuIndex' });
export type GpuIndex = z.infer<typeof gpuIndex>;

export const gpuIndexRoute = createRoute({
  ...access.data,
  ...needs({ product: 'gpu-index' }),
  ...speaks('envelope', 'GPU index'),
  'x-choice': true,
  method: 'post',
  path: '/api/gpu-index/index',
  operationId: 'gpu_index',
  'x-body-limit': bodyLimit.query,
  summary: 'On-demand rental price index by day in USD per GPU hour, chain-linked; for Plus and above',
  description: [
    'Begins as the geometric mean of the quotes of at least three providers and moves by the geometric mean of what the same providers ask on both days, with equal weights: who enters or leaves does not move it.',
    'A quote is a provider’s vote over all countries that passed the screens; it holds for 7 days if it is of a price list, 1 of a marketplace, 30 of a table that people edit.',
    "A day with fewer than three providers on both sides is '-1', insufficient data; the next one is linked over it. After 30 such days the index begins anew.",
  ].join(' '),
  request: jsonBody(gpuIndexRequest),
  responses: {
    200: json(envelopeOf(gpuIndex), 'One value a day'),
    400: json(envelopeErrorBody, '10008: starting_date is after ending_date'),
    401: json(envelopeErrorBody, 'No valid credential'),
    403: json(envelopeErrorBody, '34004: the subscription does not include it'),
    422: json(envelopeErrorBody, 'A field is wrong; a date too early or in the future, too'),
    429: json(envelopeErrorBody, 'Too many requests; Retry-After says when'),
  },
});
