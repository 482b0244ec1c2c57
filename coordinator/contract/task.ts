import { createRoute, z } from '@hono/zod-openapi';
import { access } from './access.ts';
import { benchmarkState, taskState } from './agent-protocol.ts';
import { errorBody } from './errors.ts';
import { footprint } from './footprint.ts';
import { json, speaks } from './operation.ts';
import { task } from './job.ts';
import { instant, pathId, preset, queryFlag, queryInt, sortOrder, text } from './wire.ts';

export const taskSortColumns = ['created_at', 'started_at', 'ended_at', 'state', 'machine_ip', 'machine_uuid'] as const;

const listTasksQuery = z.object({
  page: preset(queryInt(1, 1_000_000), 1),
  per_page: preset(queryInt(1, 300), 20),
  sort_by: z.enum(taskSortColumns).default('created_at'),
  sort_order: sortOrder.default('desc'),
  job_id: pathId.optional(),
  state: taskState.optional(),
  machine_ip: text(60, 1).optional(),
  machine_uuid: text(60, 1).optional(),
  include_results: preset(queryFlag, false),
  cursor: text(2048, 1).optional().meta({ description: 'Ours, additive: `next_cursor` of the page before.' }),
});
export type ListTasksQuery = z.infer<typeof listTasksQuery>;

const taskPage = z
  .object({
    data: z.array(task),
    pagination: z.object({
      page: z.int(),
      per_page: z.int(),
      total: z.int(),
      pages: z.int(),
      next_cursor: z.string().nullable().meta({ description: 'Ours, additive.' }),
    }),
  })
  .meta({ id: 'TaskPage' });
export type TaskPage = z.infer<typeof taskPage>;

/** Results that arrived after the end of the task or job, when another of the same benchmark already counted. */
const keptAside = z
  .object({
    count: z.int(),
    warning: z.string(),
    results: z.array(
      z.object({
        benchmark_id: z.string(),
        attempt: z.int(),
        state: benchmarkState,
        result_key: z.string(),
        received_at: instant,
      }),
    ),
  })
  .meta({ id: 'KeptAside' });

/** Detail of a task. Values that the machine did not report are null. */
export const taskDetail = z
  .object({
    id: z.string(),
    job_id: z.string(),
    state: taskState,
    failed_message: z.string().nullable(),
    pdf_report_url: z.string().nullable(),
    manufacturer_gpu_spec: z
      .object({
        compute_capability: z.string().nullable(),
        memory_bandwidth: z.number().nullable(),
        fp32_tflops: z.number().nullable(),
      })
      .nullable(),
    company_name: z.string(),
    machine_id: z.string(),
    configuration_id: z.string().nullable(),
    start_time: instant.nullable(),
    end_time: instant.nullable(),
    inventory: z
      .object({
        machine_id: z.string(),
        config_id: z.string(),
        cpu: z.looseObject({}),
        gpu: z.looseObject({}),
        disk: z.looseObject({}),
        memory: z.looseObject({}),
        network: z.looseObject({}),
        location: z.string().nullable(),
      })
      .nullable(),
    benchmark_results: z.record(z.string(), z.looseObject({})),
    footprint: footprint
      .nullable()
      .meta({ description: 'Ours, additive; null without figures, and for simulated runs.' }),
    kept_aside: keptAside.nullable().meta({ description: 'Ours, additive; null as a rule.' }),
  })
  .meta({ id: 'TaskDetail' });
export type TaskDetail = z.infer<typeof taskDetail>;

const common = {
  400: json(errorBody, 'A parameter is wrong: PARAMETER_INCORRECT_VALUE'),
  401: json(errorBody, 'No valid credential: CLIENT_TOKEN_INVALID'),
  403: json(errorBody, 'The credential does not open this: PERMISSION_DENIED'),
  429: json(errorBody, 'Too many requests; Retry-After says when'),
};
const inDialect = speaks('error', 'Benchmark tasks');

export const listTasksRoute = createRoute({
  ...access.data,
  ...inDialect,
  operationId: 'list_tasks',
  summary: 'Tasks of the caller, one per machine and job',
  method: 'get',
  path: '/api/gpu-mark/v1/tasks',
  request: { query: listTasksQuery },
  responses: { ...common, 200: json(taskPage, 'One page') },
});

export const getTaskRoute = createRoute({
  ...access.data,
  ...inDialect,
  operationId: 'get_task',
  summary: 'One machine: inventory, specification and every result',
  method: 'get',
  path: '/api/gpu-mark/v1/tasks/{task_id}',
  request: {
    params: z.object({ task_id: pathId }),
    query: z.object({ include_display_name: preset(queryFlag, false) }),
  },
  responses: {
    ...common,
    200: json(z.union([taskDetail, z.looseObject({})]), 'The task; with include_display_name the names are for people'),
    404: json(errorBody, 'No such task: RESOURCE_NOT_FOUND'),
  },
});
