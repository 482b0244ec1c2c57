import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { createArtifactStore } from '../platform/artifacts/create-artifact-store.ts';
import { readManifest, restoreArtifacts, restoreRows } from '../platform/backup/restore-backup.ts';
import type { Manifest } from '../platform/backup/manifest.ts';
import { writeBackup } from '../platform/backup/write-backup.ts';
import { readConfig, type Config } from '../platform/config.ts';
import { systemContext } from '../platform/context.ts';
import { migrate } from '../platform/db/migrate.ts';
import { openDatabase } from '../platform/db/open-database.ts';
import { createLog } from '../platform/log.ts';
import { openDataDir } from '../platform/open-data-dir.ts';
import type { Edges } from './edges.ts';
import { openPlatform } from './open-platform.ts';

/** `backup <folder>`: also while a coordinator is serving. */
export const backupCommand = (edges: Edges): Command =>
  new Command('backup')
    .description('Writes all rows and files, as of one moment, into a new folder; the coordinator may go on serving')
    .argument('<folder>')
    .option('--verify', 'restore it into a throw-away database of our own afterwards')
    .action(async (given: string, { verify }: { verify?: boolean }) => {
      const folder = resolve(given);
      const opened = await openPlatform(edges, { applicationName: 'gpumark backup', max: 2 });
      try {
        edges.stdout.write(`${describe(await writeBackup(systemContext(opened.platform, 'backup'), folder))}\n`);
      } finally {
        await opened.close();
      }
      if (verify !== true) return;
      const dataDir = await mkdtemp(join(tmpdir(), 'gpumark-verify-'));
      try {
        const { environment } = edges;
        const { LOG_LEVEL = 'warn' } = environment;
        await restore({ ...edges, environment: { DATA_DIR: dataDir, LOG_LEVEL } }, folder);
        edges.stdout.write('verified: every row and file came back from it\n');
      } finally {
        await rm(dataDir, { recursive: true, force: true });
      }
    });

/** `restore <folder>`, into an empty DATA_DIR or database. */
export const restoreCommand = (edges: Edges): Command =>
  new Command('restore')
    .description('Fills an empty database and store from a backup, also one of an earlier release')
    .argument('<folder>')
    .action(async (folder: string) => {
      edges.stdout.write(`${describe(await restore(edges, resolve(folder)))}\n`);
    });

async function restore({ environment, now, randomBytes }: Edges, folder: string): Promise<Manifest> {
  const backup = await readManifest(folder);
  const config: Config = readConfig(environment);
  const log = createLog(config.logLevel);
  await openDataDir(config, log);
  const { databaseUrl, dataDir, database: settings } = config;
  const upTo = backup.schema_version;
  const database = await openDatabase({ databaseUrl, dataDir, settings, log, max: 2, upTo });
  try {
    const { sql } = database;
    await restoreRows(sql, folder, backup);
    await migrate(sql);
    const store = await createArtifactStore(config, { sql, now, randomBytes });
    await restoreArtifacts(store, folder, backup);
  } finally {
    await database.close();
  }
  return backup;
}

function describe({ made_at, tables, artifacts, vanished }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const gone = vanished.length === 0 ? '' : `; ${vanished.length} files had been deleted meanwhile`;
  return `${made_at}: ${rows} rows of ${tables.length} tables, ${artifacts.length} files${gone}`;
}
