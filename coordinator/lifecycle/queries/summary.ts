import type { BenchmarkState, TaskState } from '../../contract/agent-protocol.ts';
import { quickMarkMetrics, type QuickMarkResults } from '../../contract/quick-mark.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';

export interface JobNode {
  task_id: string;
  machine_uuid: string;
  hostname: string | null;
  state: TaskState;
  lost_at: Date | null;
  warning_count: number;
  simulated: boolean;
  gpu_vendor: string | null;
}

export async function selectNodes(sql: Queryable, jobId: string): Promise<JobNode[]> {
  return sql<JobNode[]>`
    select id as task_id, machine_uuid, hostname, state, lost_at, cardinality(warnings) as warning_count, simulated,
      gpu_vendor
    from task where job_id = ${jobId} and deleted_at is null order by id`;
}

const summarised = ['gpu_id', 'gpu_model', 'vendor', 'engine', 'simulated', 'gemm', 'unranked', ...quickMarkMetrics];

export interface NodeResult {
  task_id: string;
  machine_uuid: string;
  late: boolean;
  started_at: Date | null;
  ended_at: Date | null;
  results: QuickMarkResults;
}

/**
 * The newest completed quick_mark of every node, of each device only what the interface names and why it is not ranked: a summary needs no more,
 * and the rest is as long as a node likes. Where a job measures it under several configurations: of the last, or of the one asked for.
 */
export async function selectNodeResults(
  sql: Queryable,
  jobId: string,
  of?: { config: unknown },
): Promise<NodeResult[]> {
  const config = of ? sql`and r.config is not distinct from ${jsonOrNull(of.config)}::text::jsonb` : sql``;
  return sql<NodeResult[]>`
    select newest.* from task
    join lateral (
      select task.id as task_id, task.machine_uuid, r.late, r.started_at, r.ended_at,
        jsonb_build_object(
          'test_results', (
            select jsonb_agg((select jsonb_object_agg(key, value) from jsonb_each(d) where key = any(${summarised})))
            from jsonb_array_elements(r.results -> 'test_results') d
          ),
          'aggregate_results', (r.results -> 'aggregate_results') - 'gpu_bandwidth_matrix'
        ) as results
      from benchmark_result r
      where r.task_id = task.id and r.benchmark_id = 'quick_mark' and r.state = 'completed' and not r.kept_aside ${config}
      order by r.epoch desc, r.attempt desc, r.id desc limit 1
    ) newest on true
    where task.job_id = ${jobId} and task.deleted_at is null
    order by task.id`;
}

/** Writes the job's own result of a benchmark, replacing the one of an earlier summary. */
export async function upsertClusterResult(
  sql: Queryable,
  result: {
    id: string;
    jobId: string;
    benchmarkId: string;
    resultKey: string;
    state: 'completed' | 'failed' | 'skipped';
    startedAt: Date | null;
    endedAt: Date | null;
    config: unknown;
    results: unknown;
    errorMessage: string | null;
    now: Date;
  },
): Promise<void> {
  await sql`
    insert into benchmark_result (id, job_id, benchmark_id, attempt, result_key, state, started_at, ended_at, config,
      results, error_message, epoch, received_at)
    values (${result.id}, ${result.jobId}, ${result.benchmarkId}, 1, ${result.resultKey}, ${result.state},
      ${result.startedAt}, ${result.endedAt}, ${jsonOrNull(result.config)}::text::jsonb,
      ${jsonOrNull(result.results)}::text::jsonb, ${result.errorMessage}, 1, ${result.now})
    on conflict (result_key) do update
      set state = excluded.state, started_at = excluded.started_at, ended_at = excluded.ended_at,
        results = excluded.results, error_message = excluded.error_message, received_at = excluded.received_at`;
}

interface JobSummary {
  id: string;
  warnings: string[];
  simulated: boolean;
  gpuModels: string[];
  aggregate: unknown;
  performanceStatus: string | null;
  performance: unknown;
  performanceNodes: unknown;
  scoreboardModel: string | null;
  scoreboardGroup: string | null;
  scoreboardIndex: number | null;
}

export async function updateJobSummary(sql: Queryable, job: JobSummary): Promise<void> {
  await sql`
    update job set warnings = ${job.warnings}, simulated = ${job.simulated}, gpu_models = ${job.gpuModels},
      quick_mark_aggregate = ${jsonOrNull(job.aggregate)}::text::jsonb, performance_status = ${job.performanceStatus},
      performance = ${jsonOrNull(job.performance)}::text::jsonb,
      performance_nodes = ${jsonOrNull(job.performanceNodes)}::text::jsonb,
      scoreboard_model = ${job.scoreboardModel}, scoreboard_group = ${job.scoreboardGroup},
      scoreboard_index = ${job.scoreboardIndex}
    where id = ${job.id}`;
}

const jsonOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);

export interface Delivered {
  benchmark_id: string;
  state: BenchmarkState;
  error_message: string | null;
}

/** The newest result of each benchmark that the task has delivered. */
export async function selectDelivered(sql: Queryable, taskId: string): Promise<Delivered[]> {
  return sql<Delivered[]>`
    select distinct on (benchmark_id) benchmark_id, state, error_message
    from benchmark_result where task_id = ${taskId} and not kept_aside
    order by benchmark_id, epoch desc, attempt desc, id desc`;
}

export async function selectNewestQuickMark(
  sql: Queryable,
  taskId: string,
): Promise<{ results: QuickMarkResults; ended_at: Date } | undefined> {
  const row = maybeOne(
    await sql<{ results: QuickMarkResults; ended_at: Date }[]>`
    select results, ended_at from benchmark_result
    where task_id = ${taskId} and benchmark_id = 'quick_mark' and state = 'completed' and not kept_aside
    order by epoch desc, attempt desc, id desc limit 1`,
  );
  return row;
}
