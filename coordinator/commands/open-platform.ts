import { createArtifactStore } from '../platform/artifacts/create-artifact-store.ts';
import { readConfig, type Config } from '../platform/config.ts';
import type { Platform } from '../platform/context.ts';
import type { Sql } from '../platform/db/client.ts';
import { openDatabase } from '../platform/db/open-database.ts';
import { idSource } from '../platform/ids.ts';
import { createLog } from '../platform/log.ts';
import { openDataDir } from '../platform/open-data-dir.ts';
import type { Edges } from './edges.ts';

export interface OpenPlatform {
  platform: Platform;
  config: Config;
  /** A connection to the server itself, past a pooler; the caller ends it. */
  connectDirectly: () => Sql;
  close: () => Promise<void>;
}

interface Options {
  /** What Postgres shows in pg_stat_activity. */
  applicationName: string;
  /** Connections of the pool; absent: as DATABASE_CONNECTIONS says. */
  max?: number;
  onDatabaseDown?: (error: Error) => void;
}

/** Environment -> everything a verb needs, the database migrated. Throws one sentence that names what to change. */
export async function openPlatform(
  edges: Edges,
  { applicationName, max: given, onDatabaseDown }: Options,
): Promise<OpenPlatform> {
  const { now, randomBytes } = edges;
  const config = readConfig(edges.environment);
  const log = createLog(config.logLevel);
  await openDataDir(config, log);
  const { databaseUrl, dataDir, database: settings } = config;
  const max = given ?? settings.connections;
  const onDown = onDatabaseDown ? { onDown: onDatabaseDown } : {};
  const database = await openDatabase({ databaseUrl, dataDir, settings, log, max, applicationName, ...onDown });
  const { sql, close, connectDirectly } = database;
  try {
    const artifacts = await createArtifactStore(config, { sql, now, randomBytes });
    const newId = idSource(now, randomBytes);
    return { platform: { config, sql, artifacts, log, now, randomBytes, newId }, config, connectDirectly, close };
  } catch (error) {
    await close();
    throw error;
  }
}
