import type { Context } from '../platform/context.ts';
import { deleteExpiredLinks } from './passwords/queries.ts';
import { deleteExpiredSessions } from './sessions/queries.ts';

const DAY_MS = 24 * 3_600_000;

/** Deletes sessions that no token can renew any more, and password links a day after their expiry; returns how many. */
export async function pruneAccounts(context: Context): Promise<number> {
  const now = context.now();
  const sessions = await deleteExpiredSessions(context.sql, now);
  return sessions + (await deleteExpiredLinks(context.sql, new Date(now.getTime() - DAY_MS)));
}
