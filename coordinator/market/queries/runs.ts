import { one } from '../../platform/db/rows.ts';
import type { Transaction } from '../../platform/db/client.ts';
import { markReplaced, selectStanding } from '../../platform/readings/queries.ts';
import type { UndoableRun } from '../../platform/readings/queries/stored-runs.ts';
import type { Counts } from '../../platform/readings/coverage.ts';
import { observationColumns } from './observations.ts';

/** What earlier runs had on a day. */
interface DayAside {
  day: string;
  counts: Counts;
}

interface SetAside {
  /** days on which earlier runs had observations */
  days: DayAside[];
  /** run id -> number of its observations set aside */
  runs: Map<string, number>;
}

interface AsideRow {
  /** null: the total over all runs */
  run_id: string | null;
  rows: number;
  products: number;
  providers: number;
}

/**
 * Sets aside the observations of these days from earlier runs of this part of the source, for the run that replaces
 * them. Queries the table by time, once its index covers what was written (`indexed`).
 */
export async function setReplacedAside(
  tx: Transaction,
  {
    source,
    scope,
    days,
    by,
    indexed,
  }: { source: string; scope: string; days: readonly string[]; by: string; indexed: Promise<void> },
): Promise<SetAside> {
  const earlier = await selectStanding(tx, { source, scope });
  const aside: SetAside = { days: [], runs: new Map() };
  if (earlier.length === 0) return aside;
  await indexed;
  // One day at a time: the BRIN index finds its blocks, and partitions without that day are not touched.
  const moved = await Promise.all(
    days.map(
      (day) => tx<AsideRow[]>`
        with gone as (
          delete from observation
          where observed_at >= ${day}::date and observed_at < ${day}::date + 1
            and run_id = any(${earlier}::int8[])
          returning ${tx.unsafe(observationColumns)}
        ), kept as (
          insert into replaced_observation (replaced_by, ${tx.unsafe(observationColumns)})
          select ${by}::int8, ${tx.unsafe(observationColumns)} from gone
        )
        select run_id, count(*)::float8 as rows, count(distinct product_id)::float8 as products,
          count(distinct provider_id)::float8 as providers
        from gone group by grouping sets ((), (run_id))`,
    ),
  );
  for (const [at, rows] of moved.entries())
    for (const { run_id, ...counts } of rows) {
      if (run_id !== null) aside.runs.set(run_id, (aside.runs.get(run_id) ?? 0) + counts.rows);
      else if (counts.rows > 0) aside.days.push({ day: days[at] ?? '', counts });
    }
  return aside;
}

/** Each observation is one row that a run kept, so a run is empty once it has lost as many as it kept. */
export const markAside = (
  tx: Transaction,
  { runs, by }: { runs: ReadonlyMap<string, number>; by: string },
): Promise<void> => markReplaced(tx, { rows: runs, by, isEmpty: tx`r.rows_aside + lost.rows >= r.rows_kept` });

/** The runs that set aside observations of this one, as far as those were kept. */
export async function selectReplacing(tx: Transaction, runId: string): Promise<string[]> {
  const rows = await tx<{ replaced_by: string }[]>`
    select distinct replaced_by from replaced_observation where run_id = ${runId} and replaced_by <> ${runId}
    order by replaced_by desc`;
  return rows.map(({ replaced_by }) => replaced_by);
}

/** Restores what a run had set aside, in order of time, which the BRIN index needs to separate days. */
export async function bringBack(tx: Transaction, runId: string): Promise<number> {
  const runs = await tx<{ run_id: string; rows: number }[]>`
    with back as (
      delete from replaced_observation where replaced_by = ${runId} and run_id <> ${runId}
      returning ${tx.unsafe(observationColumns)}
    ), standing as (
      insert into observation (${tx.unsafe(observationColumns)}) select ${tx.unsafe(observationColumns)} from back order by observed_at
    )
    select run_id, count(*)::float8 as rows from back group by run_id`;
  if (runs.length === 0) return 0;
  await tx`
    update ingest_run r set rows_aside = r.rows_aside - m.rows, replaced_by = null
    from unnest(${runs.map(({ run_id }) => run_id)}::int8[], ${runs.map(({ rows }) => rows)}::int8[]) as m (id, rows)
    where r.id = m.id`;
  return runs.reduce((sum, { rows }) => sum + rows, 0);
}

/** Sets aside a run's own observations and returns their days. */
export async function setOwnAside(
  tx: Transaction,
  { id, first_day, last_day }: Pick<UndoableRun, 'id' | 'first_day' | 'last_day'>,
): Promise<DayRows[]> {
  return tx<DayRows[]>`
    with gone as (
      delete from observation
      where observed_at >= ${first_day}::date and observed_at < ${last_day}::date + 1 and run_id = ${id}
      returning ${tx.unsafe(observationColumns)}
    ), kept as (
      insert into replaced_observation (replaced_by, ${tx.unsafe(observationColumns)})
      select ${id}::int8, ${tx.unsafe(observationColumns)} from gone
    )
    select observed_at::date::text as day, count(*)::float8 as rows from gone group by 1 order by 1`;
}

interface DayRows {
  day: string;
  rows: number;
}

/** The day nearest to `day`, before or after it, that a reading of the source in force spans; null if there is none. */
export async function selectNearestRunDay(
  tx: Transaction,
  { source, exceptRun, day, isBefore }: { source: string; exceptRun: string; day: string; isBefore: boolean },
): Promise<string | null> {
  const rows = await tx<{ nearest: string | null }[]>`
    select case when ${isBefore} then max(least(last_day, ${day}::date - 1)) filter (where first_day < ${day}::date)
      else min(greatest(first_day, ${day}::date + 1)) filter (where last_day > ${day}::date) end::text as nearest
    from ingest_run where source = ${source} and replaced_by is null and id <> ${exceptRun}`;
  return one(rows).nearest;
}
