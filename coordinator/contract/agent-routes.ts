import { createRoute } from '@hono/zod-openapi';
import { bodyLimit } from './body-limit.ts';
import { access } from './access.ts';
import {
  agentPaths,
  completeRequest,
  currentJobResponse,
  failRequest,
  heartbeatRequest,
  heartbeatResponse,
  inventoryRequest,
  receivedResults,
  registerRequest,
  registerResponse,
  resultsResponse,
  taskOutcome,
} from './agent-protocol.ts';
import { errorBody } from './errors.ts';
import { json, jsonBody, speaks } from './operation.ts';

const failures = {
  400: json(errorBody, 'PARAMETER_INCORRECT_VALUE'),
  401: json(errorBody, 'CLIENT_TOKEN_INVALID: unknown, expired or revoked job token'),
  404: json(errorBody, 'RESOURCE_NOT_FOUND: the task does not belong to this job'),
  409: json(errorBody, 'STALE_EPOCH, MACHINE_ALREADY_ACTIVE, JOB_FULL, JOB_NOT_ACTIVE or RESOURCE_ALREADY_EXISTS'),
  413: json(errorBody, 'The body is larger than the limit'),
  429: json(errorBody, 'Too many requests; Retry-After says when'),
};
const common = { ...speaks('error', 'Agent protocol'), method: 'post' } as const;

export const registerRoute = createRoute({
  ...access.job,
  ...common,
  operationId: 'agent_register',
  'x-body-limit': bodyLimit.form,
  summary: 'Join the job of the token',
  path: agentPaths.register,
  request: jsonBody(registerRequest),
  responses: { ...failures, 200: json(registerResponse, 'Task, epoch and lease') },
});

export const heartbeatRoute = createRoute({
  ...access.job,
  ...common,
  operationId: 'agent_heartbeat',
  'x-body-limit': bodyLimit.small,
  summary: 'Extend the lease',
  path: agentPaths.heartbeat,
  request: jsonBody(heartbeatRequest),
  responses: { ...failures, 200: json(heartbeatResponse, 'Durable') },
});

export const inventoryRoute = createRoute({
  ...access.job,
  ...common,
  operationId: 'agent_inventory',
  'x-body-limit': bodyLimit.upload,
  summary: 'Describe the machine',
  path: agentPaths.inventory,
  request: jsonBody(inventoryRequest),
  responses: { ...failures, 200: json(taskOutcome, 'Stored') },
});

export const resultsRoute = createRoute({
  ...access.jobLate,
  ...common,
  operationId: 'agent_results',
  'x-body-limit': bodyLimit.upload,
  summary: 'Deliver one benchmark result, once',
  path: agentPaths.results,
  request: jsonBody(receivedResults),
  responses: { ...failures, 200: json(resultsResponse, 'Durable') },
});

export const completeRoute = createRoute({
  ...access.jobLate,
  ...common,
  operationId: 'agent_complete',
  'x-body-limit': bodyLimit.warnings,
  summary: 'Everything is delivered',
  path: agentPaths.complete,
  request: jsonBody(completeRequest),
  responses: { ...failures, 200: json(taskOutcome, 'Durable') },
});

export const failRoute = createRoute({
  ...access.jobLate,
  ...common,
  operationId: 'agent_fail',
  'x-body-limit': bodyLimit.form,
  summary: 'The run failed or was stopped',
  path: agentPaths.fail,
  request: jsonBody(failRequest),
  responses: { ...failures, 200: json(taskOutcome, 'Durable') },
});

export const currentJobRoute = createRoute({
  ...access.jobLate,
  ...common,
  method: 'get',
  operationId: 'agent_current_job',
  summary: 'The job of the token',
  path: agentPaths.job,
  responses: { ...failures, 200: json(currentJobResponse, 'The job') },
});
