import type { Fragment } from 'postgres';
import type { Transaction } from '../../platform/db/client.ts';
import type { Counts } from '../../platform/readings/coverage.ts';
import { setAside, type ReadingTable } from '../../platform/readings/queries/replaced-rows.ts';
import { markReplaced, selectStanding } from '../../platform/readings/queries.ts';
import type { Observations } from '../observations.ts';

const tables = ['token_price_observation', 'token_model_observation', 'token_usage_observation'] as const;
export const readingTables = tables.map((name): ReadingTable => ({ name, run: 'run_id' }));

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

interface Replaced {
  rows: number;
  /** replaced rows by reading */
  ofRuns: ReadonlyMap<string, number>;
  /** days on which earlier readings had rows, and how many of each kind */
  days: { day: string; counts: Counts }[];
}

/** Sets aside what earlier readings of this part of the source said about these days. */
export async function setReplacedAside(
  tx: Transaction,
  { source, scope, days, by }: { source: string; scope: string; days: readonly string[]; by: string },
): Promise<Replaced> {
  const runs = await selectStanding(tx, { source, scope });
  if (runs.length === 0) return { rows: 0, ofRuns: new Map(), days: [] };
  const which = tx`source = ${source} and day = any(${days}::date[]) and run_id = any(${runs}::int8[])`;
  const before = await countDays(tx, which);
  const ofRuns = new Map<string, number>();
  for (const table of readingTables)
    for (const [run, rows] of await setAside(tx, table, { by, which })) ofRuns.set(run, (ofRuns.get(run) ?? 0) + rows);
  return { rows: [...ofRuns.values()].reduce((sum, rows) => sum + rows, 0), ofRuns, days: before };
}

/** By day what a reading is measured by: prices, models, sellers, items of usage. */
async function countDays(tx: Transaction, which: Fragment): Promise<{ day: string; counts: Counts }[]> {
  return tx<{ day: string; counts: Counts }[]>`
    select day::text, jsonb_build_object('prices', count(*) filter (where kind = 'price'),
      'models', count(distinct model) filter (where kind <> 'usage'),
      'sellers', count(distinct seller), 'usage', count(*) filter (where kind = 'usage' and has_split),
      'usage without a split', count(*) filter (where kind = 'usage' and not has_split)) as counts
    from (
      select day, 'price' as kind, model, seller, null::bool as has_split from token_price_observation where ${which}
      union all select day, 'model', model, null, null from token_model_observation where ${which}
      union all select day, 'usage', null, null, tokens_input is not null from token_usage_observation where ${which}
    ) o group by day order by day`;
}

/** Sets aside a run's own rows; returns their number. */
export async function setOwnAside(tx: Transaction, runId: string): Promise<number> {
  let rows = 0;
  for (const table of readingTables)
    for (const count of (await setAside(tx, table, { by: runId, which: tx`run_id = ${runId}` })).values())
      rows += count;
  return rows;
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
