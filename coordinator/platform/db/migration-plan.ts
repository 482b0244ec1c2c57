import { DatabaseStartError } from './database-start-error.ts';
import type { Migration } from './migration-files.ts';
import type { AppliedMigration } from './queries.ts';

/**
 * The next file to apply, or null when the database is up to date. A newer database is accepted as
 * long as none of the files unknown to us is marked `-- breaking` (a rolling upgrade, a rollback).
 * Throws `DatabaseStartError` when the stored history and the files disagree.
 */
export function nextMigration(files: Migration[], applied: AppliedMigration[]): Migration | null {
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
