import type { BenchmarkState } from '../../../contract/agent-protocol.ts';
import type { QuickMarkResults } from '../../../contract/quick-mark.ts';
import type { Queryable } from '../../../platform/db/client.ts';

export interface NewResult {
  id: string;
  jobId: string;
  taskId: string;
  benchmarkId: string;
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
  now: Date;
}

/** False where a result of that content is stored already. */
export async function insertResult(sql: Queryable, result: NewResult): Promise<boolean> {
  const config = result.config === null ? null : JSON.stringify(result.config);
  const results = result.results === null ? null : JSON.stringify(result.results);
  const inserted = await sql`
    insert into benchmark_result (id, job_id, task_id, benchmark_id, attempt, result_key, state, started_at, ended_at,
      config, results, error_message, epoch, late, received_at, raw_artifact_id, raw_bytes)
    values (${result.id}, ${result.jobId}, ${result.taskId}, ${result.benchmarkId}, ${result.attempt},
      ${result.resultKey}, ${result.state}, ${result.startedAt}::timestamptz, ${result.endedAt}::timestamptz,
      ${config}::text::jsonb, ${results}::text::jsonb, ${result.errorMessage}, ${result.epoch}, ${result.late},
      ${result.now}, ${result.raw?.id ?? null}, ${result.raw?.bytes ?? 0})
    on conflict (result_key) do nothing`;
  return inserted.count === 1;
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
    from benchmark_result where task_id = ${taskId}
    order by benchmark_id, epoch desc, attempt desc, id desc`;
}

export async function selectNewestQuickMark(
  sql: Queryable,
  taskId: string,
): Promise<{ results: QuickMarkResults; ended_at: Date } | undefined> {
  const [row] = await sql<{ results: QuickMarkResults; ended_at: Date }[]>`
    select results, ended_at from benchmark_result
    where task_id = ${taskId} and benchmark_id = 'quick_mark' and state = 'completed'
    order by epoch desc, attempt desc, id desc limit 1`;
  return row;
}
