import type { Context } from '../../platform/context.ts';
import { deleteOldJobEvents } from '../queries/job-page.ts';

const DAY_MS = 86_400_000;
const AT_ONCE = 5000;

/** Pages follow the number of a job's last change, which stays; what changed is kept a week for those who ask what happened. */
export async function pruneJobEvents({ sql, now }: Context): Promise<void> {
  const before = new Date(now().getTime() - 7 * DAY_MS);
  while ((await deleteOldJobEvents(sql, before, AT_ONCE)) === AT_ONCE);
}
