import type { Queryable } from '../../platform/db/client.ts';
import { one } from '../../platform/db/rows.ts';

interface Attempt {
  subject: string;
  limit: number;
  now: Date;
  /** A window that began at or before this is over. */
  windowStart: Date;
  blockedUntil: Date;
}

/** Counts one attempt before it is made, so that parallel guesses cannot pass the limit; returns the end of a block, or null. */
export async function countAttempt(sql: Queryable, attempt: Attempt): Promise<Date | null> {
  const { subject, limit, now, windowStart, blockedUntil } = attempt;
  const row = one(
    await sql<{ blocked_until: Date | null }[]>`
    insert into login_throttle as t (subject, failures, window_started_at)
    values (${subject}, 1, ${now})
    on conflict (subject) do update set
      failures = case when t.window_started_at <= ${windowStart} then 1 else least(t.failures + 1, 1000000) end,
      window_started_at = case when t.window_started_at <= ${windowStart} then ${now} else t.window_started_at end,
      blocked_until = case
        when t.blocked_until > ${now} then t.blocked_until
        when t.window_started_at > ${windowStart} and t.failures >= ${limit} then ${blockedUntil}
      end
    returning blocked_until`,
  );
  return row.blocked_until;
}

export async function forgetSubject(sql: Queryable, subject: string): Promise<void> {
  await sql`delete from login_throttle where subject = ${subject}`;
}

/** A good login takes back its own count and no one else's. */
export async function forgiveOne(sql: Queryable, subject: string): Promise<void> {
  await sql`update login_throttle set failures = greatest(failures - 1, 0) where subject = ${subject}`;
}

export async function deleteOldWindows(sql: Queryable, before: Date, now: Date): Promise<number> {
  const rows = await sql`
    delete from login_throttle
    where window_started_at < ${before} and (blocked_until is null or blocked_until < ${now})`;
  return rows.count;
}
