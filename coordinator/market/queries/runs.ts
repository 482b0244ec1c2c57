import type { Queryable, Transaction } from '../../platform/db/client.ts';
import type { UnmatchedLabel } from '../ingestion/unmatched-label.ts';

export interface NewRun {
  id: string;
  source: string;
  scope: string;
  origin: string;
  contentSha256: Buffer;
  etag: string | null;
  firstDay: string | null;
  lastDay: string | null;
  rowsRead: number;
  rowsKept: number;
  refused: Record<string, number>;
  unmatched: number;
  startedAt: Date;
  endedAt: Date;
}

/** The run that read exactly this before, and whose rows still stand. */
export async function findSameRun(
  sql: Queryable,
  { source, scope, contentSha256 }: { source: string; scope: string; contentSha256: Buffer },
): Promise<{ id: string; ended_at: Date; rows_kept: string } | null> {
  const [row] = await sql<{ id: string; ended_at: Date; rows_kept: string }[]>`
    select id, ended_at, rows_kept from ingest_run
    where source = ${source} and scope = ${scope} and content_sha256 = ${contentSha256} and replaced_by is null
    order by ended_at desc limit 1`;
  return row ?? null;
}

/** The newest ETag of a place, so that an unchanged file is not sent again. */
export async function findEtag(sql: Queryable, source: string, origin: string): Promise<string | null> {
  const [row] = await sql<{ etag: string | null }[]>`
    select etag from ingest_run
    where source = ${source} and origin = ${origin} and replaced_by is null
    order by ended_at desc limit 1`;
  return row?.etag ?? null;
}

export async function insertRun(tx: Transaction, run: NewRun): Promise<void> {
  await tx`
    insert into ingest_run (id, source, scope, origin, content_sha256, etag, first_day, last_day, rows_read, rows_kept,
      refused, unmatched, started_at, ended_at)
    values (${run.id}, ${run.source}, ${run.scope}, ${run.origin}, ${run.contentSha256}, ${run.etag}, ${run.firstDay},
      ${run.lastDay}, ${run.rowsRead}, ${run.rowsKept}, ${tx.json(run.refused)}, ${run.unmatched}, ${run.startedAt},
      ${run.endedAt})`;
}

/** Two readings of one part of a source never run at the same time: the second waits for the first. */
export async function lockScope(tx: Transaction, source: string, scope: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`ingest ${source} ${scope}`}, 0))`;
}

/** Runs none of whose days are left: a later one brought them all again. */
export async function markReplaced(
  tx: Transaction,
  { source, scope, by, days }: { source: string; scope: string; by: string; days: readonly string[] },
): Promise<void> {
  await tx`
    update ingest_run set replaced_by = ${by}
    where source = ${source} and scope = ${scope} and id <> ${by} and replaced_by is null
      and not exists (
        select from generate_series(first_day, last_day, interval '1 day') as covered (day)
        where covered.day::date <> all (${days}::date[])
      )`;
}

/** What this reading found without a meaning takes the place of what earlier ones of the source did. */
export async function replaceUnmatched(
  tx: Transaction,
  source: string,
  labels: readonly UnmatchedLabel[],
): Promise<void> {
  if (labels.length === 0) return;
  await tx`
    insert into unmatched_label (source, kind, label, rows, first_seen, last_seen)
    select ${source}, l.kind, l.label, l.rows, l.first_seen, l.last_seen
    from jsonb_to_recordset(${JSON.stringify(
      labels.map(({ firstSeen, lastSeen, ...rest }) => ({ ...rest, first_seen: firstSeen, last_seen: lastSeen })),
    )}::text::jsonb) as l (kind text, label text, rows int8, first_seen date, last_seen date)
    on conflict (source, kind, label) do update set rows = excluded.rows,
      first_seen = least(unmatched_label.first_seen, excluded.first_seen),
      last_seen = greatest(unmatched_label.last_seen, excluded.last_seen)`;
}

export interface UnmatchedRow {
  source: string;
  kind: 'product' | 'provider';
  label: string;
  rows: string;
  first_seen: string;
  last_seen: string;
}

export async function selectUnmatched(sql: Queryable): Promise<UnmatchedRow[]> {
  return sql<UnmatchedRow[]>`
    select source, kind, label, rows, first_seen::text, last_seen::text from unmatched_label
    order by kind, rows desc, source, label`;
}
