import type { Context } from '../../platform/context.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { SESSION_DAYS } from '../token-times.ts';
import { insertSession, keepNewestSessions } from '../queries.ts';

/** The parts of a session that its tokens carry. */
export interface Session {
  id: string;
  generation: number;
  expiresAt: Date;
}

const DAY_MS = 24 * 3_600_000;

/** More than anybody has devices; of a program that signs in for each call, the sessions refreshed last are kept. */
const MOST_SESSIONS = 1000;

/** Begins a session, within the transaction that records the sign-in. */
export async function beginSession(context: Context, tx: Queryable, userId: string): Promise<Session> {
  const now = context.now();
  const session = { id: context.newId(), generation: 1, expiresAt: expiryOf(now, now) };
  await insertSession(tx, { id: session.id, user_id: userId, created_at: now, expires_at: session.expiresAt });
  await keepNewestSessions(tx, userId, MOST_SESSIONS);
  return session;
}

/** A session ends `SESSION_DAYS.unused` after its last renewal, and `SESSION_DAYS.most` after its sign-in in any case. */
export function expiryOf(begunAt: Date, renewedAt: Date): Date {
  const unused = renewedAt.getTime() + SESSION_DAYS.unused * DAY_MS;
  return new Date(Math.min(unused, begunAt.getTime() + SESSION_DAYS.most * DAY_MS));
}
