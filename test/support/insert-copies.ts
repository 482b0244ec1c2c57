import type { Fragment } from 'postgres';
import type { Sql } from '../../coordinator/platform/db/client.ts';

/** Inserts whole rows of a table, as `select (row).*` gives them, without the columns that the database computes itself. */
export async function insertCopies(sql: Sql, table: string, rows: Fragment): Promise<void> {
  const written = await sql<{ attname: string }[]>`
    select attname from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`;
  const columns = sql(written.map(({ attname }) => attname));
  await sql`insert into ${sql(table)} (${columns}) select ${columns} from (${rows}) copy`;
}
