import { readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseLog } from '../database-log.ts';
import { DatabaseStartError } from '../database-start-error.ts';
import { isServerProcess, serverProcesses } from './server-process.ts';
import { SOCKET_FILE } from './socket-dir.ts';

const CONNECT_DEADLINE_MS = 3000;
const LEFTOVER_DEADLINE_MS = 15_000;
const POLL_MS = 20;

/**
 * The server that owns this cluster now, or null. Refuses when its socket answers although its
 * process is not visible: it belongs to another container, and two servers on one cluster destroy it.
 */
export async function findPostmaster(clusterDir: string): Promise<{ pid: number; socketDir: string } | null> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => null);
  if (text === null) return null;
  // Postgres writes: pid, data directory, start time, port, socket directory, ...
  const lines = text.split('\n');
  const found = { pid: Number(lines[0]), socketDir: lines[4] ?? '' };
  if (await isServerProcess(found.pid, clusterDir)) return found;
  if (found.socketDir && (await answers(join(found.socketDir, SOCKET_FILE)))) {
    throw new DatabaseStartError(
      `${clusterDir} is in use by a Postgres of another container (process ${found.pid} there). ` +
        'Stop that one, or give this one a DATA_DIR of its own or a DATABASE_URL.',
    );
  }
  return null;
}

/**
 * Clears the traces of a server that died: waits for its last child processes, then removes lock
 * files whose process id another program has taken (Postgres would refuse to start for ever).
 * Locks of free process ids are left to Postgres, which checks shared memory before it takes over.
 * Call after `findPostmaster` said null, under the data directory lock.
 */
export async function clearDeadServer(clusterDir: string, socketDir: string, log: DatabaseLog): Promise<void> {
  const files = [join(clusterDir, 'postmaster.pid'), join(socketDir, `${SOCKET_FILE}.lock`)];
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text === null) continue;
    log.warn({ file }, 'the last Postgres did not stop cleanly; its log will be replayed');
    await leftoversGone(clusterDir);
    if (isTaken(Number.parseInt(text, 10))) await rm(file, { force: true });
  }
}

async function leftoversGone(clusterDir: string): Promise<void> {
  const deadline = performance.now() + LEFTOVER_DEADLINE_MS;
  for (;;) {
    const left = await serverProcesses(clusterDir);
    if (left.length === 0) return;
    if (performance.now() > deadline) {
      throw new DatabaseStartError(
        `Processes of a dead Postgres still use ${clusterDir}: ${left.join(', ')}. End them and start again.`,
      );
    }
    await wait(POLL_MS);
  }
}

function isTaken(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    const settle = (value: boolean) => {
      socket.destroy();
      resolve(value);
    };
    socket.setTimeout(CONNECT_DEADLINE_MS, () => settle(false));
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}
