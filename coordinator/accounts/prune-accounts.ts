import type { Context } from '../platform/context.ts';
import { pruneEvents } from './audit/prune-events.ts';
import { deleteExpiredLinks } from './passwords/queries.ts';
import { deleteExpiredSignUps } from './sign-up/queries.ts';
import { deleteExpiredSessions } from './sessions/queries.ts';

const DAY_MS = 24 * 3_600_000;

/** Deletes sessions that no token can renew any more, password links a day after their expiry, sign-ups that nobody completed, old audit events. */
export async function pruneAccounts(context: Context): Promise<number> {
  const now = context.now();
  await pruneEvents(context);
  const sessions = await deleteExpiredSessions(context.sql, now);
  await deleteExpiredSignUps(context.sql, now);
  return sessions + (await deleteExpiredLinks(context.sql, new Date(now.getTime() - DAY_MS)));
}
