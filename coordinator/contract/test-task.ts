import { createRoute, z } from '@hono/zod-openapi';
import { bodyLimit } from './body-limit.ts';
import { access } from './access.ts';
import { detailBody } from './errors.ts';
import { json, jsonBody, speaks } from './operation.ts';
import { registerTestTaskRequest } from './test-task-register.ts';
import { digitsId, instant, sortOrder, text } from './wire.ts';

/** A registration record of an agent. The interface leaves its fields open; these are ours. */
const testTask = z
  .object({
    task_id: z.string(),
    machine_uuid: z.string(),
    machine_inventory: z.array(z.unknown()),
    description: z.string().nullable(),
    state: z.string(),
    failed_message: z.string().nullable(),
    extra: z.record(z.string(), z.unknown()).meta({ description: 'The additional properties of the registration' }),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'TestTask' });
export type TestTask = z.infer<typeof testTask>;

export const testTaskState = z.enum(['registered', 'running', 'completed', 'failed', 'aborted']);

/** The interface lists these two fields as arrays, but clients send plain text: accepts both; the last entry counts. */
const lastOf = <T extends z.ZodType>(item: T) => z.union([item, z.array(item).min(1).max(10)]);

export const updateTestTaskRequest = z.object({
  task_id: digitsId,
  state: lastOf(testTaskState).optional(),
  failed_message: lastOf(text(2000)).optional(),
  description: text(512).optional(),
});
export const identifyTestTaskRequest = z.object({ task_id: digitsId, machine_uuid: text(60, 1).optional() });

const testTaskColumns = ['task_id', 'machine_uuid', 'state', 'description', 'created_at', 'updated_at'] as const;
export type TestTaskColumn = (typeof testTaskColumns)[number];

export const listTestTasksRequest = z.object({
  filter: z
    .array(z.partialRecord(z.enum(testTaskColumns), z.union([text(200), z.int()])))
    .max(20)
    .default([])
    .meta({ description: 'a repeated key means any of its values, different keys mean all' }),
  order_by: z
    .array(z.partialRecord(z.enum(testTaskColumns), sortOrder))
    .max(6)
    .default([]),
  paginate: z
    .object({ num_per_page: z.int().min(1).max(100).default(50), page_num: z.int().min(1).max(1_000_000).default(1) })
    .default({ num_per_page: 50, page_num: 1 }),
});

const failures = {
  401: json(detailBody, 'No valid credential'),
  403: json(detailBody, 'The credential does not open this'),
  404: json(detailBody, 'No such task'),
  422: json(detailBody, 'A field is wrong'),
  429: json(detailBody, 'Too many requests; Retry-After says when'),
};
const common = { ...access.data, ...speaks('detail', 'Test tasks'), 'x-choice': true };

export const registerTestTaskRoute = createRoute({
  ...common,
  operationId: 'register_test_task',
  'x-body-limit': bodyLimit.inventory,
  summary: 'Register a machine for a test',
  method: 'post',
  path: '/api/gpu-mark/test-task/register',
  request: jsonBody(registerTestTaskRequest),
  responses: { ...failures, 200: json(testTask, 'The record') },
});

export const updateTestTaskRoute = createRoute({
  ...common,
  operationId: 'update_test_task',
  'x-body-limit': bodyLimit.form,
  summary: 'Change state, message or description',
  method: 'post',
  path: '/api/gpu-mark/test-task/update',
  request: jsonBody(updateTestTaskRequest),
  responses: { ...failures, 200: json(testTask, 'The record') },
});

export const testTaskInfoRoute = createRoute({
  ...common,
  operationId: 'test_task_info',
  'x-body-limit': bodyLimit.small,
  summary: 'One record',
  method: 'post',
  path: '/api/gpu-mark/test-task/info',
  request: jsonBody(identifyTestTaskRequest),
  responses: { ...failures, 200: json(testTask, 'The record') },
});

export const listTestTasksRoute = createRoute({
  ...common,
  operationId: 'list_test_tasks',
  'x-body-limit': bodyLimit.query,
  summary: 'Records, filtered and ordered',
  method: 'post',
  path: '/api/gpu-mark/test-task/list',
  request: jsonBody(listTestTasksRequest, false),
  responses: { ...failures, 200: json(z.object({ total: z.int(), results: z.array(testTask) }), 'One page') },
});

export const deleteTestTaskRoute = createRoute({
  ...common,
  operationId: 'delete_test_task',
  'x-body-limit': bodyLimit.small,
  summary: 'Delete a record',
  method: 'delete',
  path: '/api/gpu-mark/test-task/delete',
  request: jsonBody(identifyTestTaskRequest),
  responses: { ...failures, 200: json(z.object({ task_id: z.string(), deleted: z.literal(true) }), 'Deleted') },
});

const reportUrl = {
  ...common,
  'x-body-limit': bodyLimit.small,
  path: '/api/gpu-mark/test-task/pdf-report-url',
  request: jsonBody(z.object({ id: digitsId })),
  responses: { ...failures, 200: json(z.object({ pdf_report_url: z.string().nullable() }), 'Null until rendered') },
} as const;

/** One reference shows POST, the usage guide PUT: both are served. The id may be a test task's or a job task's. */
export const testTaskReportPostRoute = createRoute({
  ...reportUrl,
  method: 'post',
  operationId: 'test_task_report_url',
  summary: 'Signed URL of the PDF report',
});
export const testTaskReportPutRoute = createRoute({
  ...reportUrl,
  method: 'put',
  operationId: 'test_task_report_url_put',
  summary: 'Signed URL of the PDF report',
});
