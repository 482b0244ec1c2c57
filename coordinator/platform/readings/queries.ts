import type { Fragment } from 'postgres';
import type { Queryable, Transaction } from '../db/client.ts';
import { lockByName } from '../db/transactions.ts';
import { maybeOne } from '../db/rows.ts';
import type { Counts } from './coverage.ts';

/** A source's label that matches no known product, provider or model. */
export interface UnmatchedLabel {
  kind: 'product' | 'provider' | 'model';
  label: string;
  rows: number;
  /** YYYY-MM-DD */
  first_seen: string;
  last_seen: string;
}

interface NewRun {
  id: string;
  source: string;
  scope: string;
  origin: string;
  /** the file read, if `origin` has several; null: all of `origin` */
  file: string | null;
  content_sha256: Buffer;
  first_day: string | null;
  last_day: string | null;
  rows_read: number;
  rows_kept: number;
  refused: Record<string, number>;
  unmatched: number;
  /** days on which, by the operator, the prices of its source changed their unit */
  unit_changed_on?: readonly string[];
  started_at: Date;
  ended_at: Date;
  /** absent if the observations that this run replaces are not kept */
  covers?: RunCoverage;
}

interface RunCoverage {
  days: number;
  /** by kind: rows, products, models, regions */
  covered: Counts;
  /** it covers far fewer than earlier readings, and an operator accepted the drop */
  drop_accepted: boolean;
  /** observations of earlier readings that it replaced */
  rows_replaced: number;
}

export interface EarlierRun {
  runId: string;
  endedAt: Date;
  rowsKept: number;
}

/**
 * The run that read exactly these bytes of the source and whose rows have not been replaced; `scope`: as this part of it, null:
 * as any part.
 */
export async function findSameRun(
  sql: Queryable,
  {
    source,
    scope,
    contentSha256,
    days,
  }: {
    source: string;
    scope: string | null;
    contentSha256: Buffer;
    /** null: any days */
    days: { first: string | null; last: string | null } | null;
  },
): Promise<EarlierRun | null> {
  const row = maybeOne(
    await sql<{ id: string; ended_at: Date; rows_kept: string }[]>`
    select id, ended_at, rows_kept from ingest_run
    where source = ${source} and (${scope}::text is null or scope = ${scope}) and content_sha256 = ${contentSha256}
      and replaced_by is null
      and rows_aside = 0
      and (${days === null} or (first_day is not distinct from ${days?.first ?? null}
        and last_day is not distinct from ${days?.last ?? null}))
    order by ended_at desc limit 1`,
  );
  return row === undefined ? null : { runId: row.id, endedAt: row.ended_at, rowsKept: Number(row.rows_kept) };
}

/** The ETag of the newest run of an origin, so that an unchanged file is not sent again; `scope` null: of any scope. */
export async function findEtag(
  sql: Queryable,
  {
    source,
    scope,
    origin,
    lastDay = null,
  }: { source: string; scope: string | null; origin: string; lastDay?: string | null },
): Promise<string | null> {
  const row = maybeOne(
    await sql<{ etag: string | null }[]>`
    select etag from ingest_run
    where source = ${source} and origin = ${origin} and (${scope}::text is null or scope = ${scope})
      and (${lastDay}::date is null or last_day = ${lastDay}::date) and replaced_by is null
      and rows_aside = 0
    order by id desc limit 1`,
  );
  return row?.etag ?? null;
}

/** Sets the ETag of the newest run of an origin, which stands for all of its files; `scope` as for `findEtag`. */
export async function updateEtag(
  sql: Queryable,
  { source, scope, origin, etag }: { source: string; scope: string | null; origin: string; etag: string },
): Promise<void> {
  await sql`
    update ingest_run set etag = ${etag}
    where id = (
      select max(id) from ingest_run
      where source = ${source} and origin = ${origin} and (${scope}::text is null or scope = ${scope})
        and replaced_by is null and rows_aside = 0
    )`;
}

export async function insertRun(tx: Transaction, { covers, ...run }: NewRun): Promise<void> {
  const covered = covers === undefined ? {} : { ...covers, covered: tx.json(covers.covered), keeps_replaced: true };
  const row = { ...run, ...covered, refused: tx.json(run.refused) };
  await tx`insert into ingest_run ${tx(row)}`;
}

