import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';

export interface SessionRow {
  id: string;
  user_id: string;
  generation: number;
  created_at: Date;
  expires_at: Date;
  ended_at: Date | null;
}

const selectSession = (sql: Queryable, id: string) => sql`
  select id, user_id, generation, created_at, expires_at, ended_at from login_session where id = ${id}`;

export async function findSession(sql: Queryable, id: string): Promise<SessionRow | null> {
  return maybeOne(await sql<SessionRow[]>`${selectSession(sql, id)}`) ?? null;
}

/** Held until the transaction ends: renewals of one session come one after the other. */
export async function lockSession(tx: Queryable, id: string): Promise<SessionRow | null> {
  return maybeOne(await tx<SessionRow[]>`${selectSession(tx, id)} for update`) ?? null;
}

export async function insertSession(
  tx: Queryable,
  { id, userId, now, expiresAt }: { id: string; userId: string; now: Date; expiresAt: Date },
): Promise<void> {
  await tx`
    insert into login_session (id, user_id, created_at, refreshed_at, expires_at)
    values (${id}, ${userId}, ${now}, ${now}, ${expiresAt})`;
}

/** All but the `most` used last; who signs in by a program every minute fills no table. */
export async function keepNewestSessions(tx: Queryable, userId: string, most: number): Promise<void> {
  await tx`
    delete from login_session where user_id = ${userId} and id in (
      select id from login_session where user_id = ${userId} order by refreshed_at desc, id desc offset ${most})`;
}

export async function advanceSession(
  tx: Queryable,
  { id, now, expiresAt }: { id: string; now: Date; expiresAt: Date },
): Promise<void> {
  await tx`
    update login_session set generation = generation + 1, refreshed_at = ${now}, expires_at = ${expiresAt}
    where id = ${id}`;
}

/** False where it had ended before. */
export async function endSession(tx: Queryable, id: string, now: Date): Promise<boolean> {
  return (await tx`update login_session set ended_at = ${now} where id = ${id} and ended_at is null`).count === 1;
}

/** Rows whose tokens have all expired, ended or not. */
export async function deleteExpiredSessions(sql: Queryable, now: Date): Promise<number> {
  return (await sql`delete from login_session where expires_at <= ${now}`).count;
}
