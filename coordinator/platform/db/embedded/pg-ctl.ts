import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type DatabaseLog, DatabaseStartError, restoreIt } from '../database-start.ts';
import type { Binaries } from './binaries.ts';
import { findServer, isServerProcess, type Server } from './find-server.ts';
import { READY_SECONDS, stillStarting } from './readiness.ts';
import { CLEAN_ENVIRONMENT, serverSettings, type Profile } from './server-settings.ts';
import type { ServiceUser } from './service-user.ts';
import { waitUntil } from './wait-until.ts';

/** One cluster and everything needed to run its server. */
export type Cluster = {
  /** DATA_DIR/postgres: locks and log; owned by us, not by the server's user. */
  controlDir: string;
  /** PGDATA, symbolic links resolved. */
  clusterDir: string;
  user: ServiceUser;
  binaries: Binaries;
  log: DatabaseLog;
};

const LOG_MAX_BYTES = 8_000_000;
const LOG_TAIL_BYTES = 2000;
const PROGRAM_DEADLINE_MS = 130_000;
const EXIT_SECONDS = 5;

/**
 * Runs a program of Postgres as the service user, in a session of its own: Ctrl-C in our terminal must not reach it.
 * The cluster in `folder` is passed only as its working directory: we enter it before the user is changed, so the folders above
 * can be closed to that user, and no shell sees their names. Its output, and that of a server that it starts, goes to
 * DATA_DIR/postgres/server.log, which we open for the same reason.
 */
export async function runProgram(cluster: Cluster, program: 'initdb' | 'pg_ctl', args: string[], folder: string) {
  const { bin } = cluster.binaries;
  const logFile = join(cluster.controlDir, 'server.log');
  const stats = await stat(logFile).catch(() => null);
  if (stats && stats.size > LOG_MAX_BYTES) await rename(logFile, `${logFile}.1`);
  const output = await open(logFile, 'a', 0o600).catch((error: Error) => {
    throw new DatabaseStartError(`The log of Postgres cannot be written (${error.message}). Move that file away.`);
  });
  try {
    const begun = (await output.stat()).size;
    const child = spawn(join(bin, program), args, {
      ...cluster.user,
      env: { ...CLEAN_ENVIRONMENT, PATH: `${bin}:${CLEAN_ENVIRONMENT.PATH}`, PGDATA: '/proc/self/cwd' },
      cwd: folder,
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
      timeout: PROGRAM_DEADLINE_MS,
    });
    const ended: unknown[] = await once(child, 'exit').catch((error: unknown) => [error]);
    const said = (await readFile(logFile)).subarray(begun).subarray(-LOG_TAIL_BYTES).toString().trim();
    return { ok: ended[0] === 0, said: said || String(ended[0]) };
  } finally {
    await output.close();
  }
}

/** Starts the server and waits until it accepts clients. */
export async function startServer(cluster: Cluster, profile: Profile): Promise<Server> {
  const { clusterDir } = cluster;
  const options = ['--silent', `--timeout=${READY_SECONDS}`, '-p', 'postgres', `--options=${serverSettings(profile)}`];
  const { ok, said } = await runProgram(cluster, 'pg_ctl', ['start', ...options], clusterDir);
  const server = await findServer(clusterDir);
  if (!server)
    throw new DatabaseStartError(
      `Postgres did not start on ${clusterDir}. It said: ${reasonIn(said, clusterDir)} ${restoreIt(clusterDir)}`,
    );
  if (!ok) throw stillStarting();
  return server;
}

/** What the server died of, in its own words without their times, on one line; all that was said if that is not among it. */
function reasonIn(said: string, clusterDir: string): string {
  const reasons = [...said.matchAll(/ (?:FATAL|PANIC|DETAIL|HINT): .*/g)].map(([words]) => words);
  const words = reasons.length > 0 ? reasons.join('.') : said.replace('Examine the log output.', '');
  return `${words.replaceAll('/proc/self/cwd', clusterDir).replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '')}.`;
}

/**
 * Stops the server of this cluster in fast mode (open transactions are rolled back, the log is flushed). After 20 s, or if
 * DATA_DIR was removed and with it the lock file that pg_ctl needs, stops it immediately; the next start recovers from that.
 */
export async function stopServer(cluster: Cluster, lastPid: number): Promise<void> {
  const { clusterDir, log } = cluster;
  const pid = (await findServer(clusterDir))?.pid ?? lastPid;
  const isGone = async () => !(await isServerProcess(pid, clusterDir));
  if (await isGone()) return;
  const stop = ['stop', '--silent', '--mode=fast', '--timeout=20'];
  const { ok } = await runProgram(cluster, 'pg_ctl', stop, clusterDir).catch(() => ({ ok: false }));
  // The lock file disappears a moment before the process.
  if (await waitUntil(isGone, ok ? EXIT_SECONDS : 0)) return;
  log.warn({ pid }, 'Postgres did not stop in time; it is shut down immediately');
  try {
    process.kill(pid, 'SIGQUIT');
  } catch {
    // It has ended since the last check.
  }
  if (!(await waitUntil(isGone, EXIT_SECONDS)))
    throw new DatabaseStartError(`Postgres (process ${pid}) does not stop.`);
}
