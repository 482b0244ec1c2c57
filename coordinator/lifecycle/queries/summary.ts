import type { BenchmarkState, TaskState } from '../../contract/agent-protocol.ts';
import { deviceMetrics, type QuickMarkResults } from '../../contract/quick-mark.ts';
import type { Judgement } from '../../contract/judgement.ts';
import type { StoredTask } from '../../figures/findings/task-judgement.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';

export interface JobNode {
  task_id: string;
  machine_uuid: string;
  hostname: string | null;
  state: TaskState;
  lost_at: Date | null;
  /** its findings and what its agent warned of */
  warning_count: number;
  simulated: boolean;
  gpu_vendor: string | null;
}

export async function selectNodes(sql: Queryable, jobId: string): Promise<JobNode[]> {
  return sql<JobNode[]>`
    select id as task_id, machine_uuid, hostname, state, lost_at, simulated, gpu_vendor,
      cardinality(warnings) + coalesce((judgement #>> '{verdict,bad}')::int, 0)
        + coalesce((judgement #>> '{verdict,check}')::int, 0) as warning_count
    from task where job_id = ${jobId} and deleted_at is null order by id`;
}

/** The nodes of a job in the order of their numbers, as `taskJudgement` reads them. */
export async function selectStoredTasks(sql: Queryable, jobId: string): Promise<StoredTask[]> {
  return sql<StoredTask[]>`
    select state, failed_message, warnings, judgement, device_ids
    from task where job_id = ${jobId} and deleted_at is null order by id`;
}

const summarised = ['gpu_id', 'gpu_model', 'vendor', 'engine', 'simulated', 'gemm', 'unranked', ...deviceMetrics];

export interface NodeResult {
  task_id: string;
  machine_uuid: string;
  late: boolean;
  started_at: Date | null;
  ended_at: Date | null;
  results: QuickMarkResults;
}

/**
 * The newest completed quick_mark of every node, with only the fields of each device that the interface names, why it is not
 * ranked, and its driver and VBIOS: a summary needs no more, and the rest is as long as a node likes. If a job measures it under several configurations:
 * that of the last one, or of the one requested.
 */
export async function selectNodeResults(
  sql: Queryable,
  jobId: string,
  of?: { config: unknown },
): Promise<NodeResult[]> {
  const config = of ? sql`and r.config is not distinct from ${sql.json(of.config)}` : sql``;
  return sql<NodeResult[]>`
    select newest.* from task
    join lateral (
      select task.id as task_id, task.machine_uuid, r.late, r.started_at, r.ended_at,
        jsonb_build_object(
          'test_results', (
            select jsonb_agg(
              (select jsonb_object_agg(key, value) from jsonb_each(d) where key = any(${summarised}))
              || jsonb_build_object('driver_version', left(d #>> '{details,device,driver_version}', 100),
                'vbios', left(d #>> '{details,device,vbios}', 100)))
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

/** Writes the job's own result of a benchmark, replacing that of an earlier summary. */
export async function upsertClusterResult(
  sql: Queryable,
  result: {
    id: string;
    job_id: string;
    benchmark_id: string;
    result_key: string;
    state: 'completed' | 'failed' | 'skipped';
    started_at: Date | null;
    ended_at: Date | null;
    config: unknown;
    results: unknown;
    error_message: string | null;
    received_at: Date;
  },
): Promise<void> {
  const row = { ...result, attempt: 1, epoch: 1, config: sql.json(result.config), results: sql.json(result.results) };
  await sql`
    insert into benchmark_result ${sql(row)}
    on conflict (result_key) do update
      set state = excluded.state, started_at = excluded.started_at, ended_at = excluded.ended_at,
        results = excluded.results, error_message = excluded.error_message, received_at = excluded.received_at`;
}

interface JobSummary {
  judgement: Judgement;
  simulated: boolean;
  gpu_models: string[];
  quick_mark_aggregate: unknown;
  performance_status: string | null;
  performance: unknown;
  performance_nodes: unknown;
  scoreboard_model: string | null;
  scoreboard_group: string | null;
  scoreboard_index: number | null;
}

export async function updateJobSummary(sql: Queryable, id: string, summary: JobSummary): Promise<void> {
  const row = {
    ...summary,
    judgement: sql.json(summary.judgement),
    quick_mark_aggregate: sql.json(summary.quick_mark_aggregate),
    performance: sql.json(summary.performance),
    performance_nodes: sql.json(summary.performance_nodes),
  };
  await sql`update job set ${sql(row)} where id = ${id}`;
}

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

/** The newest quick_mark of each place in the job's sequence that the task has completed. */
export async function selectQuickMarks(sql: Queryable, taskId: string): Promise<QuickMarkResults[]> {
  const rows = await sql<{ results: QuickMarkResults }[]>`
    select distinct on (item) results from benchmark_result
    where task_id = ${taskId} and benchmark_id = 'quick_mark' and state = 'completed' and not kept_aside
    order by item, epoch desc, attempt desc, id desc`;
  return rows.map(({ results }) => results);
}
