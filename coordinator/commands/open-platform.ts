import { join } from 'node:path';
import { ensureCatalogue } from '../catalog/catalogue-table.ts';
import { ensureProviders } from '../market/providers-table.ts';
import { createArtifactStore } from '../platform/artifacts/create-artifact-store.ts';
import { type Config, readConfig } from '../platform/config.ts';
import { type Context, type Platform, systemContext, idSource } from '../platform/context.ts';
import type { Sql } from '../platform/db/client.ts';
import { openDatabase } from '../platform/db/open-database.ts';
import { createLog } from '../platform/log.ts';
import { logFileAt } from '../platform/log-file.ts';
import { openDataDir } from '../platform/open-data-dir.ts';
import type { Edges } from './edges.ts';

export interface OpenPlatform {
  platform: Platform;
  config: Config;
  /** A connection to the server itself, bypassing a pooler; the caller ends it. */
  connectDirectly: () => Sql;
  /** where log lines go instead of stderr; null: they go there */
  logFile: string | null;
  close: () => Promise<void>;
}

/** Below DATA_DIR. */
const LOG_FILE = 'coordinator.log';

interface Options {
  /** What Postgres shows in pg_stat_activity. */
  applicationName: string;
  /** Connections of the pool; default: DATABASE_CONNECTIONS. */
  max?: number;
  onDatabaseDown?: (error: Error) => void;
  /** Somebody watches stderr: the JSON lines go to a file below DATA_DIR, and only warnings are shown, as text. */
  logsToFile?: boolean;
}

/** Environment -> everything a verb needs, the database migrated. Throws one sentence that names what to change. */
export async function openPlatform(
  edges: Edges,
  { applicationName, max: given, onDatabaseDown, logsToFile = false }: Options,
): Promise<OpenPlatform> {
  const { now, randomBytes } = edges;
  const config = readConfig(edges.environment);
  const logFile = logsToFile ? join(config.dataDir, LOG_FILE) : null;
  const log = createLog(config.logLevel, logFile === null ? undefined : logFileAt(logFile, edges.stderr));
  await openDataDir(config, log);
  const { databaseUrl, dataDir, database: settings } = config;
  const max = given ?? settings.connections;
  const onDown = onDatabaseDown ? { onDown: onDatabaseDown } : {};
  const database = await openDatabase({ databaseUrl, dataDir, settings, log, max, applicationName, ...onDown });
  const { sql, close, connectDirectly } = database;
  try {
    const artifacts = await createArtifactStore(config, { sql, now, randomBytes });
    const newId = idSource(now, randomBytes);
    return {
      platform: { config, sql, artifacts, log, now, randomBytes, newId },
      config,
      connectDirectly,
      logFile,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens what a command on users and keys needs, whether or not a coordinator is serving. */
export async function withAccounts(edges: Edges, work: (context: Context) => Promise<void>): Promise<void> {
  const { platform, close } = await openPlatform(edges, { applicationName: 'gpumark accounts', max: 2 });
  try {
    await work(systemContext(platform, 'command'));
  } finally {
    await close();
  }
}

const CONNECTIONS = 4;

/** Loads the catalogue and the providers bundled with this version into the database. */
export async function fillMarket(context: Context): Promise<void> {
  await ensureCatalogue(context);
  await ensureProviders(context);
}

/** Opens what a command on the market needs, with the bundled tables loaded. */
export async function withMarket(edges: Edges, work: (context: Context) => Promise<void>): Promise<void> {
  const { platform, close } = await openPlatform(edges, { applicationName: 'gpumark market', max: CONNECTIONS });
  try {
    const context = systemContext(platform, 'command');
    await fillMarket(context);
    await work(context);
  } finally {
    await close();
  }
}
