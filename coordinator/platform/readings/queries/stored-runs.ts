import type { Queryable, Transaction } from '../../db/client.ts';
import { maybeOne } from '../../db/rows.ts';
import type { EarlierCoverage } from '../coverage.ts';

/**
 * Earlier readings that one is compared with: few enough to follow a source that changes, enough that one bad reading
 * does not set the standard.
 */
const MEASURED_AGAINST = 5;

/**
 * Readings of a part of a source that are in force, end before a day and have between half and twice its days, the
 * newest first.
 */
export async function selectEarlierCoverage(
  tx: Transaction,
  { source, scope, before, days }: { source: string; scope: string; before: string | null; days: number },
): Promise<EarlierCoverage[]> {
  return tx<EarlierCoverage[]>`
    select covered as counts, drop_accepted from ingest_run
    where source = ${source} and scope = ${scope} and replaced_by is null and covered is not null
      and last_day is not null and (${before}::date is null or last_day < ${before}::date)
      and days * 2 >= ${days} and days <= ${days} * 2
    order by last_day desc, id desc limit ${MEASURED_AGAINST}`;
}

/** Days on which, by the readings of a source that were not undone, its prices changed their unit; null: of all sources. */
export async function selectUnitChanges(
  sql: Queryable,
  source: string | null,
): Promise<{ source: string; day: string }[]> {
  return sql<{ source: string; day: string }[]>`
    select distinct r.source, d.day::text from ingest_run r cross join unnest(r.unit_changed_on) as d (day)
    where undone_at is null and (${source}::text is null or r.source = ${source}) order by 1, 2`;
}

export interface UndoableRun {
  id: string;
  source: string;
  scope: string;
  first_day: string | null;
  last_day: string | null;
  rows_kept: string;
  rows_aside: string;
  keeps_replaced: boolean;
  undone_at: Date | null;
}

export async function selectRun(tx: Transaction, runId: string): Promise<UndoableRun | null> {
  const row = maybeOne(
    await tx<UndoableRun[]>`
    select id, source, scope, first_day::text, last_day::text, rows_kept, rows_aside, keeps_replaced, undone_at
    from ingest_run where id = ${runId}`,
  );
  return row ?? null;
}

export async function markUndone(tx: Transaction, { runId, at }: { runId: string; at: Date }): Promise<void> {
  await tx`
    update ingest_run set rows_aside = rows_kept, replaced_by = id, undone_at = ${at} where id = ${runId}`;
}
