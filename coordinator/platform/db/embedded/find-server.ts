import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { type DatabaseLog, DatabaseStartError } from '../database-start.ts';
import { waitUntil } from './wait-until.ts';

/** No TCP, so the port only names the socket file. */
export const SOCKET_PORT = 5432;
const SOCKET_FILE = `.s.PGSQL.${SOCKET_PORT}`;
/** sun_path holds 108 bytes including the terminating NUL (unix(7)). */
const SOCKET_PATH_MAX_BYTES = 107;
const CONNECT_DEADLINE_MS = 3000;
const LEFTOVER_SECONDS = 15;

/** `socketDir` is absolute and short enough for this process to connect to a socket in it. */
export type Server = { pid: number; socketDir: string };

/**
 * True when `pid` is a server process of the cluster. The working directory of a Postgres process is its data directory,
 * which distinguishes it from another program that later got the same process id; `pg_ctl status` and `stop` would mistake
 * that one for the server. `clusterDir` must be free of symbolic links; the kernel marks a working directory as deleted.
 */
export async function isServerProcess(pid: number, clusterDir: string): Promise<boolean> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  if (name.trim() !== 'postgres') return false;
  const workingDir = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  return workingDir === clusterDir || workingDir === `${clusterDir} (deleted)`;
}

/**
 * The server that owns this cluster now, or null. Throws if its socket answers although its process
 * is not visible: it belongs to another container, and two servers would corrupt the cluster.
 */
export async function findServer(clusterDir: string): Promise<Server | null> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => null);
  if (text === null) return null;
  const pid = processIn(text);
  // Postgres writes: pid, data directory, start time, port, socket directory, ... A crash of the machine can leave anything.
  const socketDir = shortened(pid === null ? clusterDir : resolve(clusterDir, text.split('\n')[4] ?? ''));
  if (pid !== null && (await isServerProcess(pid, clusterDir))) return { pid, socketDir };
  if (await answers(join(socketDir, SOCKET_FILE))) throw inUse(clusterDir, pid, await processesOf(clusterDir));
  return null;
}

/** The process id at the beginning of a lock file; null if the file is damaged. */
function processIn(text: string): number | null {
  const pid = Number(/^\d{1,10}(?=\n|$)/.exec(text)?.[0] ?? 0);
  return pid > 0 ? pid : null;
}

function inUse(clusterDir: string, pid: number | null, here: readonly number[]): DatabaseStartError {
  if (here.length > 0)
    return new DatabaseStartError(
      `${clusterDir} is in use by a Postgres whose lock file is damaged (processes ${here.join(', ')}). ` +
        'It notices and stops within a minute: start again then.',
    );
  return new DatabaseStartError(
    `${clusterDir} is in use by a Postgres of another container${pid === null ? '' : ` (process ${pid} there)`}. ` +
      'Stop that one, or give this one a DATA_DIR of its own or a DATABASE_URL.',
  );
}

/** The directory, by way of an open file descriptor if its path is too long for a socket. */
function shortened(socketDir: string): string {
  const fits = Buffer.byteLength(join(socketDir, SOCKET_FILE)) <= SOCKET_PATH_MAX_BYTES;
  return fits || !existsSync(socketDir) ? socketDir : `/proc/self/fd/${openSync(socketDir, 'r')}`;
}

async function answers(path: string): Promise<boolean> {
  const socket = connect(path);
  const connected = once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_DEADLINE_MS) });
  return connected
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}

/**
 * Cleans up after a server that died: waits for its last child processes, which briefly outlive a killed postmaster, then
 * removes lock files that are damaged or whose process id another program has taken (with them Postgres would never start
 * again). Whole ones whose process id is not in use are left to Postgres, which checks shared memory before it takes over.
 * Call after `findServer` returned null, under the data directory lock.
 */
export async function clearDeadServer(clusterDir: string, log: DatabaseLog): Promise<void> {
  for (const file of [join(clusterDir, 'postmaster.pid'), join(clusterDir, `${SOCKET_FILE}.lock`)]) {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text === null) continue;
    log.warn({ file }, 'the last Postgres did not stop cleanly; its log will be replayed');
    if (!(await waitUntil(async () => (await processesOf(clusterDir)).length === 0, LEFTOVER_SECONDS))) {
      const left = await processesOf(clusterDir);
      throw new DatabaseStartError(
        `Processes of a dead Postgres still use ${clusterDir}: ${left.join(', ')}. End them and start again.`,
      );
    }
    const pid = processIn(text);
    if (pid === null || existsSync(`/proc/${pid}`)) await rm(file, { force: true });
  }
}

async function processesOf(clusterDir: string): Promise<number[]> {
  const found: number[] = [];
  for (const pid of (await readdir('/proc')).map(Number))
    if (Number.isInteger(pid) && (await isServerProcess(pid, clusterDir))) found.push(pid);
  return found;
}
