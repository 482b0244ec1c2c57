import { jobFootprint } from './footprint.ts';
import { z } from '@hono/zod-openapi';
import { benchmarkItem, jobState, taskState } from './agent-protocol.ts';
import { benchmarkResult } from './benchmark-result.ts';
import { judgement, runVerdict } from './judgement.ts';
import { performance, performanceStatus } from './performance.ts';
import { sizeCaps } from './size-caps.ts';
import { name, partOfName } from './names.ts';
import { digitsId, instant, preset, queryFlag, queryInt, repeated, sortOrder, text } from './wire.ts';

export const jobLimits = {
  nameLength: 60,
  descriptionLength: 512,
  nodes: 256,
  tags: 10,
  tagLength: 50,
  benchmarks: 20,
  perPage: 300,
} as const;

/** Without what breaks a query string, a CSV cell or a page. */
export const tag = name(jobLimits.tagLength).refine(
  (value) => !/[<>"'\\;,{}]/.test(value),
  `must not contain any of < > " ' \\ ; , { }`,
);

const figures = z.looseObject({}).nullable();

export const task = z
  .object({
    id: z.string(),
    job_id: z.string(),
    machine_uuid: z.string(),
    machine_ip: z.string().nullable(),
    state: taskState,
    failed_message: z.string().nullable(),
    created_at: instant,
    started_at: instant.nullable(),
    ended_at: instant.nullable(),
    gpu_model: z.string().nullable(),
    gpu_count: z.int().nullable(),
    pdf_report_url: z.string().nullable(),
    judgement: judgement.nullable().meta({
      description:
        'Ours, additive: what is to be said of this node, the same as on its page and in its report; null before its results and its end',
    }),
    benchmark_results: z.record(z.string(), benchmarkResult),
    truncated: z
      .literal(true)
      .optional()
      .meta({
        description:
          `Ours, additive: the results are left out, since the answer would hold more than ${sizeCaps.answerBytes} bytes of ` +
          'them; GET /api/gpu-mark/v1/tasks/{task_id} has them',
      }),
  })
  .meta({ id: 'Task' });
export type Task = z.infer<typeof task>;

export const job = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    state: jobState,
    node_count: z.int(),
    current_nodes: z.int(),
    benchmark_sequence: z.array(benchmarkItem),
    benchmarks: z.array(z.string()),
    tags: z.array(z.string()),
    token: z.string().nullable().meta({
      description: 'For the customer that owns the job while the job can still use it; null to others and afterwards.',
    }),
    created_at: instant,
    started_at: instant.nullable(),
    expires_at: instant,
    ended_at: instant.nullable(),
    gpu_models: z.array(z.string()).nullable(),
    quickmark_aggregate_results: figures,
    performance: performance.nullable(),
    performance_nodes: z.array(performance.extend({ task_id: z.string(), machine_uuid: z.string() })).nullable(),
  })
  .meta({ id: 'Job' });
export type Job = z.infer<typeof job>;

export const jobDetail = job
  .extend({
    tasks: z.array(task),
    benchmark_results: z.record(z.string(), benchmarkResult),
    pdf_report_url: z.string().nullable(),
    truncated: z
      .object({ tasks_without_results: z.int().positive(), see: z.string() })
      .nullable()
      .meta({
        description: `Ours, additive: how many tasks stand here without their results, since an answer holds at most ${sizeCaps.answerBytes} bytes of them, and where those are`,
      }),
    scoreboard_summary: z
      .object({
        gpu_model: z.string(),
        rank: z.int().meta({
          description: 'place of this job by `rank_by` among the other customers, each by the median of its jobs',
        }),
        rank_by: z.string().nullable().optional().meta({
          description:
            'Ours, additive: the one figure that jobs rank by, the first of bf16, memory bandwidth and host copies that was measured',
        }),
        of: z.int().meta({
          description:
            'the other customers with jobs of this model whose figure is by the same engine under the same load, and this job',
        }),
        percentile: z.number(),
        score: z.number(),
        status: performance.shape.status,
        underperforming_nodes: z.array(z.string()),
      })
      .nullable()
      .meta({
        description:
          'null for a job without a score: without figures, simulated, with figures that are not to be believed, or with nothing but a peak to compare with',
      }),
    judgement: judgement.nullable().meta({
      description:
        'Ours, additive: what is to be said of the job, the same as on its page and in its report; of its nodes so far while it runs, null before any came',
    }),
    footprint: jobFootprint.nullable().meta({
      description:
        'Ours, additive: what the measured nodes emitted, and cost by the hour; null without figures, and for simulated ones',
    }),
  })
  .meta({ id: 'JobDetail' });
