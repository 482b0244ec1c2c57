import type { Context } from '../platform/context.ts';
import { deleteExpiredLinks } from './passwords/queries.ts';
import { deleteExpiredSignUps } from './sign-up/queries.ts';
import { deleteExpiredSessions } from './queries.ts';
import { deleteEventsBefore } from './audit/queries.ts';

const DAY_MS = 86_400_000;

/** Deletes sessions that no token can renew any more, password links a day after their expiry, sign-ups that nobody completed, old audit events. */
export async function pruneAccounts(context: Context): Promise<number> {
  const now = context.now();
  await pruneEvents(context);
  const sessions = await deleteExpiredSessions(context.sql, now);
  await deleteExpiredSignUps(context.sql, now);
  return sessions + (await deleteExpiredLinks(context.sql, new Date(now.getTime() - DAY_MS)));
}

/** A year and the weeks in which somebody asks about it. The database itself lets no younger event go. */
const KEPT_DAYS = 400;
const AT_ONCE = 5000;

export async function pruneEvents({ sql, now }: Context): Promise<void> {
  const before = new Date(now().getTime() - KEPT_DAYS * DAY_MS);
  while ((await deleteEventsBefore(sql, before, AT_ONCE)) === AT_ONCE);
}
