import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne, one } from '../../platform/db/rows.ts';

export interface ShareRow {
  id: string;
  customer_id: string;
  created_by: string | null;
  job_id: string | null;
  path: string;
  query: string;
  key: Buffer;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
}

export async function insertShare(sql: Queryable, row: ShareRow): Promise<void> {
  await sql`insert into portal_share ${sql(row)}`;
}

/** Null if there is no such link, or the job that it shows was deleted. */
export async function findShare(sql: Queryable, id: string): Promise<ShareRow | null> {
  return (
    maybeOne(
      await sql<ShareRow[]>`
    select s.* from portal_share s left join job j on j.id = s.job_id
    where s.id = ${id} and (s.job_id is null or j.deleted_at is null)`,
    ) ?? null
  );
}

/** Links of one page of one customer that are neither expired nor revoked, newest first. */
export async function selectLiveShares(
  sql: Queryable,
  { customerId, path, now, limit }: { customerId: string; path: string; now: Date; limit: number },
): Promise<ShareRow[]> {
  return sql<ShareRow[]>`
    select * from portal_share
    where customer_id = ${customerId} and path = ${path} and revoked_at is null and expires_at > ${now}
    order by created_at desc, id desc limit ${limit}`;
}

/** The path and query that it opened; null if that customer has no such link, or it was already revoked. */
export async function revokeShareRow(
  sql: Queryable,
  { id, customerId, now }: { id: string; customerId: string; now: Date },
): Promise<Pick<ShareRow, 'path' | 'query'> | null> {
  const revoked = await sql<Pick<ShareRow, 'path' | 'query'>[]>`
    update portal_share set revoked_at = ${now}
    where id = ${id} and customer_id = ${customerId} and revoked_at is null
    returning path, query`;
  return maybeOne(revoked) ?? null;
}

/** Whether all of these jobs and tasks, without duplicates, exist and belong to one customer. */
export async function ownsAll(
  sql: Queryable,
  { customerId, jobs, tasks }: { customerId: string; jobs: readonly string[]; tasks: readonly string[] },
): Promise<boolean> {
  const { count } = one(
    await sql<{ count: number }[]>`
    select (
      (select count(*) from job
        where id = any(${[...jobs]}::int8[]) and customer_id = ${customerId} and deleted_at is null)
      + (select count(*) from task
        where id = any(${[...tasks]}::int8[]) and customer_id = ${customerId} and deleted_at is null)
    )::int as count`,
  );
  return count === jobs.length + tasks.length;
}

export async function isTaskOf(sql: Queryable, { task, job }: { task: string; job: string }): Promise<boolean> {
  const found = await sql`select from task where id = ${task} and job_id = ${job} and deleted_at is null`;
  return found.length === 1;
}
