import type { Context } from '../../platform/context.ts';
import { deleteEventsBefore } from './queries.ts';

const DAY_MS = 86_400_000;
/** A year and the weeks in which somebody asks about it. The database itself lets no younger event go. */
const KEPT_DAYS = 400;
const AT_ONCE = 5000;

export async function pruneEvents({ sql, now }: Context): Promise<void> {
  const before = new Date(now().getTime() - KEPT_DAYS * DAY_MS);
  while ((await deleteEventsBefore(sql, before, AT_ONCE)) === AT_ONCE);
}
