import type { Platform } from '../context.ts';
import type { Queryable } from '../db/client.ts';
import { insertWork, type WorkSubject } from './queries.ts';

/**
 * Enqueues work to be done outside the request. Call it with the `sql` of the transaction that makes the work necessary, so
 * that both happen or neither. Enqueuing again while the item is still queued has no effect; while it runs, it causes one
 * more run afterwards, because the running one may have read the data before the change.
 */
export async function enqueueWork(
  sql: Queryable,
  context: Pick<Platform, 'now' | 'newId'>,
  work: WorkSubject,
): Promise<void> {
  await insertWork(sql, { ...work, id: context.newId(), created_at: context.now() });
}