/** Ids of the readings of one part of a source that have not been replaced entirely. */
export async function selectStanding(
  tx: Transaction,
  { source, scope }: { source: string; scope: string },
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from ingest_run where source = ${source} and scope = ${scope} and replaced_by is null`;
  return rows.map(({ id }) => id);
}

/**
 * Adds to each reading's count the rows that reading `by` replaced; a reading with no rows left is marked as replaced by it.
 * `isEmpty` is the SQL condition that a run `r` which has just lost `lost.rows` has no rows left.
 */
export async function markReplaced(
  tx: Transaction,
  { rows, by, isEmpty }: { rows: ReadonlyMap<string, number>; by: string; isEmpty: Fragment },
): Promise<void> {
  if (rows.size === 0) return;
  await tx`
    update ingest_run r
    set rows_aside = least(r.rows_kept, r.rows_aside + lost.rows), replaced_by = case when ${isEmpty} then ${by}::int8 end
    from unnest(${[...rows.keys()]}::int8[], ${[...rows.values()]}::int8[]) as lost (id, rows) where r.id = lost.id`;
}

/** Serialises readings of one part of a source: the second waits for the first. */
export async function lockScope(tx: Transaction, source: string, scope: string): Promise<void> {
  await lockByName(tx, `ingest ${source} ${scope}`);
}

/** Serialises the writing of labels: readings of different parts of a source write the same labels in different orders. */
export async function lockLabels(tx: Transaction, source: string): Promise<void> {
  await lockByName(tx, `labels ${source}`);
}

/** Removes from the list of unmatched labels those of a source that can now be matched. */
export async function dropMeant(
  tx: Transaction,
  source: string,
  isMeant: (kind: UnmatchedLabel['kind'], label: string) => boolean,
): Promise<void> {
  const listed = await tx<{ kind: UnmatchedLabel['kind']; label: string }[]>`
    select kind, label from unmatched_label where source = ${source}`;
  const meant = listed.filter(({ kind, label }) => isMeant(kind, label));
  if (meant.length === 0) return;
  await tx`
    delete from unmatched_label u
    using unnest(${meant.map(({ kind }) => kind)}::text[], ${meant.map(({ label }) => label)}::text[]) as m (kind, label)
    where u.source = ${source} and u.kind = m.kind and u.label = m.label`;
}

/**
 * Adds the labels that this reading could not match to the list. For days outside those seen so far the row counts are added;
 * for days read again the greater count stays, since it is unknown how many of the rows are the same.
 */
export async function addUnmatched(tx: Transaction, source: string, labels: readonly UnmatchedLabel[]): Promise<void> {
  if (labels.length === 0) return;
  await tx`
    insert into unmatched_label (source, kind, label, rows, first_seen, last_seen)
    select ${source}, l.kind, l.label, l.rows, l.first_seen, l.last_seen
    from jsonb_to_recordset(${tx.json(labels)}) as l (kind text, label text, rows int8, first_seen date, last_seen date)
    on conflict (source, kind, label) do update set rows = case
        when excluded.first_seen > unmatched_label.last_seen or excluded.last_seen < unmatched_label.first_seen
          then unmatched_label.rows + excluded.rows
        else greatest(unmatched_label.rows, excluded.rows) end,
      first_seen = least(unmatched_label.first_seen, excluded.first_seen),
      last_seen = greatest(unmatched_label.last_seen, excluded.last_seen)`;
}

export interface UnmatchedRow {
  source: string;
  kind: UnmatchedLabel['kind'];
  label: string;
  rows: string;
  first_seen: string;
  last_seen: string;
}

export async function selectUnmatched(sql: Queryable): Promise<UnmatchedRow[]> {
  return sql<UnmatchedRow[]>`
    select source, kind, label, rows, first_seen::text, last_seen::text from unmatched_label
    order by rows desc, kind, source, label`;
}

export interface RunRow {
  id: string;
  source: string;
  scope: string;
  ended_at: Date;
  first_day: string | null;
  last_day: string | null;
  rows_kept: string;
  rows_replaced: string | null;
  rows_aside: string;
  replaced_by: string | null;
  undone_at: Date | null;
}

/** Readings, newest first. */
export async function selectRuns(
  sql: Queryable,
  { source, most }: { source: string | null; most: number },
): Promise<RunRow[]> {
  return sql<RunRow[]>`
    select id, source, scope, ended_at, first_day::text, last_day::text, rows_kept, rows_replaced, rows_aside,
      replaced_by, undone_at
    from ingest_run where ${source}::text is null or source = ${source} order by id desc limit ${most}`;
}
