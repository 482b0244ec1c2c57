import type { Queryable, Sql, Transaction } from '../db/client.ts';
import { one } from '../db/rows.ts';

/** Filled by the migrations. Unlogged tables (rate limits) are left out by `tablesToCopy`: they are worthless elsewhere. */
const LEFT_OUT = ['schema_migration'];

export interface TableToCopy {
  name: string;
  /** columns that can be written: not the generated ones */
  columns: string[];
}

/** All further queries of the transaction see one snapshot. */
export async function readAtOneMoment(tx: Transaction): Promise<void> {
  await tx`set transaction isolation level repeatable read, read only`;
  await tx`select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`;
}

export async function schemaVersion(sql: Queryable): Promise<number> {
  return one(await sql<{ version: number }[]>`select max(number)::int as version from schema_migration`).version;
}

/** Partitions are copied with their parent table. */
export async function tablesToCopy(sql: Queryable): Promise<TableToCopy[]> {
  return sql<TableToCopy[]>`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p' and c.relname <> all(${LEFT_OUT})
    group by c.relname order by c.relname`;
}

export async function partitions(sql: Queryable): Promise<{ name: string; parent: string; bound: string }[]> {
  return sql<{ name: string; parent: string; bound: string }[]>`
    select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_class c
    join pg_inherits i on i.inhrelid = c.oid
    join pg_class p on p.oid = i.inhparent
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    where c.relispartition and c.relkind in ('r', 'p') order by c.oid`;
}

/** Sequences that have been used, with their last value. */
export async function sequences(sql: Queryable): Promise<{ name: string; value: string }[]> {
  return sql<{ name: string; value: string }[]>`
    select sequencename as name, last_value::text as value from pg_sequences
    where schemaname = 'public' and last_value is not null order by sequencename`;
}

export const copyTableOut = (tx: Transaction, { name, columns }: TableToCopy) =>
  tx`copy (select ${tx(columns)} from ${tx(name)}) to stdout`;

export const copyTableIn = (tx: Transaction, { name, columns }: TableToCopy) =>
  tx`copy ${tx(name)} (${tx(columns)}) from stdin`;

export async function countRows(sql: Queryable, name: string): Promise<number> {
  return one(await sql<{ rows: number }[]>`select count(*)::float8 as rows from ${sql(name)}`).rows;
}

/** Keys of all files that a row refers to. */
export async function artifactKeys(sql: Queryable): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    select storage_key as key from artifact union select artifact_key from archive_file order by key`;
  return rows.map(({ key }) => key);
}

/** Whether this database has been used: a restore would overwrite its data. */
export async function isInUse(sql: Sql): Promise<boolean> {
  const row = one(
    await sql<{ used: boolean }[]>`
      select exists (select from user_account) or exists (select from job) or exists (select from observation) as used`,
  );
  return row.used;
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/** Drops the foreign keys, so that tables can be loaded in any order; `restoreChecks` adds them and Postgres checks every row. */
export async function dropChecks(tx: Transaction): Promise<ForeignKey[]> {
  await tx`select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`;
  const keys = await tx<ForeignKey[]>`
    select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    where k.contype = 'f' and k.conparentid = 0 order by k.conname`;
  for (const { table, name } of keys) await tx`alter table ${tx(table)} drop constraint ${tx(name)}`;
  return [...keys];
}

export async function restoreChecks(tx: Transaction, keys: readonly ForeignKey[]): Promise<void> {
  for (const { table, name, definition } of keys)
    await tx.unsafe(`alter table "${table}" add constraint "${name}" ${definition}`);
}

/** Deletes the rows that the migrations inserted; until `wakeTriggers` our triggers neither notify nor reject. */
export async function emptyTable(tx: Transaction, name: string): Promise<void> {
  await tx`alter table ${tx(name)} disable trigger user`;
  await tx`delete from ${tx(name)}`;
}

export async function wakeTriggers(tx: Transaction, name: string): Promise<void> {
  await tx`alter table ${tx(name)} enable trigger user`;
}

/** A partition as in the backup; `bound` is written by Postgres. */
export async function makePartition(
  tx: Transaction,
  { name, parent, bound }: { name: string; parent: string; bound: string },
): Promise<void> {
  await tx.unsafe(`create table if not exists "${name}" partition of "${parent}" ${bound}`);
}

export async function setSequence(tx: Transaction, { name, value }: { name: string; value: string }): Promise<void> {
  await tx`select setval(${`public.${name}`}::regclass, ${value}::int8)`;
}
