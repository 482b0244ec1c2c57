import type postgres from 'postgres';
import { isDatabaseError } from './error-kind.ts';
import { one } from './rows.ts';

/** Creates the database unless it exists. Concurrent callers may both find it absent; the second one's failure is ignored. */
export async function createDatabaseIfAbsent(sql: postgres.Sql, name: string): Promise<void> {
  const found = await sql`select from pg_database where datname = ${name}`;
  if (found.length > 0) return;
  await sql`create database ${sql(name)}`.catch((error: unknown) => {
    if (!isDatabaseError(error, 'made meanwhile')) throw error;
  });
}

/** Migration history as stored: one row per applied file. */
export type AppliedMigration = { number: number; name: string; checksum: string; breaking: boolean };

export async function readAppliedMigrations(sql: postgres.ISql): Promise<AppliedMigration[]> {
  const there = one(await sql<{ found: boolean }[]>`select to_regclass('schema_migration') is not null as found`);
  if (!there.found) return [];
  return sql<AppliedMigration[]>`
    select number, name, checksum, breaking
    from schema_migration
    order by number
  `;
}

export async function createMigrationTable(sql: postgres.ISql): Promise<void> {
  await sql`
    create table if not exists schema_migration (
      number integer primary key check (number > 0),
      name text not null,
      checksum text not null check (checksum ~ '^[0-9a-f]{64}$'),
      breaking boolean not null,
      applied_at timestamptz not null default now()
    )
  `;
}

export async function insertAppliedMigration(sql: postgres.ISql, row: AppliedMigration): Promise<void> {
  await sql`
    insert into schema_migration (number, name, checksum, breaking)
    values (${row.number}, ${row.name}, ${row.checksum}, ${row.breaking})
  `;
}

/** Any fixed number; all versions must use the same. */
const MIGRATION_LOCK_KEY = '7305141988826230131';

/**
 * Takes the migration lock for this transaction, without waiting. A waiting statement would hold a
 * snapshot, and `create index concurrently` in the process that has the lock waits for snapshots.
 */
export async function tryMigrationLock(sql: postgres.ISql): Promise<boolean> {
  const row = one(
    await sql<{ locked: boolean }[]>`
    select pg_try_advisory_xact_lock(${MIGRATION_LOCK_KEY}::bigint) as locked
  `,
  );
  return row.locked;
}

/** The same lock held by the session, for work that cannot run in a transaction. */
export async function tryMigrationSessionLock(sql: postgres.ISql): Promise<boolean> {
  const row = one(
    await sql<{ locked: boolean }[]>`
    select pg_try_advisory_lock(${MIGRATION_LOCK_KEY}::bigint) as locked
  `,
  );
  return row.locked;
}

export async function releaseMigrationSessionLock(sql: postgres.ISql): Promise<void> {
  await sql`select pg_advisory_unlock(${MIGRATION_LOCK_KEY}::bigint)`;
}

/** Longer than a request's limits: a migration may rewrite a table. `local` = until the transaction ends. */
export async function allowLongStatements(sql: postgres.ISql, local: boolean): Promise<void> {
  await sql`
    select set_config('statement_timeout', '30min', ${local}), set_config('lock_timeout', '30s', ${local})
  `;
}

export async function resetTimeouts(sql: postgres.ISql): Promise<void> {
  await sql`reset statement_timeout`;
  await sql`reset lock_timeout`;
}

/** The version as a number: 180004 for Postgres 18.4. */
export async function readServerVersion(sql: postgres.ISql): Promise<number> {
  const row = one(await sql<{ version: number }[]>`select current_setting('server_version_num')::integer as version`);
  return row.version;
}

export async function selectOne(sql: postgres.ISql): Promise<void> {
  await sql`select 1`;
}

/** Any fixed number other than the key for migrations. */
const LIMIT_LOCK_KEY = '7305141988826230132';

/**
 * Sets the limits on the role in this database unless already set; behind a pooler, this is how every session gets them.
 * Existing sessions keep the limits they started with.
 */
export async function limitRole(sql: postgres.ISql, limits: Readonly<Record<string, number>>): Promise<void> {
  for (const [name, milliseconds] of Object.entries(limits)) {
    const wanted = `${name}=${milliseconds}`;
    const there = await sql`
      select from pg_db_role_setting s join pg_roles r on r.oid = s.setrole join pg_database d on d.oid = s.setdatabase
      where r.rolname = current_user and d.datname = current_database() and ${wanted} = any(s.setconfig)`;
    if (there.length > 0) continue;
    const place = one(
      await sql<{ role: string; database: string }[]>`select current_user as role, current_database() as database`,
    );
    // Both statements are in one message and thus one transaction: replicas that start together would otherwise update the row
    // at the same time ("tuple concurrently updated").
    await sql.unsafe(
      `select pg_advisory_xact_lock(${LIMIT_LOCK_KEY});
      alter role ${quoted(place.role)} in database ${quoted(place.database)} set ${name} = ${milliseconds}`,
    );
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Notifies all listeners of the channel; receiving it ourselves proves that the round trip works. */
export async function tellChannel(sql: postgres.ISql, channel: string, word: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${word})`;
}
