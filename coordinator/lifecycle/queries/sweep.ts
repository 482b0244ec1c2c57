import type { Queryable } from '../../platform/db/client.ts';
import { liveTaskStates } from '../states/task-state.ts';

/**
 * Live tasks whose lease has run out. The lock makes Postgres look at the lease again after waiting for a beat that is
 * being written, so a node that answers in that moment is not given up.
 */
export async function lockSilentTasks(
  sql: Queryable,
  { now, limit }: { now: Date; limit: number },
): Promise<{ id: string; job_id: string; delivered: boolean }[]> {
  return sql<{ id: string; job_id: string; delivered: boolean }[]>`
    select task.id, task.job_id, exists (
        select from benchmark_result r
        where r.task_id = task.id and r.benchmark_id = 'quick_mark' and r.state = 'completed'
      ) as delivered
    from task join task_lease on task_lease.task_id = task.id
    where task.state = any(${[...liveTaskStates]}) and task.deleted_at is null and task_lease.expires_at < ${now}
    order by task.id limit ${limit}
    for no key update of task, task_lease skip locked`;
}

export async function loseTasks(sql: Queryable, ids: string[], now: Date): Promise<void> {
  await sql`
    update task set state = 'lost', lost_at = ${now}
    where id = any(${ids}::int8[]) and state = any(${[...liveTaskStates]})`;
}

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

export async function deleteKeys(
  sql: Queryable,
  { createdBefore, limit }: { createdBefore: Date; limit: number },
): Promise<void> {
  await sql`
    delete from idempotency_key where (customer_id, key) in (
      select customer_id, key from idempotency_key where created_at <= ${createdBefore} limit ${limit}
    )`;
}
