import type { Sql } from '../../coordinator/platform/db/client.ts';

/** The columns of a table that an INSERT may name, in their order: all but those that the database computes. */
export async function writtenColumns(sql: Sql, table: string): Promise<string[]> {
  const columns = await sql<{ attname: string }[]>`
    select attname from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`;
  return columns.map(({ attname }) => attname);
}
