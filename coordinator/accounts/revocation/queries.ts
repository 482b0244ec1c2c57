import type { Role, Tier } from '../../contract/user.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne, one } from '../../platform/db/rows.ts';
import { currentSubscription } from '../standing/queries.ts';

/** To be seen by every process with the transaction's commit. */
export async function countRevocation(tx: Queryable): Promise<void> {
  await tx`update revocation set count = count + 1`;
}

export async function revocationCount(sql: Queryable): Promise<string | undefined> {
  return maybeOne(await sql<{ count: string }[]>`select count from revocation`)?.count;
}

/** The epoch also ends the tokens of before there were sessions, and the device cookies. */
export async function endSessionsOf(tx: Queryable, userId: string, now: Date): Promise<void> {
  await tx`update user_account set session_epoch = session_epoch + 1 where id = ${userId}`;
  await tx`update login_session set ended_at = ${now} where user_id = ${userId} and ended_at is null`;
}

export async function setDisabled(tx: Queryable, userId: string, disabledAt: Date | null): Promise<void> {
  await tx`update user_account set disabled_at = ${disabledAt} where id = ${userId}`;
}

export interface ListedUser {
  email: string;
  company_name: string;
  /** null: no active subscription */
  tier: Tier | null;
  role: Role;
  created_at: Date;
  disabled_at: Date | null;
}

export async function selectUsers(sql: Queryable, now: Date, limit: number): Promise<ListedUser[]> {
  return sql<ListedUser[]>`
    select u.email, c.name as company_name, current.tier, u.role, u.created_at, u.disabled_at
    from user_account u join customer c on c.id = u.customer_id
      left join lateral (${currentSubscription(sql, now)}) current on true
    order by lower(c.name), lower(u.email) limit ${limit}`;
}

/** Jobs that have not ended, and how many of them machines are at work for. */
export async function countOpenJobs(sql: Queryable): Promise<{ open: number; started: number }> {
  return one(
    await sql<{ open: number; started: number }[]>`
    select count(*)::int as open, count(*) filter (where state <> 'created')::int as started
    from job where state in ('created', 'starting', 'running') and deleted_at is null`,
  );
}
