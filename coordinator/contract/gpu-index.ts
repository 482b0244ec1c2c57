import { createRoute, z } from '@hono/zod-openapi';
import { bodyLimit } from './body-limit.ts';
import { access, needs } from './access.ts';
import { envelopeErrorBody, envelopeOf } from './errors.ts';
import { indexAnswer, indexDates } from './index-dates.ts';
import { json, jsonBody, speaks } from './operation.ts';
import type { ProviderSourceType } from './price-type.ts';
import { text } from './wire.ts';

/** Whose prices each version of the index is of. */
export const sellersOfIndex = { neo: 'Neocloud', hs: 'Hyperscaler' } as const satisfies Record<
  string,
  ProviderSourceType
>;
export type IndexVersion = keyof typeof sellersOfIndex;

export const gpuIndexRequest = z.object({
  gpu: text(80, 1).meta({
    description: 'slug or name of a product; upper and lower case are the same',
    example: 'nvidia-h100-sxm-80gb',
  }),
  index_version: text(60, 1)
    .transform((version) => version.toLowerCase())
    .pipe(z.enum(['neo', 'hs']))
    .default('neo')
    .meta({ description: 'neo: neoclouds; hs: hyperscalers' }),
  ...indexDates,
});
export type GpuIndexRequest = z.output<typeof gpuIndexRequest>;

export const gpuIndex = z.object({ gpu: z.string(), ...indexAnswer }).meta({ id: 'GpuIndex' });
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
  summary: 'On-demand rental price by day in USD per GPU hour, of neoclouds or hyperscalers; for Plus and above',
  request: jsonBody(gpuIndexRequest),
  responses: {
    200: json(envelopeOf(gpuIndex), 'One value a day'),
    400: json(envelopeErrorBody, '10008: the range of dates'),
    401: json(envelopeErrorBody, 'No valid credential'),
    403: json(envelopeErrorBody, '34004: the subscription does not include it'),
    422: json(envelopeErrorBody, 'A field is wrong'),
    429: json(envelopeErrorBody, 'Too many requests; Retry-After says when'),
  },
});
