import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne, one } from '../../platform/db/rows.ts';

/** Announces a revocation: every process sees it once the transaction has committed. */
export async function countRevocation(tx: Queryable): Promise<void> {
  await tx`update revocation set count = count + 1`;
}

export async function revocationCount(sql: Queryable): Promise<string | undefined> {
  return maybeOne(await sql<{ count: string }[]>`select count from revocation`)?.count;
}

/** Raising the epoch also ends tokens that have no session, and the device cookies. */
export async function endSessionsOf(tx: Queryable, userId: string, now: Date): Promise<void> {
  await tx`update user_account set session_epoch = session_epoch + 1 where id = ${userId}`;
  await tx`update login_session set ended_at = ${now} where user_id = ${userId} and ended_at is null`;
}

/** Jobs that have not ended, and how many of them have been started. */
export async function countOpenJobs(sql: Queryable): Promise<{ open: number; started: number }> {
  return one(
    await sql<{ open: number; started: number }[]>`
    select count(*)::int as open, count(*) filter (where state <> 'created')::int as started
    from job where state in ('created', 'starting', 'running') and deleted_at is null`,
  );
}
