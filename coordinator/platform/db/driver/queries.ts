import type { Sql } from '../client.ts';

/** One row, asked of a connection whose last result was left behind its first row. No error of the server is needed, so its log stays clean. */
export async function readOneAfterAStoppedCursor(sql: Sql): Promise<readonly unknown[]> {
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
