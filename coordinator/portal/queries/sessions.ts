import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';

export interface PortalSessionRow {
  token_hash: Buffer;
  login_session_id: string;
  user_id: string;
  created_at: Date;
  seen_at: Date;
  password_at: Date;
}

export async function insertPortalSession(
  sql: Queryable,
  row: PortalSessionRow & { address: string | null; browser: string },
): Promise<void> {
  await sql`insert into portal_session ${sql(row)}`;
}

export async function findPortalSession(sql: Queryable, tokenHash: Buffer): Promise<PortalSessionRow | null> {
  return (
    maybeOne(
      await sql<PortalSessionRow[]>`
    select token_hash, login_session_id, user_id, created_at, seen_at, password_at
    from portal_session where token_hash = ${tokenHash}`,
    ) ?? null
  );
}

/** The browser session of an API session, whatever its current token is. */
export async function findPortalSessionOf(sql: Queryable, loginSessionId: string): Promise<PortalSessionRow | null> {
  return (
    maybeOne(
      await sql<PortalSessionRow[]>`
    select token_hash, login_session_id, user_id, created_at, seen_at, password_at
    from portal_session where login_session_id = ${loginSessionId} order by seen_at desc limit 1`,
    ) ?? null
  );
}

export async function touchPortalSession(sql: Queryable, tokenHash: Buffer, now: Date): Promise<void> {
  await sql`update portal_session set seen_at = ${now} where token_hash = ${tokenHash} and seen_at < ${now}`;
}

/**
 * After the password was given again: the session continues under a new token. False if another request has renewed it,
 * or it has ended.
 */
export async function renewPortalSession(
  sql: Queryable,
  oldHash: Buffer,
  { tokenHash, passwordAt }: { tokenHash: Buffer; passwordAt: Date },
): Promise<boolean> {
  const renewed = await sql`
    update portal_session set token_hash = ${tokenHash}, password_at = ${passwordAt} where token_hash = ${oldHash}`;
  return renewed.count === 1;
}

export async function deletePortalSession(sql: Queryable, tokenHash: Buffer): Promise<void> {
  await sql`delete from portal_session where token_hash = ${tokenHash}`;
}

export interface ListedSession {
  login_session_id: string;
  created_at: Date;
  seen_at: Date;
  is_here: boolean;
  /** null: a program or an agent, signed in through the API */
  browser: string | null;
  address: string | null;
}

/** The user's active sessions: browsers, and API sessions without a browser. */
export async function selectSessions(
  sql: Queryable,
  { userId, here, now, seenAfter, limit }: { userId: string; here: string; now: Date; seenAfter: Date; limit: number },
): Promise<ListedSession[]> {
  return sql<ListedSession[]>`
    select l.id as login_session_id, l.created_at, coalesce(p.seen_at, l.refreshed_at) as seen_at, p.browser, p.address,
      l.id = ${here} as is_here
    from login_session l left join portal_session p on p.login_session_id = l.id
    where l.user_id = ${userId} and l.ended_at is null and l.expires_at > ${now}
      and (p.token_hash is null or p.seen_at > ${seenAfter})
    order by seen_at desc, l.id desc limit ${limit}`;
}
