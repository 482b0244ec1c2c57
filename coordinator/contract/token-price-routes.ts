import { createRoute, z } from '@hono/zod-openapi';
import { access, needs } from './access.ts';
import { bodyLimit } from './body-limit.ts';
import { detailBody, envelopeErrorBody, envelopeOf } from './errors.ts';
import { resultsOf } from './list-body.ts';
import { json, jsonBody, speaks } from './operation.ts';
import { PULSE_CHANGED_ON } from './pulse-schema.ts';
import {
  createRecordRequest,
  identifyRecordRequest,
  tokenFile,
  tokenFileListRequest,
  tokenRecord,
} from './token-files.ts';
import { bookRow, pulseRow, pulseTrend } from './token-prices.ts';
import { bookPreviewQuery, bookPreviewRequest, pulsePreviewRequest, pulseTrendRequest } from './token-views.ts';
import { digitsId } from './wire.ts';

/** Success and errors in the envelope, validation in `detail`. */
const common = {
  ...access.data,
  ...needs({ product: 'token-prices' }),
  ...speaks('envelope', 'Token prices'),
  'x-validation-dialect': 'detail',
  method: 'post',
} as const;
const choice = { ...common, 'x-choice': true } as const;
/** Programs have no role, so only people may change records. */
const byStaff = {
  ...choice,
  ...access.user,
  ...needs({ product: 'token-prices', roles: ['staff', 'root_admin'] }),
  'x-body-limit': bodyLimit.small,
} as const;

const open = {
  401: json(envelopeErrorBody, 'No valid credential'),
  403: json(envelopeErrorBody, '34004: the subscription does not include token prices'),
};
const checked = { ...open, 422: json(detailBody, 'A field is wrong') };
const ofOne = { ...checked, 404: json(envelopeErrorBody, 'No such file') };
const page = <T extends z.ZodType>(item: T) => json(envelopeOf(resultsOf(item)), 'One page');
const sample = <T extends z.ZodType>(item: T) =>
  json(envelopeOf(resultsOf(item)), 'The first 20 rows of the newest day; `total` counts all of that day');

const base = '/api/token-price';
const BOTH = `A month with days before and after ${PULSE_CHANGED_ON} has the price columns of both schemas, each empty on the days on which it is not in force.`;

export const tokenFileListRoute = createRoute({
  ...common,
  operationId: 'token_price_list',
  'x-body-limit': bodyLimit.query,
  summary: 'CSV files of price book and market pulse',
  description: `Rows and columns of a file are those of the data view, by date, developer, model and source. ${BOTH}`,
  path: `${base}/list`,
  request: jsonBody(tokenFileListRequest),
  responses: { ...checked, 200: page(tokenFile) },
});

export const tokenFileDownloadRoute = createRoute({
  ...common,
  operationId: 'token_price_download',
  'x-body-limit': bodyLimit.small,
  summary: 'A signed, expiring URL of one file',
  path: `${base}/download`,
  request: jsonBody(z.object({ id: digitsId })),
  responses: {
    ...ofOne,
    200: json(envelopeOf(z.object({ csv_download_url: z.string() })), 'Open it with a plain GET'),
  },
});

export const latestBookRoute = createRoute({
  ...choice,
  operationId: 'token_book_latest',
  summary: 'Latest price book as sample data',
  path: `${base}/book/latest`,
  responses: { ...open, 200: sample(bookRow) },
});

export const bookPreviewRoute = createRoute({
  ...choice,
  operationId: 'token_book_preview',
  'x-body-limit': bodyLimit.query,
  summary: 'Price book as a data view: of the newest day, or of days that the filter names',
  path: `${base}/book/preview`,
  request: { ...jsonBody(bookPreviewRequest, false), query: bookPreviewQuery },
  responses: { ...checked, 200: page(bookRow) },
});

export const latestPulseRoute = createRoute({
  ...choice,
  operationId: 'token_pulse_latest',
  summary: 'Latest market pulse as sample data',
  path: `${base}/pulse/latest`,
  responses: { ...open, 200: sample(pulseRow) },
});

export const pulsePreviewRoute = createRoute({
  ...choice,
  operationId: 'token_pulse_preview',
  'x-body-limit': bodyLimit.query,
  summary: 'Market pulse as a data view: of the newest day, or of days that the filter names',
  description: `Each row has the fields in force on its date: before ${PULSE_CHANGED_ON} price_input and price_output, from then on averages and medians.`,
  path: `${base}/pulse/preview`,
  request: jsonBody(pulsePreviewRequest, false),
  responses: { ...checked, 200: page(pulseRow) },
});

export const pulseTrendRoute = createRoute({
  ...choice,
  operationId: 'token_pulse_trend',
  'x-body-limit': bodyLimit.query,
  summary: 'Market pulse of the latest 30 days, by model',
  path: `${base}/pulse/trend`,
  request: jsonBody(pulseTrendRequest, false),
  responses: { ...checked, 200: page(pulseTrend) },
});

export const createRecordRoute = createRoute({
  ...byStaff,
  operationId: 'token_price_create',
  summary: 'Build the file of a type and period now, and name it; for staff',
  path: `${base}/create`,
  request: jsonBody(createRecordRequest),
  responses: {
    ...checked,
    200: json(envelopeOf(tokenRecord), 'The record; the same again if its rows have not changed'),
    409: json(envelopeErrorBody, 'The name is taken, or the file has another'),
  },
});

export const recordInfoRoute = createRoute({
  ...choice,
  operationId: 'token_price_info',
  'x-body-limit': bodyLimit.small,
  summary: 'One record, by id or name',
  path: `${base}/info`,
  request: jsonBody(identifyRecordRequest),
  responses: { ...ofOne, 200: json(envelopeOf(tokenRecord), 'The record') },
});

export const deleteRecordRoute = createRoute({
  ...byStaff,
  method: 'delete',
  operationId: 'token_price_delete',
  summary:
    'Delete a record and its file, by id or name; for staff. A later build makes the file again, without the name',
  path: `${base}/delete`,
  request: jsonBody(identifyRecordRequest),
  responses: {
    ...ofOne,
    200: json(envelopeOf(z.object({ id: z.string(), deleted: z.literal(true) })), 'Deleted'),
  },
});
