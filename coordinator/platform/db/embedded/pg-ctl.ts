import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type DatabaseLog, DatabaseStartError } from '../database-start.ts';
import type { Binaries } from './binaries.ts';
import { findServer, isServerProcess, type Server } from './find-server.ts';
import type { ClusterPlace } from './placement.ts';
import { READY_SECONDS, stillStarting } from './readiness.ts';
import { CLEAN_ENVIRONMENT } from './server-settings.ts';
import type { ServiceUser } from './service-user.ts';

/** One cluster and what it takes to run its server. */
export type Cluster = ClusterPlace & { user: ServiceUser; binaries: Binaries; log: DatabaseLog };

const LOG_MAX_BYTES = 8_000_000;
const LOG_TAIL_BYTES = 2000;
const PROGRAM_DEADLINE_MS = 130_000;
const EXIT_DEADLINE_MS = 5000;
const POLL_MS = 10;

/**
 * Runs a program of Postgres as the service user, in a session of its own: Ctrl-C in our terminal must not reach it.
 * What it says, and a server that it leaves behind, goes to DATA_DIR/postgres/server.log; we open that file, because
 * the service user may not be able to.
 */
export async function runProgram(cluster: Cluster, program: 'initdb' | 'pg_ctl', args: string[]) {
  const { controlDir, clusterDir, user, binaries } = cluster;
  const logFile = join(controlDir, 'server.log');
  const stats = await stat(logFile).catch(() => null);
  if (stats && stats.size > LOG_MAX_BYTES) await rename(logFile, `${logFile}.1`);
  const output = await open(logFile, 'a', 0o600);
  try {
    const begun = (await output.stat()).size;
    const child = spawn(join(binaries.bin, program), args, {
      ...user.spawnAs,
      env: { ...CLEAN_ENVIRONMENT, PGDATA: clusterDir },
      cwd: binaries.bin,
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    });
    const timer = setTimeout(() => child.kill(), PROGRAM_DEADLINE_MS);
    const ended: unknown[] = await once(child, 'exit').catch((error: unknown) => [error]);
    clearTimeout(timer);
    const code = ended[0];
    const said = (await readFile(logFile)).subarray(begun).subarray(-LOG_TAIL_BYTES).toString().trim();
    if (code instanceof Error || code === 127 || said.includes('GLIBC_')) {
      throw new DatabaseStartError(
        `The Postgres program ${child.spawnfile} does not run here (${said || String(code)}). It needs glibc 2.27 or newer; ` +
          'on another C library set DATABASE_URL.',
      );
    }
    return { ok: code === 0, said: said || '(nothing)' };
  } finally {
    await output.close();
  }
}

/** Starts the server and waits until it lets clients in. */
export async function startServer(cluster: Cluster, settings: string[]): Promise<Server> {
  const { clusterDir } = cluster;
  const { ok, said } = await runProgram(cluster, 'pg_ctl', [
    'start',
    '--silent',
    `--timeout=${READY_SECONDS}`,
    '-p',
    './postgres',
    `--options=${['-D', clusterDir, ...settings].map(shellWord).join(' ')}`,
  ]);
  const server = await findServer(clusterDir);
  if (!server) throw new DatabaseStartError(`Postgres did not start on ${clusterDir}. It said: ${said}`);
  if (!ok) throw stillStarting();
  return server;
}

/** pg_ctl starts the server by a shell. It puts its own -D and -l between double quotes, where `$` still works: we give it neither. */
function shellWord(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * Stops the server of this cluster: fast shutdown (open transactions are rolled back, the log is flushed), and after
 * 20 s an immediate one, which the next start recovers from.
 */
export async function stopServer(cluster: Cluster, lastPid: number): Promise<void> {
  const { clusterDir, log } = cluster;
  const pid = (await findServer(clusterDir))?.pid ?? lastPid;
  const attempts = [
    () => runProgram(cluster, 'pg_ctl', ['stop', '--silent', '--mode=fast', '--timeout=20']),
    () => runProgram(cluster, 'pg_ctl', ['stop', '--silent', '--mode=immediate', '--timeout=5']),
    // pg_ctl knows the server by its lock file, which is missing when DATA_DIR was removed under it.
    async () => ({ ok: process.kill(pid, 'SIGQUIT') }),
  ];
  for (const attempt of attempts) {
    if (!(await isServerProcess(pid, clusterDir))) return;
    const { ok } = await attempt().catch(() => ({ ok: false }));
    // The lock file goes a moment before the process.
    const deadline = performance.now() + (ok ? EXIT_DEADLINE_MS : 0);
    while (performance.now() < deadline) {
      if (!(await isServerProcess(pid, clusterDir))) return;
      await wait(POLL_MS);
    }
    log.warn({ pid }, 'Postgres did not stop when asked; pressing harder');
  }
  throw new DatabaseStartError(`Postgres (process ${pid}) does not stop.`);
}
