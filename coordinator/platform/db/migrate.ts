import { fileURLToPath } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import type { Sql, Transaction } from './client.ts';
import { DatabaseStartError } from './database-start.ts';
import { readMigrations, type Migration } from './migration-files.ts';
import {
  allowLongStatements,
  createMigrationTable,
  insertAppliedMigration,
  readAppliedMigrations,
  releaseMigrationSessionLock,
  resetTimeouts,
  tryMigrationLock,
  tryMigrationSessionLock,
  type AppliedMigration,
} from './queries.ts';

export const MIGRATIONS_DIRECTORY = fileURLToPath(new URL('./migrations/', import.meta.url));

export type MigrateResult = {
  /** Files applied by this call, in order; empty when the database was up to date. */
  applied: string[];
  /** Number of the last applied file. */
  version: number;
};

const LOCK_DEADLINE_MS = 30 * 60_000;
const LOCK_PAUSE_MS = 50;

/**
 * Brings the database up to date with the numbered files, each in a transaction of its own together
 * with its history row. Any number of processes may call it concurrently: each file is applied once.
 * `upTo` is the number of the last file to apply. Throws `DatabaseStartError`, which names the file, if
 * one fails or the history was edited.
 */
export async function migrate(sql: Sql, options: { directory?: string; upTo?: number } = {}): Promise<MigrateResult> {
  const files = await readMigrations(options.directory ?? MIGRATIONS_DIRECTORY);
  const { upTo = files.length } = options;
  if (upTo > files.length)
    throw new DatabaseStartError(`This version knows ${files.length} migrations, not ${upTo}. Use a newer one.`);
  const applied: string[] = [];
  const deadline = performance.now() + LOCK_DEADLINE_MS;
  for (;;) {
    const history = await readAppliedMigrations(sql);
    const next = nextMigration(files, history);
    if (!next || next.number > upTo) return { applied, version: history.length };
    const outcome = next.transactional
      ? await sql.begin((tx) => applyInTransaction(tx, next))
      : await applyStatements(sql, next);
    if (outcome === 'applied') applied.push(next.name);
    if (outcome === 'locked') {
      if (performance.now() > deadline)
        throw new DatabaseStartError('Another process has been migrating the database for 30 minutes.');
      await wait(LOCK_PAUSE_MS);
    }
  }
}

type Outcome = 'applied' | 'present' | 'locked';

async function applyInTransaction(tx: Transaction, migration: Migration): Promise<Outcome> {
  if (!(await tryMigrationLock(tx))) return 'locked';
  await createMigrationTable(tx);
  if (await isApplied(tx, migration)) return 'present';
  await allowLongStatements(tx, true);
  await tx.unsafe(migration.text).catch((error: unknown) => fail(migration, error, 'Nothing of it was kept.'));
  await insertAppliedMigration(tx, migration);
  return 'applied';
}

/**
 * Executes each statement on its own. A crash in between leaves the file unrecorded, and it runs
 * again from the top, so its statements must be idempotent (`drop index ... if exists` first).
 */
async function applyStatements(sql: Sql, migration: Migration): Promise<Outcome> {
  const session = await sql.reserve();
  try {
    if (!(await tryMigrationSessionLock(session))) return 'locked';
    try {
      await createMigrationTable(session);
      if (await isApplied(session, migration)) return 'present';
      await allowLongStatements(session, false);
      for (const statement of migration.text.split(/;[ \t]*(?:\n|$)/)) {
        await session
          .unsafe(statement)
          .catch((error: unknown) => fail(migration, error, 'Statements before it were kept.'));
      }
      await insertAppliedMigration(session, migration);
      return 'applied';
    } finally {
      await resetTimeouts(session);
      await releaseMigrationSessionLock(session);
    }
  } finally {
    session.release();
  }
}

async function isApplied(sql: Transaction | Sql, migration: Migration): Promise<boolean> {
  return (await readAppliedMigrations(sql)).some((row) => row.number === migration.number);
}

function fail(migration: Migration, error: unknown, kept: string): never {
  const position = error instanceof Error && 'position' in error ? Number(error.position) : Number.NaN;
  const at =
    migration.transactional && position > 0 ? `, line ${migration.text.slice(0, position).split('\n').length}` : '';
  const message = error instanceof Error ? error.message : String(error);
  throw new DatabaseStartError(`The migration ${migration.name}${at} failed: ${message}. ${kept}`, { cause: error });
}

/**
 * The next file to apply, or null when the database is up to date. A newer database is accepted
 * (rolling upgrade, rollback) unless a file unknown to this version is marked `-- breaking`.
 * Throws `DatabaseStartError` when the stored history and the files disagree.
 */
function nextMigration(files: Migration[], applied: AppliedMigration[]): Migration | null {
  for (const [index, row] of applied.entries()) {
    const file = files[index];
    if (row.number !== index + 1) {
      throw new DatabaseStartError(
        `The database has applied ${row.name} but not number ${index + 1} before it. Restore it from a backup.`,
      );
    }
    if (file) checkSame(file, row);
    else if (row.breaking) {
      throw new DatabaseStartError(
        `The database was upgraded by a newer version (${row.name}), and this version, which knows ` +
          `${files.length} migrations, cannot work on it. Start the newer version.`,
      );
    }
  }
  return files[applied.length] ?? null;
}

function checkSame(file: Migration, row: AppliedMigration): void {
  if (file.name === row.name && file.checksum === row.checksum) return;
  const what = file.name === row.name ? 'was changed' : `was applied as ${row.name}`;
  throw new DatabaseStartError(
    `The migration ${file.name} ${what} after it had been applied to this database. ` +
      'Put the applied file back, and write the change as a new migration.',
  );
}
