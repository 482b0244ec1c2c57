import type { Sql } from '../client.ts';
import { DatabaseStartError } from '../database-start-error.ts';
import { readOneAfterAStoppedCursor } from './queries.ts';

/**
 * Throws `DatabaseStartError` unless the driver is the mended one. Asked of its behaviour, which a list of files cannot vouch
 * for: a result that is left in its middle must leave nothing for the next query of the connection.
 */
export async function checkDriver(sql: Sql): Promise<void> {
  const rows = await readOneAfterAStoppedCursor(sql);
  if (rows.length === 1 && Object.hasOwn(rows, 0)) return;
  throw new DatabaseStartError(
    'The Postgres driver in node_modules lacks its patch, and with it answers would come back with rows missing: ' +
      'run `node coordinator/platform/db/driver/patch-driver.ts`, then start again.',
  );
}
