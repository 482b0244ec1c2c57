import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseStartError } from '../database-start.ts';

/** Longer than a first start on a slow disk plus a clean stop, which are the longest holders. */
const LOCK_DEADLINE_MS = 180_000;
const RETRY_MS = 20;
/** The kernel's generator (random(4)): the name only has to be hard to guess. */
const RANDOM_UUID = '/proc/sys/kernel/random/uuid';

/**
 * Runs `work` while no other process starts or stops the server of this data directory.
 * The lock is a listening socket in Linux's abstract namespace: the kernel frees it when its holder
 * dies, so there is no stale lock to judge. Its name is a secret kept in the directory, so that
 * no other user can occupy it. Processes must share a network namespace.
 */
export async function withDataDirLock<T>(controlDir: string, work: () => Promise<T>): Promise<T> {
  const name = await lockName(controlDir);
  const deadline = performance.now() + LOCK_DEADLINE_MS;
  for (;;) {
    const server = await tryListen(`\0gpumark-${name}`);
    if (server) {
      try {
        return await work();
      } finally {
        await new Promise((resolve) => server.close(resolve));
      }
    }
    if (performance.now() > deadline) {
      throw new DatabaseStartError(
        `Another process has been starting or stopping the database in ${controlDir} for ${LOCK_DEADLINE_MS / 1000} s.`,
      );
    }
    await wait(RETRY_MS);
  }
}

function tryListen(address: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    server.listen(address, () => resolve(server));
  });
}

/** The directory's secret name, made by the first process (a hard link appears whole or not at all). */
async function lockName(controlDir: string): Promise<string> {
  const file = join(controlDir, 'lock-name');
  const known = await readFile(file, 'utf8').catch(() => '');
  if (known) return known;
  const secret = (await readFile(RANDOM_UUID, 'utf8')).trim();
  const temporary = `${file}.${secret}`;
  await writeFile(temporary, secret, { mode: 0o600, flag: 'wx' });
  await link(temporary, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(temporary);
  return readFile(file, 'utf8');
}
