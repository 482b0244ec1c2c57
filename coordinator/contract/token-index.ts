import { createRoute, z } from '@hono/zod-openapi';
import { access, needs } from './access.ts';
import { bodyLimit } from './body-limit.ts';
import { envelopeErrorBody, envelopeOf } from './errors.ts';
import { indexAnswer, indexDates } from './index-dates.ts';
import { resultsOf } from './list-body.ts';
import { json, jsonBody, speaks } from './operation.ts';
import { day, text } from './wire.ts';

const lowerCase = (value: string): string => value.toLowerCase();

export const tokenIndexRequest = z.object({
  token: text(60, 1).transform(lowerCase).meta({
    description: 'name of an index, see specs-list; upper and lower case are the same',
    example: 'expenditure',
  }),
  index_version: text(60, 1)
    .transform(lowerCase)
    .default('v1')
    .meta({ description: 'upper and lower case are the same', example: 'v1' }),
  ...indexDates,
});
export type TokenIndexRequest = z.output<typeof tokenIndexRequest>;

const tokenIndex = z.object({ token: z.string(), ...indexAnswer }).meta({ id: 'TokenIndex' });
export type TokenIndex = z.infer<typeof tokenIndex>;

export const tokenIndexRoute = createRoute({
  ...access.data,
  ...needs({ product: 'token-index' }),
  ...speaks('envelope', 'Token index'),
  method: 'post',
  path: '/api/token-index/index',
  operationId: 'token_index',
  'x-body-limit': bodyLimit.small,
  summary: 'An index of what tokens of language models cost, by UTC day, four decimals as text',
  description: [
    "Both dates are today unless given, and today is '-1' until the day is over and its usage has been read: ask for a range.",
    "A day without usage, or of which less than 85 % of the tokens have a price, is '-1'; it is never filled in.",
    'expenditure v1 is 10^6 x sum(q_in p_in + q_out p_out) / sum(q_in + q_out) over the items (model and variant) of the day with tokens and a price above 0: USD per million paid tokens.',
    'A figure may change until seven days after its day and then stands. GET /api/token-index/specs-list has the definitions.',
  ].join(' '),
  request: jsonBody(tokenIndexRequest),
  responses: {
    200: json(envelopeOf(tokenIndex), 'One value a day'),
    400: json(envelopeErrorBody, '10008: starting_date is after ending_date'),
    401: json(envelopeErrorBody, 'No valid credential'),
    403: json(envelopeErrorBody, '34004: the subscription does not include the product, this index or these days'),
    422: json(
      envelopeErrorBody,
      'A field is wrong (a date too early or in the future, too), or there is no such index',
    ),
    429: json(envelopeErrorBody, 'Too many requests; Retry-After says when'),
  },
});

const tokenIndexSpecification = z
  .object({
    token: z.string(),
    index_version: z.string(),
    index_name: z.string(),
    unit: z.string(),
    definition: z.string(),
    first_day: day.nullable().meta({ description: 'with a figure; null: there is none yet' }),
    last_day: day.nullable(),
  })
  .meta({ id: 'TokenIndexSpecification' });
export type TokenIndexSpecification = z.infer<typeof tokenIndexSpecification>;

export const tokenIndexSpecsRoute = createRoute({
  ...access.data,
  ...speaks('envelope', 'Token index'),
  'x-choice': true,
  method: 'get',
  path: '/api/token-index/specs-list',
  operationId: 'token_index_specs_list',
  summary: 'The token indices: versions, definitions, units, first and last day; open to every customer',
  responses: {
    200: json(envelopeOf(resultsOf(tokenIndexSpecification)), 'Each index with its version'),
    401: json(envelopeErrorBody, 'No valid credential'),
    429: json(envelopeErrorBody, 'Too many requests; Retry-After says when'),
  },
});
