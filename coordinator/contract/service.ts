import { createRoute, z } from '@hono/zod-openapi';
import { access } from './access.ts';
import { errorBody } from './errors.ts';
import { json, speaks } from './operation.ts';

/** The process itself: liveness, readiness, metrics, and this document. None of it needs a user's credential. */
const common = { ...access.public, ...speaks('error', 'Service'), method: 'get', 'x-choice': true } as const;

const content = (type: string, description: string) => ({
  description,
  content: { [type]: { schema: z.string() } },
});

export const healthRoute = createRoute({
  ...common,
  operationId: 'health',
  summary: 'The process lives',
  path: '/healthz',
  responses: { 200: json(z.object({ status: z.literal('ok') }), 'It does') },
});

export const readyRoute = createRoute({
  ...common,
  operationId: 'ready',
  summary: 'The process can serve: the database answers and no stop is under way',
  path: '/readyz',
  responses: {
    200: json(z.object({ status: z.literal('ready'), database_ms: z.number() }), 'It can'),
    503: json(errorBody, 'It cannot: SERVICE_UNAVAILABLE'),
  },
});

export const metricsRoute = createRoute({
  ...common,
  operationId: 'metrics',
  summary: 'Figures in the Prometheus text format, for callers that know METRICS_TOKEN, else for the machine itself',
  path: '/metrics',
  responses: {
    200: content('text/plain', 'Figures'),
    401: json(errorBody, 'METRICS_TOKEN is set, and was not sent as a bearer token'),
    404: json(errorBody, 'METRICS_TOKEN is not set, and the request comes from elsewhere'),
  },
});

export const openApiRoute = createRoute({
  ...common,
  operationId: 'openapi',
  summary: 'This document',
  path: '/openapi.json',
  responses: { 200: json(z.looseObject({ openapi: z.string() }), 'OpenAPI 3.1') },
});

const page = { ...common, responses: { 200: content('text/html', 'A page') } } as const;

export const docsRoute = createRoute({ ...page, operationId: 'docs', path: '/docs' });
export const docsAssetRoute = createRoute({
  ...common,
  operationId: 'docs_asset',
  path: '/docs/assets/{name}',
  request: { params: z.object({ name: z.string().regex(/^[\w.-]{1,80}$/, 'must be the name of an asset') }) },
  responses: { 200: content('text/javascript', 'A script'), 404: json(errorBody, 'No such asset') },
});
