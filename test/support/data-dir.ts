import { statfsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isUnused } from '../../coordinator/platform/db/embedded/data-dir-lock.ts';
import { startEmbeddedPostgres } from '../../coordinator/platform/db/embedded/embedded-postgres.ts';

const PREFIX = 'gpumark-test-';
const ABANDONED_AFTER_MS = 15 * 60_000;
const MEMORY = '/dev/shm';

/** All databases of a run together hold a tenth of this. */
const MEMORY_FREE_BYTES = 4 * 2 ** 30;

/**
 * Where data directories of tests stand: in memory where there is plenty, else in the temporary folder. A database of a
 * few hundred small files is copied there with a tenth of the processor time that a disk's file system takes.
 */
const TEST_ROOT = hasPlenty(MEMORY) ? MEMORY : tmpdir();

/** A throw-away DATA_DIR; the caller removes it with `removeDataDir` after its server was stopped. */
export async function makeDataDir(root = TEST_ROOT): Promise<string> {
  return mkdtemp(join(root, PREFIX));
}

export async function removeDataDir(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true });
}

/** Stops and removes what test runs that were killed left behind: a quarter of an hour old and nobody in it. */
export async function sweepDataDirs(root = TEST_ROOT, now = Date.now()): Promise<void> {
  for (const name of await readdir(root)) {
    if (!name.startsWith(PREFIX)) continue;
    const dir = join(root, name);
    const stats = await stat(dir).catch(() => null);
    if (!stats || stats.uid !== process.getuid?.() || now - stats.mtimeMs < ABANDONED_AFTER_MS) continue;
    const control = join(dir, 'postgres');
    if (!isUnused(control)) continue;
    // Attaching to the orphan and leaving it stops it.
    if (await stat(join(control, 'cluster', 'postmaster.pid')).catch(() => null)) {
      await (await startEmbeddedPostgres({ dataDir: dir, profile: 'ephemeral', log: QUIET })).stop();
    }
    await removeDataDir(dir);
  }
}

function hasPlenty(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= MEMORY_FREE_BYTES;
  } catch {
    return false;
  }
}

/** For a server whose words nobody reads. */
export const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };
