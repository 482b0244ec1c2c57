import { connectDatabase, type Sql } from './client.ts';
import { connectionErrorSentence } from './connection-error.ts';
import type { DatabaseLog } from './database-log.ts';
import { DatabaseStartError } from './database-start-error.ts';
import { parseDatabaseUrl, unverifiedServer, type DatabaseTarget } from './database-url.ts';
import { checkDriver } from './driver/check-driver.ts';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import { migrate, type MigrateResult } from './migrate.ts';
import { requireSupportedServer } from './server-version.ts';

export type OpenOptions = {
  /** DATABASE_URL; null or absent means the embedded server in `dataDir`. */
  databaseUrl?: string | null;
  dataDir: string;
  log: DatabaseLog;
  /** Most connections of the pool; default 10. */
  max?: number;
  applicationName?: string;
  /** The embedded server died and could not be brought back. */
  onDown?: (error: Error) => void;
};

export type OpenDatabase = {
  sql: Sql;
  /** What the start had to apply. */
  migration: MigrateResult;
  /** Ends the pool (open queries get 5 s) and leaves the embedded server. Safe to call twice. */
  close: () => Promise<void>;
};

const END_SECONDS = 5;

/**
 * The database of a command, ready for use: embedded or by URL, of a supported version, migrated.
 * Throws `DatabaseStartError` with a sentence that never shows a password.
 */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  const { log, applicationName = 'gpumark', max = 10 } = options;
  const server = options.databaseUrl
    ? null
    : await startEmbeddedPostgres({
        dataDir: options.dataDir,
        log,
        ...(options.onDown ? { onDown: options.onDown } : {}),
      });
  const target = server?.connection ?? statedTarget(options);
  const sql = connectDatabase({
    ...(server ? { embedded: server.connection } : { url: options.databaseUrl ?? '' }),
    max,
    applicationName,
  });
  let closing: Promise<void> | undefined;
  const close = async () => {
    await sql.end({ timeout: END_SECONDS });
    await server?.stop();
  };
  try {
    await requireSupportedServer(sql, log);
    await checkDriver(sql);
    const migration = await migrate(sql);
    if (migration.applied.length > 0) log.info(migration, 'the database schema was brought up to date');
    return { sql, migration, close: () => (closing ??= close()) };
  } catch (error) {
    await close();
    if (error instanceof DatabaseStartError) throw error;
    throw new DatabaseStartError(connectionErrorSentence(error, target), { cause: error });
  }
}

function statedTarget({ databaseUrl, log }: OpenOptions): DatabaseTarget {
  const target = parseDatabaseUrl(databaseUrl ?? '');
  const doubt = unverifiedServer(target);
  if (doubt !== null) log.warn({ host: target.host }, doubt);
  return target;
}
