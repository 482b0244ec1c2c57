import type { Queryable } from './client.ts';
import type { DatabaseLog } from './database-log.ts';
import { DatabaseStartError } from './database-start-error.ts';
import { readServerVersion } from './queries.ts';

const OLDEST_MAJOR = 15;
const NEWEST_TESTED_MAJOR = 18;

/** Throws `DatabaseStartError` when the server is older than Postgres 15; newer than 18 is only noted. */
export async function requireSupportedServer(sql: Queryable, log: DatabaseLog): Promise<void> {
  const major = majorOf(await readServerVersion(sql));
  if (major > NEWEST_TESTED_MAJOR)
    log.warn({ major, tested: NEWEST_TESTED_MAJOR }, 'this Postgres is newer than the newest tested one');
}

/** 150012 -> 15. Throws `DatabaseStartError` below 15. */
export function majorOf(serverVersionNumber: number): number {
  const major = Math.floor(serverVersionNumber / 10_000);
  if (major >= OLDEST_MAJOR) return major;
  throw new DatabaseStartError(
    `The database server is Postgres ${major}; versions ${OLDEST_MAJOR} to ${NEWEST_TESTED_MAJOR} work. ` +
      'Upgrade it, or leave DATABASE_URL unset for the embedded one.',
  );
}
