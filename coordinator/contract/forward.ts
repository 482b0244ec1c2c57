import { createRoute, z } from '@hono/zod-openapi';
import { access, needs } from './access.ts';
import { bodyLimit } from './body-limit.ts';
import { detailBody, envelopeErrorBody, envelopeOf } from './errors.ts';
import { paginate, resultsOf } from './list-body.ts';
import { json, jsonBody, speaks } from './operation.ts';
import { providerSourceType } from './price-type.ts';
import { day, digitsId, text } from './wire.ts';

const asOf = z
  .string()
  .regex(
    /^\d{4}-\d{2}-\d{2}$|^\d{4}\/\d{2}\/\d{2}-\d{4}\/\d{2}\/\d{2}$/,
    "must be 'YYYY-MM-DD' or 'YYYY/MM/DD-YYYY/MM/DD'",
  )
  .transform((written) => {
    const [from = '', to = from] = written.includes('/')
      ? written.split('-').map((one) => one.replaceAll('/', '-'))
      : [written];
    return { from, to };
  })
  .refine(
    ({ from, to }) => from <= to && [from, to].every((one) => day.safeParse(one).success),
    'must be of the calendar, a range in its order',
  );

const forwardListRequest = z.object({
  gpu: text(80, 1).meta({
    description: 'slug or name of one product; upper and lower case are the same',
    example: 'nvidia-a100-sxm-40gb',
  }),
  forward_date: day.meta({
    description: 'after the day of the curve, and within its longest tenor',
    example: '2027-01-01',
  }),
  as_of: asOf.optional().meta({
    description: 'day of the curve, or a range of days as in other archives; absent: the newest',
    example: '2025-12-01',
  }),
  provider_source_type: providerSourceType.optional().meta({ description: 'absent: the curve of each kind' }),
  paginate,
});
export type ForwardListRequest = z.output<typeof forwardListRequest>;

export const forwardBasis = z.enum(['observed', 'interpolated', 'ratio', 'capped']).meta({
  description:
    'observed: a published rate; interpolated: between two; ratio: from a published ratio to the price on demand, where the class publishes no such term; capped: money fell with a longer contract, and was lowered to the least later',
});

const forwardRecord = z
  .object({
    id: z.string().meta({ description: 'of the whole curve, for download' }),
    gpu: z.string(),
    as_of: day,
    provider_source_type: providerSourceType,
    forward_date: day,
    tenor_months: z.number().meta({ description: 'days from as_of x 12 / 365.25, rounded to 0.25' }),
    term_rate: z
      .number()
      .meta({ description: 'USD per GPU hour of a contract from as_of to forward_date, no upfront' }),
    forward_rate: z.number().meta({ description: 'USD per GPU hour of the half month about forward_date' }),
    basis: forwardBasis,
    providers: z.array(z.string()),
    flags: z.array(z.string()).meta({ description: 'what is to be known of the curve' }),
  })
  .meta({ id: 'ForwardRate' });
export type ForwardRecord = z.infer<typeof forwardRecord>;

const common = {
  ...access.data,
  ...needs({ product: 'gpu-forward' }),
  ...speaks('envelope', 'GPU rental forward curve'),
  'x-validation-dialect': 'detail',
  method: 'post',
} as const;
const errors = {
  401: json(envelopeErrorBody, 'No valid credential'),
  403: json(envelopeErrorBody, '34004: the subscription does not include it'),
  429: json(envelopeErrorBody, 'Too many requests; Retry-After says when'),
};

export const forwardListRoute = createRoute({
  ...common,
  operationId: 'gpu_forward_list',
  'x-body-limit': bodyLimit.query,
  summary: 'Forward rental rates of one GPU on one date, by day of the curve and kind of provider; for Plus and above',
  description: [
    'Term rates of 0 (on demand, never spot) to 36 months without upfront give G(t) = t R(t), the money of a contract; between them it is a monotone cubic, and the forward rate of a half month is what it grows by.',
    'Hyperscalers and neoclouds have curves of their own: the mean of what their providers ask on demand times the geometric mean of each one’s own R(t) / R(0).',
    'There is one for each business day (Monday to Friday, UTC) with rates of the 30 days before; once stored it does not change. A product without published rates of terms has none: 422.',
  ].join(' '),
  path: '/api/gpu-forward/list',
  request: jsonBody(forwardListRequest),
  responses: {
    ...errors,
    200: json(envelopeOf(resultsOf(forwardRecord)), 'One page, the newest curve first'),
    422: json(
      detailBody,
      'A field is wrong, there is no curve, or forward_date lies outside; the message says what is',
    ),
  },
});

export const forwardDownloadRoute = createRoute({
  ...common,
  operationId: 'gpu_forward_download',
  'x-body-limit': bodyLimit.small,
  summary: 'A signed, expiring URL of a whole curve as CSV: a point every quarter of a month',
  path: '/api/gpu-forward/download',
  request: jsonBody(z.object({ id: digitsId })),
  responses: {
    ...errors,
    200: json(envelopeOf(z.object({ csv_download_url: z.string() })), 'Open it with a plain GET'),
    404: json(envelopeErrorBody, 'No such curve'),
    422: json(detailBody, 'A field is wrong'),
  },
});
