import type { BenchmarkState } from '../../contract/agent-protocol.ts';
import type { QuickMarkResults } from '../../contract/quick-mark.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';

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
