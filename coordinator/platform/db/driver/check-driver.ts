import type { Sql } from '../client.ts';
import { DatabaseStartError } from '../database-start-error.ts';

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

/** One row, asked of a connection whose last result was left behind its first row. No error of the server is needed, so its log stays clean. */
async function readOneAfterAStoppedCursor(sql: Sql): Promise<readonly unknown[]> {
  const connection = await sql.reserve();
  const enough = new Error('one is enough');
  try {
    await connection`select n from generate_series(1, 2) n`
      .cursor(1, () => {
        throw enough;
      })
      .catch((error: unknown) => {
        if (error !== enough) throw error;
      });
    return await connection`select 1 as one`;
  } finally {
    connection.release();
  }
}
