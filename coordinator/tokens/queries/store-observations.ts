import type { Transaction } from '../../platform/db/client.ts';
import { markReplaced, selectStanding } from '../../platform/readings/queries.ts';
import type { Observations } from '../observations.ts';

const tables = ['token_price_observation', 'token_model_observation', 'token_usage_observation'] as const;

/** An observation has the columns of its table, except for the reading that it belongs to. */
export async function insertObservations(
  tx: Transaction,
  run: { run_id: string; source: string },
  { prices, models, usage }: Observations,
): Promise<void> {
  const rowsOf = { token_price_observation: prices, token_model_observation: models, token_usage_observation: usage };
  for (const table of tables) {
    const rows = rowsOf[table].map((row) => ({ ...run, ...row }));
    await tx`insert into ${tx(table)} select * from jsonb_populate_recordset(null::${tx(table)}, ${tx.json(rows)})`;
  }
}

/** Those of these days for which a reading splits input from output. */
export async function selectDaysWithSplit(
  tx: Transaction,
  { source, days }: { source: string; days: readonly string[] },
): Promise<Set<string>> {
  const rows = await tx<{ day: string }[]>`
    select distinct day::text from token_usage_observation
    where source = ${source} and day = any(${days}::date[]) and tokens_input is not null`;
  return new Set(rows.map(({ day }) => day));
}

interface Deleted {
  rows: number;
  /** deleted rows by reading */
  ofRuns: ReadonlyMap<string, number>;
}

/** Deletes what earlier readings of this part of the source said about these days. */
export async function deleteReplaced(
  tx: Transaction,
  { source, scope, days }: { source: string; scope: string; days: readonly string[] },
): Promise<Deleted> {
  const runs = await selectStanding(tx, { source, scope });
  if (runs.length === 0) return { rows: 0, ofRuns: new Map() };
  const deleted = await Promise.all(
    tables.map(
      (table) => tx<{ run_id: string; rows: number }[]>`
        with gone as (
          delete from ${tx(table)}
          where source = ${source} and day = any(${days}::date[]) and run_id = any(${runs}::int8[])
          returning run_id
        )
        select run_id, count(*)::float8 as rows from gone group by run_id`,
    ),
  );
  const ofRuns = new Map<string, number>();
  for (const { run_id, rows } of deleted.flat()) ofRuns.set(run_id, (ofRuns.get(run_id) ?? 0) + rows);
  return { rows: [...ofRuns.values()].reduce((sum, rows) => sum + rows, 0), ofRuns };
}

/** A row of a file may become several observations: a reading is empty once no table has any of it. */
export const markEmptied = (
  tx: Transaction,
  { ofRuns, by }: { ofRuns: ReadonlyMap<string, number>; by: string },
): Promise<void> => {
  const remains = tables.map(
    (table) => tx`
      exists (select from ${tx(table)} o where o.run_id = r.id and o.source = r.source and o.day between r.first_day and r.last_day)`,
  );
  return markReplaced(tx, {
    rows: ofRuns,
    by,
    isEmpty: tx`not (${remains.reduce((all, one) => tx`${all} or ${one}`)})`,
  });
};
