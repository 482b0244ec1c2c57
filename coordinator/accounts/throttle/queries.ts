import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne, one } from '../../platform/db/rows.ts';
import type { Pace } from './limits.ts';

interface Attempt extends Pace {
  subject: string;
  now: Date;
}

/**
 * Counts one attempt before it is made, so that parallel guesses gain nothing, and sets the pause that follows if it fails.
 * Undefined if a pause is running: then nothing is counted, and further attempts do not make it longer.
 */
export async function countAttempt(
  sql: Queryable,
  { subject, now, free, mostSeconds, windowSeconds }: Attempt,
): Promise<{ blocked_until: Date | null } | undefined> {
  const over = sql`t.window_started_at <= ${now}::timestamptz - make_interval(secs => ${windowSeconds})`;
  const pause = sql`make_interval(secs => least(${mostSeconds}::float8, power(2, least(t.failures + 1 - ${free}::int4, 30))))`;
  return maybeOne(
    await sql<{ blocked_until: Date | null }[]>`
    insert into login_throttle as t (subject, failures, window_started_at) values (${subject}, 1, ${now})
    on conflict (subject) do update set
      failures = case when ${over} then 1 else least(t.failures + 1, 1000000) end,
      window_started_at = case when ${over} then ${now} else t.window_started_at end,
      blocked_until = case when not ${over} and t.failures + 1 >= ${free}::int4 then ${now}::timestamptz + ${pause} end
    where t.blocked_until is null or t.blocked_until <= ${now}
    returning blocked_until`,
  );
}

/** When the last of the pauses of these subjects ends; null if none is running. */
export async function findPause(sql: Queryable, subjects: readonly string[], now: Date): Promise<Date | null> {
  const row = one(
    await sql<{ until: Date | null }[]>`
    select max(blocked_until) as until from login_throttle
    where subject = any(${[...subjects]}) and blocked_until > ${now}`,
  );
  return row.until;
}

export async function forgetSubject(sql: Queryable, subject: string): Promise<void> {
  await sql`delete from login_throttle where subject = ${subject}`;
}

/** A successful sign-in takes back its own count and its own pause, and nobody else's. */
export async function forgiveOne(sql: Queryable, subject: string, ownPause: Date | null): Promise<void> {
  await sql`
    update login_throttle set failures = greatest(failures - 1, 0),
      blocked_until = case when blocked_until = ${ownPause}::timestamptz then null else blocked_until end
    where subject = ${subject}`;
}

/** Deletes windows that began before `before`, except those with a running pause, and of the rest all but `most`. */
export async function deleteOldWindows(
  sql: Queryable,
  { before, now, most }: { before: Date; now: Date; most: number },
): Promise<number> {
  const old = await sql`
    delete from login_throttle
    where window_started_at < ${before} and (blocked_until is null or blocked_until < ${now})`;
  const beyond = await sql`
    delete from login_throttle where subject in (
      select subject from login_throttle order by failures desc, window_started_at desc offset ${most})`;
  return old.count + beyond.count;
}

export async function isKnownPlace(
  sql: Queryable,
  { userId, network, since }: { userId: string; network: string; since: Date },
): Promise<boolean> {
  const row = one(
    await sql<{ known: boolean }[]>`
    select exists (
      select from login_place where user_id = ${userId} and network = ${network} and last_at > ${since}) as known`,
  );
  return row.known;
}

/** Writes at most once an hour for a place that is known already; true if a place was written. */
export async function rememberPlace(
  sql: Queryable,
  { userId, network, now }: { userId: string; network: string; now: Date },
): Promise<boolean> {
  const written = await sql`
    insert into login_place as p (user_id, network, last_at) values (${userId}, ${network}, ${now})
    on conflict (user_id, network) do update set last_at = excluded.last_at
    where p.last_at < excluded.last_at - interval '1 hour'`;
  return written.count > 0;
}

export async function keepNewestPlaces(sql: Queryable, userId: string, most: number): Promise<void> {
  await sql`
    delete from login_place where user_id = ${userId} and network in (
      select network from login_place where user_id = ${userId} order by last_at desc offset ${most})`;
}

export async function deletePlaces(sql: Queryable, of: { userId: string } | { before: Date }): Promise<number> {
  const match = 'userId' in of ? sql`user_id = ${of.userId}` : sql`last_at < ${of.before}`;
  return (await sql`delete from login_place where ${match}`).count;
}
