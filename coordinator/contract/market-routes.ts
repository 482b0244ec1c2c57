import { createRoute, z } from '@hono/zod-openapi';
import { bodyLimit } from './body-limit.ts';
import { access } from './access.ts';
import { detailBody, envelopeErrorBody, envelopeOf } from './errors.ts';
import { resultsOf } from './list-body.ts';
import {
  archiveFile,
  archiveListRequest,
  countryPriceRecord,
  countrySummary,
  filterMap,
  filterPriceRequest,
  gpuProduct,
  historyPriceRequest,
  latestPriceRequest,
  priceRecord,
  providerListRequest,
  providerRecord,
  specsQueryRequest,
} from './market.ts';
import { json, jsonBody, speaks } from './operation.ts';
import { digitsId } from './wire.ts';

/** Success and errors in the envelope, validation in `detail`. */
const common = {
  ...access.data,
  ...speaks('envelope', 'GPU market data'),
  'x-validation-dialect': 'detail',
  method: 'post',
} as const;
const choice = { ...common, 'x-choice': true } as const;
const open = {
  401: json(envelopeErrorBody, 'No valid credential'),
  403: json(envelopeErrorBody, 'The credential does not open this'),
  429: json(envelopeErrorBody, 'Too many requests; Retry-After says when'),
};
const checked = { ...open, 422: json(detailBody, 'A field is wrong') };
const page = <T extends z.ZodType>(item: T) => json(envelopeOf(resultsOf(item)), 'One page');

const base = '/api/data-hub/gpu';

export const specsListRoute = createRoute({
  ...common,
  operationId: 'gpu_specs_list',
  summary: 'All products that have prices',
  path: `${base}/specs-list`,
  responses: { ...open, 200: page(gpuProduct) },
});

export const specsQueryRoute = createRoute({
  ...common,
  operationId: 'gpu_specs_query',
  'x-body-limit': bodyLimit.query,
  summary: 'Products by keyword',
  path: `${base}/specs-query`,
  request: jsonBody(specsQueryRequest, false),
  responses: { ...checked, 200: page(gpuProduct) },
});

export const latestPriceRoute = createRoute({
  ...common,
  operationId: 'gpu_latest_price',
  'x-body-limit': bodyLimit.small,
  summary: 'Newest price of each product, country and term',
  path: `${base}/latest/price`,
  request: jsonBody(latestPriceRequest, false),
  responses: { ...checked, 200: page(priceRecord) },
});

export const historyPriceRoute = createRoute({
  ...common,
  operationId: 'gpu_history_price',
  'x-body-limit': bodyLimit.query,
  summary: 'Prices of one product and term by day, at most 90 days; a day without observations is missing',
  path: `${base}/history/price`,
  request: jsonBody(historyPriceRequest),
  responses: { ...checked, 200: page(priceRecord) },
});

export const countrySummaryRoute = createRoute({
  ...choice,
  operationId: 'gpu_country_summary',
  summary: 'Each country in numbers',
  path: `${base}/country/summary`,
  responses: { ...open, 200: page(countrySummary) },
});

export const filterMapRoute = createRoute({
  ...choice,
  operationId: 'gpu_filter_map',
  summary: 'What prices can be filtered by',
  path: `${base}/country/filter-map`,
  responses: { ...open, 200: json(envelopeOf(filterMap), 'Values that have prices') },
});

export const countryLatestPriceRoute = createRoute({
  ...choice,
  operationId: 'gpu_country_latest_price',
  'x-body-limit': bodyLimit.small,
  summary: 'Newest price of each product, country and term, with the country’s name',
  path: `${base}/country/latest-price`,
  request: jsonBody(latestPriceRequest, false),
  responses: { ...checked, 200: page(countryPriceRecord) },
});

export const filterPriceRoute = createRoute({
  ...choice,
  operationId: 'gpu_filter_price',
  'x-body-limit': bodyLimit.query,
  summary: 'Prices by any of their fields',
  path: `${base}/country/filter-price`,
  request: jsonBody(filterPriceRequest),
  responses: { ...checked, 200: page(countryPriceRecord) },
});

export const providerListRoute = createRoute({
  ...choice,
  operationId: 'gpu_provider_list',
  'x-body-limit': bodyLimit.query,
  summary: 'Providers whose prices were observed',
  path: `${base}/partner/provider-list`,
  request: jsonBody(providerListRequest, false),
  responses: { ...checked, 200: page(providerRecord) },
});

export const archiveListRoute = createRoute({
  ...common,
  operationId: 'gpu_archive_list',
  'x-body-limit': bodyLimit.query,
  summary: 'CSV files of prices',
  path: `${base}/archive/list`,
  request: jsonBody(archiveListRequest, false),
  responses: { ...checked, 200: page(archiveFile) },
});

export const archiveDownloadRoute = createRoute({
  ...common,
  operationId: 'gpu_archive_download',
  'x-body-limit': bodyLimit.small,
  summary: 'A signed, expiring URL of one file',
  path: `${base}/archive/download`,
  request: jsonBody(z.object({ id: digitsId })),
  responses: {
    ...checked,
    200: json(envelopeOf(z.object({ csv_download_url: z.string() })), 'Open it with a plain GET'),
    404: json(envelopeErrorBody, 'No such file'),
  },
});
