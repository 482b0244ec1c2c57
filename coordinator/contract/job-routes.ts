import { createdJob, createJobRequest } from './create-job.ts';
import { createRoute, z } from '@hono/zod-openapi';
import { bodyLimit } from './body-limit.ts';
import { access } from './access.ts';
import { errorBody } from './errors.ts';
import { deleteJobRequest, jobDetail, jobPage, jobStatsQuery, listJobsQuery } from './job.ts';
import { json, jsonBody, speaks } from './operation.ts';
import { pathId, preset, queryFlag, text } from './wire.ts';

const failure = (description: string) => json(errorBody, description);
const common = {
  400: failure('A parameter is wrong: PARAMETER_INCORRECT_VALUE'),
  401: failure('No valid credential: CLIENT_TOKEN_INVALID'),
  403: failure('The credential does not open this: PERMISSION_DENIED'),
  429: failure('Too many requests; Retry-After says when'),
};
const inDialect = speaks('error', 'Benchmark jobs');
const jobIdParam = z.object({ job_id: pathId });

export const createJobRoute = createRoute({
  ...access.data,
  ...inDialect,
  operationId: 'create_job',
  'x-body-limit': bodyLimit.form,
  summary: 'Create a benchmark job; quick_mark is always part of it',
  method: 'post',
  path: '/api/gpu-mark/v1/jobs',
  request: {
    headers: z.object({
      'idempotency-key': text(200, 1).optional().meta({
        description:
          'Ours, additive: a repeat within 24 h gets the first answer; another body under the key is refused.',
      }),
    }),
    ...jsonBody(createJobRequest),
  },
  responses: {
    ...common,
    201: json(createdJob, 'The job and the token its agents use'),
    409: failure('A job with that name exists: RESOURCE_ALREADY_EXISTS'),
  },
});

export const listJobsRoute = createRoute({
  ...access.data,
  ...inDialect,
  operationId: 'list_jobs',
  summary: 'Jobs of the caller, filtered and sorted',
  method: 'get',
  path: '/api/gpu-mark/v1/jobs',
  request: { query: listJobsQuery },
  responses: { ...common, 200: json(jobPage, 'One page') },
});

export const jobTagsRoute = createRoute({
  ...access.data,
  ...inDialect,
  operationId: 'list_job_tags',
  summary: 'Unique tags: of own jobs, of the customer for its admins, of all for staff',
  method: 'get',
  path: '/api/gpu-mark/v1/jobs/tags',
  responses: { ...common, 200: json(z.object({ tags: z.array(z.string()) }), 'Tags in order') },
});

export const jobStatsRoute = createRoute({
  ...access.data,
  ...inDialect,
  operationId: 'job_stats',
  summary: 'How many jobs underperform',
  method: 'get',
  path: '/api/gpu-mark/v1/jobs/stats',
  request: { query: jobStatsQuery },
  responses: { ...common, 200: json(z.object({ alert_job_count: z.int() }), 'Count') },
});

export const getJobRoute = createRoute({
  ...access.data,
  ...inDialect,
  operationId: 'get_job',
  summary: 'A job with its tasks and all benchmark results',
  method: 'get',
  path: '/api/gpu-mark/v1/jobs/{job_id}',
  request: { params: jobIdParam },
  responses: { ...common, 200: json(jobDetail, 'The job'), 404: failure('No such job: RESOURCE_NOT_FOUND') },
});

export const jobResultsRoute = createRoute({
  ...access.data,
  ...inDialect,
  operationId: 'job_results',
  summary: 'Cluster-level benchmark results by benchmark id',
  method: 'get',
  path: '/api/gpu-mark/v1/jobs/{job_id}/results',
  request: { params: jobIdParam, query: z.object({ include_display_names: preset(queryFlag, false) }) },
  responses: {
    ...common,
    200: json(z.record(z.string(), z.looseObject({})), 'Results'),
    404: failure('No such job: RESOURCE_NOT_FOUND'),
  },
});

export const abortJobRoute = createRoute({
  ...access.data,
  ...inDialect,
  'x-choice': true,
  operationId: 'abort_job',
  'x-body-limit': bodyLimit.small,
  summary: 'Abort a job that has not ended; its agents stop at their next beat, what they delivered stays',
  method: 'post',
  path: '/api/gpu-mark/v1/jobs/abort',
  request: jsonBody(deleteJobRequest),
  responses: {
    ...common,
    200: json(z.object({ id: z.string(), state: z.literal('aborted') }), 'Aborted'),
    404: failure('No such job: RESOURCE_NOT_FOUND'),
  },
});

export const deleteJobRoute = createRoute({
  ...access.data,
  ...inDialect,
  operationId: 'delete_job',
  'x-body-limit': bodyLimit.small,
  summary: 'Delete a job and its tasks; its token is revoked',
  method: 'delete',
  path: '/api/gpu-mark/v1/jobs/delete',
  request: jsonBody(deleteJobRequest),
  responses: {
    ...common,
    200: json(z.object({ id: z.string(), deleted: z.literal(true) }), 'Deleted'),
    404: failure('No such job: RESOURCE_NOT_FOUND'),
  },
});
