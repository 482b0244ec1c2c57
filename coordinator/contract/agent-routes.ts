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
  resultLimits,
  resultsResponse,
  taskOutcome,
} from './agent-protocol.ts';
import { errorBody } from './errors.ts';
import { json, jsonBody, speaks } from './operation.ts';
import { sizeCaps } from './size-caps.ts';
import { optionalTaskHeaders, taskHeaders } from './task-secret.ts';

const failures = {
  400: json(errorBody, 'PARAMETER_INCORRECT_VALUE'),
  401: json(errorBody, 'CLIENT_TOKEN_INVALID: unknown, expired or revoked job token'),
  403: json(errorBody, 'TASK_SECRET_INVALID: X-Task-Secret is not the one that register answered for this task'),
  404: json(errorBody, 'RESOURCE_NOT_FOUND: the task does not belong to this job'),
  409: json(
    errorBody,
    'STALE_EPOCH, MACHINE_ALREADY_ACTIVE, JOB_FULL, JOB_NOT_ACTIVE, RESULT_LIMIT or RESOURCE_ALREADY_EXISTS',
  ),
  413: json(
    errorBody,
    `The body is larger than the limit, or the results of the task would be more than ${sizeCaps.taskBytes} bytes or those ` +
      `of the job more than ${sizeCaps.jobBytes}; what is stored stays`,
  ),
  429: json(errorBody, 'Too many requests; Retry-After says when'),
};
const { per_task, per_attempt, kept_aside } = resultLimits;
const resultsDescription =
  `While the task runs the newest attempt counts. After its end the first result of a benchmark stands and another one is kept aside. ` +
  `Stored are at most ${per_task} results of a task, ${per_attempt} of one attempt, and ${kept_aside} that are kept aside; beyond it 409 RESULT_LIMIT. ` +
  `At most ${sizeCaps.resultBytes} bytes of benchmark_results. Of a result over ${sizeCaps.inlineResultBytes} bytes the details of its devices are kept as a file, whose link stands in the task under raw_details_url.`;
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
  request: { headers: taskHeaders, ...jsonBody(heartbeatRequest) },
  responses: { ...failures, 200: json(heartbeatResponse, 'Durable') },
});

export const inventoryRoute = createRoute({
  ...access.job,
  ...common,
  operationId: 'agent_inventory',
  'x-body-limit': bodyLimit.upload,
  summary: 'Describe the machine',
  path: agentPaths.inventory,
  request: { headers: taskHeaders, ...jsonBody(inventoryRequest) },
  responses: { ...failures, 200: json(taskOutcome, 'Stored') },
});

export const resultsRoute = createRoute({
  ...access.jobLate,
  ...common,
  operationId: 'agent_results',
  'x-body-limit': bodyLimit.upload,
  summary: 'Deliver one benchmark result, once',
  description: resultsDescription,
  path: agentPaths.results,
  request: { headers: taskHeaders, ...jsonBody(receivedResults) },
  responses: { ...failures, 200: json(resultsResponse, 'Durable') },
});

export const completeRoute = createRoute({
  ...access.jobLate,
  ...common,
  operationId: 'agent_complete',
  'x-body-limit': bodyLimit.warnings,
  summary: 'Everything is delivered',
  path: agentPaths.complete,
  request: { headers: taskHeaders, ...jsonBody(completeRequest) },
  responses: { ...failures, 200: json(taskOutcome, 'Durable') },
});

export const failRoute = createRoute({
  ...access.jobLate,
  ...common,
  operationId: 'agent_fail',
  'x-body-limit': bodyLimit.form,
  summary: 'The run failed or was stopped',
  path: agentPaths.fail,
  request: { headers: taskHeaders, ...jsonBody(failRequest) },
  responses: { ...failures, 200: json(taskOutcome, 'Durable') },
});

export const currentJobRoute = createRoute({
  ...access.jobLate,
  ...common,
  method: 'get',
  operationId: 'agent_current_job',
  summary: 'The job of the token',
  path: agentPaths.job,
  request: { headers: optionalTaskHeaders },
  responses: { ...failures, 200: json(currentJobResponse, 'The job') },
});
