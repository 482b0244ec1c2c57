import type { Queryable } from '../../../platform/db/client.ts';
import { maybeOne } from '../../../platform/db/rows.ts';

/** The database's clock in milliseconds since 1970, and the epoch of the task that asks; undefined where the job has none such. */
export async function readClock(
  sql: Queryable,
  { jobId, taskId }: { jobId: string; taskId: string },
): Promise<{ epoch: number; now_ms: number } | undefined> {
  const row = maybeOne(
    await sql<{ epoch: number; now_ms: number }[]>`
    select task.epoch, (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms
    from task where task.id = ${taskId} and task.job_id = ${jobId} and task.deleted_at is null`,
  );
  return row;
}
