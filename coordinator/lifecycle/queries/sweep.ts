import type { Queryable } from '../../platform/db/client.ts';
import { liveTaskStates } from '../states/task-state.ts';

/** Jobs that time moves on: the registration window has closed, or the last node they wait for has been lost for long. */
export async function selectDueJobs(
  sql: Queryable,
  { now, lostBefore, limit }: { now: Date; lostBefore: Date; limit: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from job
    where deleted_at is null and (
      (state = 'starting' and registration_closes_at <= ${now})
      or (state = 'running' and not exists (
        select from task
        where task.job_id = job.id and task.deleted_at is null
          and (task.state = any(${[...liveTaskStates]}) or (task.state = 'lost' and task.lost_at > ${lostBefore}))
      ))
    )
    order by id limit ${limit}`;
  return rows.map((row) => row.id);
}

export async function selectExpiredJobs(
  sql: Queryable,
  { now, limit }: { now: Date; limit: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from job
    where state in ('created', 'starting', 'running') and deleted_at is null and expires_at <= ${now}
    order by expires_at limit ${limit}`;
  return rows.map((row) => row.id);
}

/** From here on the job takes no late results. */
export async function archiveJobs(
  sql: Queryable,
  { now, endedBefore, limit }: { now: Date; endedBefore: Date; limit: number },
): Promise<number> {
  const archived = await sql`
    update job set archived_at = ${now}
    where id in (
      select id from job where ended_at <= ${endedBefore} and archived_at is null
      order by ended_at limit ${limit} for update skip locked
    )`;
  return archived.count;
}
