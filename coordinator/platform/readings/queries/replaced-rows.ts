import type { Fragment } from 'postgres';
import type { Transaction } from '../../db/client.ts';

/** A table whose rows belong to a reading. */
export interface ReadingTable {
  name: string;
  /** the column with the id of the reading */
  run: 'run_id' | 'edition_id';
}

/** Takes rows out of a table and keeps them as replaced by `by`; returns their number by reading. */
export async function setAside(
  tx: Transaction,
  { name, run }: ReadingTable,
  { by, which }: { by: string; which: Fragment },
): Promise<Map<string, number>> {
  const rows = await tx<{ run_id: string; rows: number }[]>`
    with gone as (
      delete from ${tx(name)} where ${which} returning *
    ), kept as (
      insert into replaced_row (replaced_by, run_id, relation, content)
      select ${by}::int8, ${tx(run)}, ${name}, to_jsonb(gone) from gone
    )
    select ${tx(run)} as run_id, count(*)::float8 as rows from gone group by ${tx(run)}`;
  return new Map(rows.map(({ run_id, rows: count }) => [run_id, count]));
}

/**
 * Puts back what a reading had replaced, into these tables in their order; returns the number of rows. Call after its own
 * rows were set aside.
 */
export async function bringBack(tx: Transaction, tables: readonly ReadingTable[], by: string): Promise<number> {
  const back = new Map<string, number>();
  for (const { name } of tables) {
    const rows = await tx<{ run_id: string; rows: number }[]>`
      with back as (
        delete from replaced_row where replaced_by = ${by} and run_id <> ${by} and relation = ${name}
        returning run_id, content
      ), standing as (
        insert into ${tx(name)} select r.* from back, jsonb_populate_record(null::${tx(name)}, back.content) r
      )
      select run_id, count(*)::float8 as rows from back group by run_id`;
    for (const { run_id, rows: count } of rows) back.set(run_id, (back.get(run_id) ?? 0) + count);
  }
  // A row of a file can be several rows here: what is still aside is counted, but never more than the reading kept.
  await tx`
    update ingest_run r set replaced_by = null, rows_aside = least(r.rows_kept, greatest(r.rows_aside - m.rows,
      (select count(*) from replaced_row a where a.run_id = r.id and a.replaced_by <> r.id)))
    from unnest(${[...back.keys()]}::int8[], ${[...back.values()]}::int8[]) as m (id, rows) where r.id = m.id`;
  return [...back.values()].reduce((sum, rows) => sum + rows, 0);
}

/** The readings that replaced rows of this one, as far as those were kept; the newest first. */
export async function selectReplacing(tx: Transaction, runId: string): Promise<string[]> {
  const rows = await tx<{ replaced_by: string }[]>`
    select distinct replaced_by from replaced_row where run_id = ${runId} and replaced_by <> ${runId}
    order by replaced_by desc`;
  return rows.map(({ replaced_by }) => replaced_by);
}
