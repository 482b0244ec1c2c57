import type { BenchmarkState } from '../../contract/agent-protocol.ts';
import type { QuickMarkResults } from '../../contract/quick-mark.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';

export interface NewResult {
  id: string;
  jobId: string;
  taskId: string;
  benchmarkId: string;
  /** its place in the job's sequence */
  item: number;
  attempt: number;
  resultKey: string;
  state: 'completed' | 'failed' | 'skipped';
  startedAt: string;
  endedAt: string;
  config: unknown;
  results: unknown;
  /** the file with the whole, where `results` is less */
  raw: { id: string; bytes: number } | null;
  errorMessage: string | null;
  epoch: number;
  late: boolean;
  keptAside: boolean;
  now: Date;
}

export async function insertResult(sql: Queryable, result: NewResult): Promise<void> {
  const config = result.config === null ? null : JSON.stringify(result.config);
  const results = result.results === null ? null : JSON.stringify(result.results);
  await sql`
    insert into benchmark_result (id, job_id, task_id, benchmark_id, item, attempt, result_key, state, started_at,
      ended_at, config, results, error_message, epoch, late, kept_aside, received_at,
      raw_artifact_id, raw_bytes)
    values (${result.id}, ${result.jobId}, ${result.taskId}, ${result.benchmarkId}, ${result.item}, ${result.attempt},
      ${result.resultKey}, ${result.state}, ${result.startedAt}::timestamptz, ${result.endedAt}::timestamptz,
      ${config}::text::jsonb, ${results}::text::jsonb, ${result.errorMessage}, ${result.epoch}, ${result.late},
      ${result.keptAside}, ${result.now}, ${result.raw?.id ?? null}, ${result.raw?.bytes ?? 0})`;
}

export interface StoredResult {
  result_key: string;
  benchmark_id: string;
  /** null in a row from before places were kept */
  item: number | null;
  attempt: number;
  epoch: number;
  kept_aside: boolean;
}

/** Everything that a locked task has delivered, without the figures. */
export async function selectStored(sql: Queryable, taskId: string): Promise<StoredResult[]> {
  return sql<StoredResult[]>`
    select result_key, benchmark_id, item, attempt, epoch, kept_aside from benchmark_result where task_id = ${taskId}`;
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
