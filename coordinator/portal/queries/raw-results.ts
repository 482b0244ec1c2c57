import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';

export interface RawResultRow {
  id: string;
  customer_id: string;
  /** of the file with the whole; null: `results` is the whole */
  raw_key: string | null;
  /** JSON; null if the whole is in a file */
  results: string | null;
}

/** The result that counts of a machine's QuickMark. Null also for another customer's task. */
export async function findRawResult(
  sql: Queryable,
  { taskId, customerId }: { taskId: string; customerId: string | null },
): Promise<RawResultRow | null> {
  const rows = await sql<RawResultRow[]>`
    select result.id, task.customer_id, artifact.storage_key as raw_key,
      case when artifact.id is null then result.results::text end as results
    from benchmark_result result join task on task.id = result.task_id
      left join artifact on artifact.id = result.raw_artifact_id
    where task.id = ${taskId} and task.deleted_at is null and result.benchmark_id = 'quick_mark'
      and result.state = 'completed' and not result.kept_aside and result.results is not null
      and (${customerId}::int8 is null or task.customer_id = ${customerId}::int8)
    order by result.epoch desc, result.attempt desc, result.id desc limit 1`;
  return maybeOne(rows) ?? null;
}
