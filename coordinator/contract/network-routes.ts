import { createRoute } from '@hono/zod-openapi';
import { bodyLimit } from './body-limit.ts';
import { access } from './access.ts';
import { errorBody } from './errors.ts';
import {
  networkJoinRequest,
  networkJoinResponse,
  networkMatrixRequest,
  networkMatrixResponse,
  networkPaths,
  networkPollRequest,
  networkPollResponse,
  networkReportRequest,
  networkReportResponse,
  networkSyncRequest,
  networkSyncResponse,
} from './network-protocol.ts';
import { json, jsonBody, speaks } from './operation.ts';
import { taskHeaders } from './task-secret.ts';

const failures = {
  400: json(errorBody, 'PARAMETER_INCORRECT_VALUE'),
  401: json(errorBody, 'CLIENT_TOKEN_INVALID: unknown, expired or revoked job token'),
  403: json(errorBody, 'TASK_SECRET_INVALID: X-Task-Secret is not the one that register answered for this task'),
  404: json(errorBody, 'RESOURCE_NOT_FOUND: the task does not belong to this job'),
  409: json(errorBody, 'STALE_EPOCH, NETWORK_STARTED, NOT_JOINED or JOB_NOT_ACTIVE'),
  429: json(errorBody, 'Too many requests; Retry-After says when'),
};
const common = { ...speaks('error', 'Agent protocol: links'), method: 'post' } as const;

export const networkJoinRoute = createRoute({
  ...access.job,
  ...common,
  operationId: 'agent_network_join',
  'x-body-limit': bodyLimit.form,
  summary: 'Take a seat in the measurement of links',
  path: networkPaths.join,
  request: { headers: taskHeaders, ...jsonBody(networkJoinRequest) },
  responses: { ...failures, 200: json(networkJoinResponse, 'The number of the node') },
});

export const networkSyncRoute = createRoute({
  ...access.job,
  ...common,
  operationId: 'agent_network_sync',
  'x-body-limit': bodyLimit.small,
  summary: 'Read the clock of the plans',
  path: networkPaths.sync,
  request: { headers: taskHeaders, ...jsonBody(networkSyncRequest) },
  responses: { ...failures, 200: json(networkSyncResponse, 'The time') },
});

export const networkPollRoute = createRoute({
  ...access.job,
  ...common,
  operationId: 'agent_network_poll',
  'x-body-limit': bodyLimit.small,
  summary: 'Wait for the next plan',
  path: networkPaths.poll,
  request: { headers: taskHeaders, ...jsonBody(networkPollRequest) },
  responses: { ...failures, 200: json(networkPollResponse, 'The plan, or nothing new') },
});

export const networkReportRoute = createRoute({
  ...access.jobLate,
  ...common,
  operationId: 'agent_network_report',
  'x-body-limit': bodyLimit.report,
  summary: 'Deliver what was measured, once',
  path: networkPaths.report,
  request: { headers: taskHeaders, ...jsonBody(networkReportRequest) },
  responses: { ...failures, 200: json(networkReportResponse, 'Durable') },
});

export const networkMatrixRoute = createRoute({
  ...access.job,
  ...common,
  operationId: 'agent_network_matrix',
  'x-body-limit': bodyLimit.small,
  summary: 'What is known of the links so far',
  path: networkPaths.matrix,
  request: { headers: taskHeaders, ...jsonBody(networkMatrixRequest) },
  responses: { ...failures, 200: json(networkMatrixResponse, 'Links that are new') },
});
