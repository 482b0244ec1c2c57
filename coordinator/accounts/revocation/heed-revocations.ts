import type { Context } from '../../platform/context.ts';
import { credentialCaches } from '../credential-caches.ts';
import { revocationCount } from './queries.ts';

/**
 * How often a process that serves looks for revocations: so long at most they take to work everywhere. A look costs a
 * quarter of a millisecond. What is told (LISTEN) is looked at at once; a look every so often comes through any pooler, and
 * cannot be missed while the database restarts.
 */
export const LOOK_MS = 250;

/**
 * One look; the returned function is called again and again. What is remembered about keys, users and jobs is forgotten if
 * anything was revoked since the last look. If the database does not answer, what is remembered ages out within 5 s.
 */
export function heedRevocations({ sql, now }: Context): () => Promise<void> {
  let seen: string | undefined;
  return async () => {
    // A failure is not logged four times a second; the other sweeps say that the database is gone.
    const count = await revocationCount(sql).catch(() => seen);
    if (count !== seen) credentialCaches({ sql, now }).forget();
    seen = count;
  };
}
