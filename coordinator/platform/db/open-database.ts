import type { DatabaseSettings } from '../config.ts';
import { connectDatabase, DEFAULT_LIMITS, type Queryable, type Sql } from './client.ts';
import { connectionErrorSentence } from './connection-error.ts';
import { type DatabaseLog, DatabaseStartError } from './database-start.ts';
import { parseDatabaseUrl, unverifiedServer, type DatabaseTarget } from './database-url.ts';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import { migrate, type MigrateResult } from './migrate.ts';
import { limitRole, readServerVersion } from './queries.ts';

type OpenOptions = {
  /** DATABASE_URL; null or absent: the embedded server in `dataDir`. */
  databaseUrl?: string | null;
  dataDir: string;
  /** Absent: no pooler, and prepared statements are used. */
  settings?: Pick<DatabaseSettings, 'directUrl' | 'isPooled' | 'prepare'>;
  log: DatabaseLog;
  /** Maximum connections of the pool; default 10. */
  max?: number;
  applicationName?: string;
  /** Number of the last migration to apply: a backup of an earlier release is restored before later ones are applied. */
  upTo?: number;
  /** Called when the embedded server died and could not be restarted. */
  onDown?: (error: Error) => void;
};

type OpenDatabase = {
  sql: Sql;
  /** The migrations applied at this start. */
  migration: MigrateResult;
  /** One connection to the server itself, bypassing any pooler, for LISTEN; the caller ends it. */
  connectDirectly: () => Sql;
  /** Ends the pool (open queries get 5 s) and leaves the embedded server. Safe to call twice. */
  close: () => Promise<void>;
};

const END_SECONDS = 5;

/**
 * Opens the database for a command, embedded or by URL: checks that its version is supported, and migrates it.
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
  const { directUrl = null, isPooled = false, prepare = true } = options.settings ?? {};
  const place = server ? { embedded: server.connection } : { url: options.databaseUrl ?? '' };
  const connectDirectly = () =>
    connectDatabase({ ...(directUrl === null ? place : { url: directUrl }), max: 1, applicationName });
  const sql = connectDatabase({ ...place, max, applicationName, prepare, sendLimits: !isPooled });
  let closing: Promise<void> | undefined;
  const close = async () => {
    await sql.end({ timeout: END_SECONDS });
    await server?.stop();
  };
  try {
    const migration = await prepareServer(directUrl === null ? null : connectDirectly(), {
      sql,
      isPooled,
      log,
      ...(options.upTo === undefined ? {} : { upTo: options.upTo }),
    });
    await checkDriver(sql);
    if (migration.applied.length > 0) log.info(migration, 'the database schema was brought up to date');
    return { sql, migration, connectDirectly, close: () => (closing ??= close()) };
  } catch (error) {
    await close();
    if (error instanceof DatabaseStartError) throw error;
    throw new DatabaseStartError(connectionErrorSentence(error, target), { cause: error });
  }
}

/** Checks the version and migrates, on a direct connection if there is one: through a pooler, session locks would stay held. */
async function prepareServer(
  direct: Sql | null,
  { sql, isPooled, log, upTo }: { sql: Sql; isPooled: boolean; log: DatabaseLog; upTo?: number },
): Promise<MigrateResult> {
  const session = direct ?? sql;
  try {
    await requireSupportedServer(session, log);
    const migration = await migrate(session, upTo === undefined ? {} : { upTo });
    if (isPooled) await limitRole(session, DEFAULT_LIMITS);
    return migration;
  } finally {
    await direct?.end({ timeout: END_SECONDS });
  }
}

function statedTarget({ databaseUrl, log }: OpenOptions): DatabaseTarget {
  const target = parseDatabaseUrl(databaseUrl ?? '');
  const doubt = unverifiedServer(target);
  if (doubt !== null) log.warn({ host: target.host }, doubt);
  return target;
}

const OLDEST_MAJOR = 15;
const NEWEST_TESTED_MAJOR = 18;

/** Throws `DatabaseStartError` when the server is older than Postgres 15; one newer than 18 only causes a warning. */
async function requireSupportedServer(sql: Queryable, log: DatabaseLog): Promise<void> {
  const major = majorOf(await readServerVersion(sql));
  if (major > NEWEST_TESTED_MAJOR)
    log.warn({ major, tested: NEWEST_TESTED_MAJOR }, 'this Postgres is newer than the newest tested one');
}

/** 150012 -> 15. Throws `DatabaseStartError` below 15. */
export function majorOf(serverVersionNumber: number): number {
  const major = Math.floor(serverVersionNumber / 10_000);
  if (major >= OLDEST_MAJOR) return major;
  throw new DatabaseStartError(
    `The database server is Postgres ${major}; versions ${OLDEST_MAJOR} to ${NEWEST_TESTED_MAJOR} work. ` +
      'Upgrade it, or leave DATABASE_URL unset for the embedded one.',
  );
}

/**
 * Throws `DatabaseStartError` unless the driver has the part of its patch that affects results. Tests its behaviour, which
 * checking files cannot guarantee: a result abandoned halfway must not affect the next query of the connection.
 */
export async function checkDriver(sql: Sql): Promise<void> {
  const rows = await readOneAfterAStoppedCursor(sql);
  if (rows.length === 1 && Object.hasOwn(rows, 0)) return;
  throw new DatabaseStartError(
    'The Postgres driver in node_modules lacks its patch, without which answers can lack rows: ' +
      'run `node coordinator/platform/db/driver/patch-driver.ts`, then start again.',
  );
}

/** Selects one row on a connection whose last result was abandoned after its first row. The server logs no error. */
async function readOneAfterAStoppedCursor(sql: Sql): Promise<readonly unknown[]> {
  const connection = await sql.reserve();
  const enough = new Error('one is enough');
  try {
    await connection`select n from generate_series(1, 2) n`
      .cursor(1, () => {
        throw enough;
      })
      .catch((error: unknown) => {
        if (error !== enough) throw error;
      });
    return await connection`select 1 as one`;
  } finally {
    connection.release();
  }
}
