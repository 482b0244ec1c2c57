import { createArtifactStore } from '../platform/artifacts/create-artifact-store.ts';
import { readConfig, type Config } from '../platform/config.ts';
import type { Platform } from '../platform/context.ts';
import { openDatabase } from '../platform/db/open-database.ts';
import { idSource } from '../platform/ids.ts';
import { createLog } from '../platform/log.ts';
import { openDataDir } from '../platform/open-data-dir.ts';
import type { Edges } from './edges.ts';

export interface OpenPlatform {
  platform: Platform;
  config: Config;
  close: () => Promise<void>;
}

interface Options {
  /** What Postgres shows in pg_stat_activity. */
  applicationName: string;
  /** Connections of the pool. */
  max: number;
  onDatabaseDown?: (error: Error) => void;
}

/** Environment -> everything a verb needs, the database migrated. Throws one sentence that names what to change. */
export async function openPlatform(
  edges: Edges,
  { applicationName, max, onDatabaseDown }: Options,
): Promise<OpenPlatform> {
  const { now, randomBytes } = edges;
  const config = readConfig(edges.environment);
  const log = createLog(config.logLevel);
  await openDataDir(config, log);
  const artifacts = await createArtifactStore(config, { now, randomBytes });
  const { databaseUrl, dataDir } = config;
  const onDown = onDatabaseDown ? { onDown: onDatabaseDown } : {};
  const database = await openDatabase({ databaseUrl, dataDir, log, max, applicationName, ...onDown });
  const newId = idSource(now, randomBytes);
  return {
    platform: { config, sql: database.sql, artifacts, log, now, randomBytes, newId },
    config,
    close: database.close,
  };
}