export type JobDetail = z.infer<typeof jobDetail>;

export const jobSortColumns = [
  'created_at',
  'started_at',
  'ended_at',
  'expires_at',
  'name',
  'state',
  'node_count',
  'current_nodes',
] as const;

export const listJobsQuery = z.object({
  page: preset(queryInt(1, 1_000_000), 1),
  per_page: preset(queryInt(1, jobLimits.perPage), 20),
  sort_by: z.enum(jobSortColumns).default('created_at'),
  sort_order: sortOrder.default('desc'),
  state: jobState.optional(),
  name: partOfName(jobLimits.nameLength).optional(),
  benchmark_id: text(60).optional(),
  tags: repeated(partOfName(jobLimits.tagLength, 1), jobLimits.tags).optional(),
  created_after: instant.optional(),
  created_before: instant.optional(),
  node_count_min: queryInt(1, jobLimits.nodes).optional(),
  node_count_max: queryInt(1, jobLimits.nodes).optional(),
  include_results: preset(queryFlag, false),
  include: repeated(z.enum(['performance', 'performance_nodes']), 2).optional(),
  has_performance_data: queryFlag.optional(),
  performance_status: performanceStatus.optional().meta({ description: 'Ours, additive: their `performance.status`' }),
  cursor: text(2048, 1).optional().meta({
    description:
      'Ours, additive: `next_cursor` of the page before. Pages by cursor show every row once while jobs are being added.',
  }),
});
export type ListJobsQuery = z.infer<typeof listJobsQuery>;

export const jobPage = z
  .object({
    results: z.array(
      job.extend({
        verdict: runVerdict
          .nullable()
          .meta({ description: 'Ours, additive: the verdict of the job; null until it has ended' }),
        truncated: z
          .literal(true)
          .optional()
          .meta({
            description: `Ours, additive: performance_nodes is null, since the page would hold more than ${sizeCaps.pageExpansionBytes} bytes of them; GET /api/gpu-mark/v1/jobs/{job_id} has it`,
          }),
      }),
    ),
    pagination: z.object({
      total: z.int(),
      page: z.int(),
      per_page: z.int(),
      total_pages: z.int(),
      has_next: z.boolean(),
      has_prev: z.boolean(),
      next_cursor: z.string().nullable().meta({ description: 'Ours, additive.' }),
    }),
  })
  .meta({ id: 'JobPage' });
export type JobPage = z.infer<typeof jobPage>;

export const jobStatsQuery = z.object({
  benchmark_id: z.enum(['quick_mark']).default('quick_mark'),
  name: partOfName(jobLimits.nameLength).optional(),
  tags: repeated(partOfName(jobLimits.tagLength, 1), jobLimits.tags).optional(),
  state: jobState.default('completed'),
  sort_by: z.enum(jobSortColumns).default('created_at'),
  sort_order: sortOrder.default('desc'),
});
export type JobStatsQuery = z.infer<typeof jobStatsQuery>;

export const deleteJobRequest = z
  .object({ id: digitsId.optional(), job_id: digitsId.optional() })
  .refine((body) => body.id !== undefined || body.job_id !== undefined, { path: ['id'], error: 'is required' })
  .transform((body) => ({ id: body.id ?? body.job_id ?? '' }));
