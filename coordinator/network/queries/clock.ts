import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';

interface ClockRow {
  epoch: number;
  secret_hash: string | null;
  now_ms: number;
}

/** The database's clock in milliseconds since 1970, and the epoch of the task that asks; undefined where the job has none such. */
export async function readClock(
  sql: Queryable,
  { jobId, taskId }: { jobId: string; taskId: string },
): Promise<ClockRow | undefined> {
  const row = maybeOne(
    await sql<ClockRow[]>`
    select task.epoch, task.secret_hash, (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms
    from task where task.id = ${taskId} and task.job_id = ${jobId} and task.deleted_at is null`,
  );
  return row;
}
