import type { Queryable, Transaction } from '../db/client.ts';
import { maybeOne, one } from '../db/rows.ts';
import type { ArchivePart } from './archive-part.ts';
import type { AskedPeriods } from './periods.ts';

interface ArchiveFilter {
  /** all types of one area, or some of them */
  types: readonly string[];
  /** null: any tier, or no tier */
  tiers: readonly number[] | null;
  intervals: readonly string[] | null;
  periods: AskedPeriods | null;
  newestFirst: boolean;
  limit: number;
  offset: number;
}

export interface ArchiveRow {
  id: string;
  sequence_id: number;
  tier: number | null;
  type: string;
  interval: string;
  period: string;
  /** null if nobody has named it */
  name: string | null;
  artifact_key: string;
  row_count: number;
  built_at: Date;
}

const columns = (sql: Queryable) => sql`
  id, sequence_id::float8 as sequence_id, tier, type, interval, period, name, artifact_key, row_count::float8 as row_count, built_at`;

export async function selectArchives(
  sql: Queryable,
  { types, tiers, intervals, periods, newestFirst, limit, offset }: ArchiveFilter,
): Promise<{ total: number; rows: ArchiveRow[] }> {
  const ranges = periods?.ranges ?? [];
  const where = sql`
    type = any(${[...types]}::text[]) and (${tiers === null}::boolean or tier = any(${[...(tiers ?? [])]}::int2[]))
      and (${intervals === null}::boolean or interval = any(${[...(intervals ?? [])]}::text[]))
      and (${periods === null}::boolean or period = any(${periods?.names ?? []}::text[]) or exists (
        select from unnest(${ranges.map(({ from }) => from)}::text[], ${ranges.map(({ to }) => to)}::text[]) r (first, last)
        where first_day >= r.first::date and last_day <= r.last::date))`;
  const direction = newestFirst ? sql`desc` : sql`asc`;
  const [counted, rows] = await Promise.all([
    sql<{ total: number }[]>`select count(*)::int4 as total from archive_file where ${where}`,
    sql<ArchiveRow[]>`
      select ${columns(sql)} from archive_file where ${where}
      order by first_day ${direction}, type, last_day ${direction}, tier limit ${limit} offset ${offset}`,
  ]);
  return { total: one(counted).total, rows };
}

/** Identifies a file; null fields match anything. */
interface ArchiveKey {
  types: readonly string[];
  id: string | null;
  name: string | null;
}

export async function findArchive(sql: Queryable, key: ArchiveKey): Promise<ArchiveRow | null> {
  return maybeOne(await sql<ArchiveRow[]>`select ${columns(sql)} from archive_file where ${isKey(sql, key)}`) ?? null;
}

export async function findArchiveOf(sql: Queryable, part: Omit<ArchivePart, 'version'>): Promise<ArchiveRow | null> {
  return maybeOne(await sql<ArchiveRow[]>`select ${columns(sql)} from archive_file where ${isOf(sql, part)}`) ?? null;
}

const isKey = (sql: Queryable, { types, id, name }: ArchiveKey) => sql`
  type = any(${[...types]}::text[]) and (${id}::int8 is null or id = ${id}::int8)
    and (${name}::text is null or name = ${name}::text)`;

const isOf = (sql: Queryable, { tier, type, period }: Omit<ArchivePart, 'version'>) => sql`
  tier is not distinct from ${tier}::int2 and type = ${type} and interval = ${period.interval} and period = ${period.name}`;

/** Fingerprint and name of this part's file; null if it does not exist. */
export async function findBuilt(
  sql: Queryable,
  part: ArchivePart,
): Promise<{ fingerprint: Buffer; name: string | null } | null> {
  const rows = await sql<{ fingerprint: Buffer; name: string | null }[]>`
    select fingerprint, name from archive_file where ${isOf(sql, part)}`;
  return maybeOne(rows) ?? null;
}

interface NewArchive {
  id: string;
  artifact_key: string;
  row_count: number;
  size_bytes: number;
  built_at: Date;
  fingerprint: Buffer;
  /** name of the file that it replaces */
  name: string | null;
}

/** Stores a file and removes any earlier one of the same part, whose id becomes invalid. */
export async function replaceArchive(tx: Transaction, part: ArchivePart, file: NewArchive): Promise<void> {
  const { tier, type, period, version: schema_version } = part;
  const { interval, name, firstDay: first_day, lastDay: last_day } = period;
  const row = { ...file, tier, type, interval, period: name, first_day, last_day, schema_version };
  // Sent together; the database runs them one after the other.
  await Promise.all([
    takeArchives(tx, isOf(tx, part), { at: file.built_at, unlessKey: file.artifact_key }),
    tx`insert into archive_file ${tx(row)}`,
  ]);
}

/** Removes a file from the lists; links to it work until they expire. */
export async function deleteArchive(tx: Transaction, id: string, at: Date): Promise<void> {
  await takeArchives(tx, tx`id = ${id}`, { at, unlessKey: null });
}

async function takeArchives(
  tx: Transaction,
  which: ReturnType<typeof isOf>,
  { at, unlessKey }: { at: Date; unlessKey: string | null },
): Promise<void> {
  await tx`
    with old as (delete from archive_file where ${which} returning artifact_key)
    insert into replaced_archive (artifact_key, replaced_at)
    select artifact_key, ${at} from old where artifact_key is distinct from ${unlessKey}
    on conflict (artifact_key) do update set replaced_at = excluded.replaced_at`;
}

/** Names a file. False if another file has that name. */
export async function nameArchive(tx: Transaction, id: string, name: string): Promise<boolean> {
  const rows = await tx`
    update archive_file set name = ${name}
    where id = ${id} and not exists (select from archive_file o where o.name = ${name} and o.id <> ${id}) returning id`;
  return rows.length === 1;
}

/** Deletes the entries of files replaced before this time; returns the keys that no current file uses. */
export async function takeReplaced(tx: Transaction, before: Date): Promise<string[]> {
  const rows = await tx<{ artifact_key: string; is_used: boolean }[]>`
    delete from replaced_archive r where replaced_at < ${before}
    returning artifact_key, exists (select from archive_file f where f.artifact_key = r.artifact_key) as is_used`;
  return rows.filter(({ is_used }) => !is_used).map(({ artifact_key }) => artifact_key);
}
