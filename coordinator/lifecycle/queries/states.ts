import type { JobState, TaskState } from '../../contract/agent-protocol.ts';
import type { Queryable } from '../../platform/db/client.ts';

/** False if the job is no longer in `from`. */
export async function updateJobState(
  sql: Queryable,
  move: { id: string; from: JobState; to: JobState; startedAt: Date | null; endedAt: Date | null },
): Promise<boolean> {
  const moved = await sql`
    update job set state = ${move.to},
      started_at = coalesce(started_at, ${move.startedAt}::timestamptz),
      ended_at = coalesce(ended_at, ${move.endedAt}::timestamptz)
    where id = ${move.id} and state = any(${[move.from]})`;
  return moved.count === 1;
}

/** Returns how many were still in `from`. */
export async function updateTaskStates(
  sql: Queryable,
  move: { ids: string[]; from: TaskState; to: TaskState; now: Date; ended: boolean; message: string | null },
): Promise<number> {
  const moved = await sql`
    update task set state = ${move.to},
      started_at = case when ${move.to}::text in ('running', 'uploading') then coalesce(started_at, ${move.now}) else started_at end,
      ended_at = case when ${move.ended} then ${move.now}::timestamptz end,
      lost_at = case when ${move.to}::text = 'lost' then ${move.now}::timestamptz end,
      failed_message = coalesce(${move.message}, failed_message)
    where id = any(${move.ids}::int8[]) and state = any(${[move.from]})`;
  return moved.count;
}
