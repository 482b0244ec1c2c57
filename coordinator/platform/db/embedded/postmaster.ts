import { spawn } from 'node:child_process';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseLog } from '../database-log.ts';
import { DatabaseStartError } from '../database-start-error.ts';
import type { Binaries } from './binaries.ts';
import type { ClusterPlace } from './placement.ts';
import { findPostmaster } from './postmaster-lock.ts';
import { isServerProcess } from './server-process.ts';
import { CLEAN_ENVIRONMENT } from './server-settings.ts';
import type { ServiceUser } from './service-user.ts';

const LOG_MAX_BYTES = 8_000_000;
const LOG_TAIL_BYTES = 2000;
const FAST_STOP_MS = 20_000;
const IMMEDIATE_STOP_MS = 5000;
const POLL_MS = 10;

type Launch = {
  place: ClusterPlace;
  binaries: Binaries;
  user: ServiceUser;
  settings: string[];
};

type StartedPostmaster = {
  pid: number;
  isAlive: () => Promise<boolean>;
  /** Why it did not become ready: the end of the server's own log. */
  failure: () => Promise<DatabaseStartError>;
};

/**
 * Starts the server in a session of its own: Ctrl-C in our terminal and our own death must not
 * reach it before we have drained. Its log goes to DATA_DIR/postgres/server.log.
 */
export async function startPostmaster({ place, binaries, user, settings }: Launch): Promise<StartedPostmaster> {
  const logFile = join(place.controlDir, 'server.log');
  const stats = await stat(logFile).catch(() => null);
  if (stats && stats.size > LOG_MAX_BYTES) await rename(logFile, `${logFile}.1`);
  const output = await open(logFile, 'a', 0o600);
  try {
    const begun = (await output.stat()).size;
    const child = spawn(binaries.postgres, ['-D', place.clusterDir, ...settings], {
      ...user.spawnAs,
      env: CLEAN_ENVIRONMENT,
      cwd: '/',
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    });
    await new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.unref();
    return {
      pid: child.pid ?? 0,
      isAlive: async () => child.exitCode === null && child.signalCode === null,
      failure: async () => {
        const tail = (await readFile(logFile)).subarray(begun).subarray(-LOG_TAIL_BYTES).toString().trim();
        return new DatabaseStartError(`Postgres did not start on ${place.clusterDir}. It said: ${tail || '(nothing)'}`);
      },
    };
  } finally {
    await output.close();
  }
}

/**
 * Stops the server of this cluster: fast shutdown (open transactions are rolled back, the log is
 * flushed), and after 20 s an immediate one, which the next start recovers from.
 */
export async function stopPostmaster(place: ClusterPlace, lastPid: number, log: DatabaseLog): Promise<void> {
  // The lock file tells who runs now; it is missing when DATA_DIR was removed under the server.
  const pid = (await findPostmaster(place.clusterDir))?.pid ?? lastPid;
  const isAlive = () => isServerProcess(pid, place.clusterDir);
  if (!(await isAlive())) return;
  signal(pid, 'SIGINT');
  if (await gone(isAlive, FAST_STOP_MS)) return;
  log.warn({ pid }, 'Postgres did not stop in 20 s; stopping it at once');
  signal(pid, 'SIGQUIT');
  if (await gone(isAlive, IMMEDIATE_STOP_MS)) return;
  throw new DatabaseStartError(`Postgres (process ${pid}) does not stop.`);
}

function signal(pid: number, name: 'SIGINT' | 'SIGQUIT'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function gone(isAlive: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    if (!(await isAlive())) return true;
    await wait(POLL_MS);
  }
  return false;
}
