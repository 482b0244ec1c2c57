import type { Context } from '../../platform/context.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { SESSION_DAYS } from '../token-times.ts';
import { insertSession, keepNewestSessions } from '../queries.ts';

/** What the tokens of a session say of it. */
export interface Session {
  id: string;
  generation: number;
  expiresAt: Date;
}

const DAY_MS = 24 * 3_600_000;

/** More than devices; a program that signs in for each call keeps those it used last. */
const MOST_SESSIONS = 1000;

/** A sign-in, within the transaction that records it. */
export async function beginSession(context: Context, tx: Queryable, userId: string): Promise<Session> {
  const now = context.now();
  const session = { id: context.newId(), generation: 1, expiresAt: expiryOf(now, now) };
  await insertSession(tx, { id: session.id, user_id: userId, created_at: now, expires_at: session.expiresAt });
  await keepNewestSessions(tx, userId, MOST_SESSIONS);
  return session;
}

/** So long after its last renewal a session ends, and so long after its sign-in whatever is renewed. */
export function expiryOf(begunAt: Date, renewedAt: Date): Date {
  const unused = renewedAt.getTime() + SESSION_DAYS.unused * DAY_MS;
  return new Date(Math.min(unused, begunAt.getTime() + SESSION_DAYS.most * DAY_MS));
}
