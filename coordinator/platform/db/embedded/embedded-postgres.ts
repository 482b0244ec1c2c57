import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type DatabaseLog, DatabaseStartError } from '../database-start.ts';
import { prepareBinaries } from './binaries.ts';
import { withDataDirLock } from './data-dir-lock.ts';
import { clearDeadServer, findServer, isServerProcess } from './find-server.ts';
import { initialiseCluster } from './initialise-cluster.ts';
import { startServer, stopServer, type Cluster } from './pg-ctl.ts';
import { openControlDir, placeCluster } from './placement.ts';
import { ServerRefusal, waitUntilReady, type SocketConnection } from './readiness.ts';
import { postmasterSettings, type Profile } from './server-settings.ts';
import { chooseServiceUser } from './service-user.ts';
import { chooseSocketDir } from './socket-dir.ts';
import { superviseServer } from './supervision.ts';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';

export type EmbeddedOptions = {
  /** DATA_DIR of the coordinator; everything of the database is kept in its folder `postgres`. */
  dataDir: string;
  log: DatabaseLog;
  /** `durable` (default) keeps every acknowledged commit; `ephemeral` is for tests only. */
  profile?: Profile;
  /** Called when the server died and could not be brought back. */
  onDown?: (error: Error) => void;
  /** Where root puts what the service user could not reach otherwise. */
  systemDir?: string;
  /** Parent of the short socket directory that is made when DATA_DIR is too deep for a socket path. */
  shortDir?: string;
};

export type EmbeddedPostgres = {
  /** What `connectDatabase({ embedded })` takes. */
  connection: SocketConnection;
  /** The postmaster's process id; changes when the supervisor had to restart it. */
  readonly pid: number;
  /** True when the server was already running. */
  attached: boolean;
  /** Leaves the server; the last process to leave stops it. Safe to call twice. */
  stop(): Promise<void>;
};

/**
 * Gives a running Postgres on `dataDir`: attaches to the server that already runs there, or
 * starts one, making the cluster on the first start. Several processes may use one DATA_DIR at
 * a time; the last to leave stops the server, so a server whose starter was killed is adopted.
 * Throws `DatabaseStartError` with a sentence for the operator.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const controlDir = await openControlDir(options.dataDir);
  return withDataDirLock(controlDir, async () => {
    const running = await ensureRunning(options, controlDir);
    const leave = await registerUser(controlDir);
    const state = { pid: running.pid };
    const supervision = superviseServer({
      log: options.log,
      isAlive: () => isServerProcess(state.pid, running.cluster.clusterDir),
      restart: async () => {
        const again = await withDataDirLock(controlDir, () => ensureRunning(options, controlDir));
        state.pid = again.pid;
        // Pools know the old path only.
        if (again.connection.host !== running.connection.host) throw new Error('the socket directory was lost');
      },
      onDown: options.onDown,
    });
    let stopping: Promise<void> | undefined;
    const stop = async () => {
      await supervision.end();
      const leaveServer = async () => {
        await leave();
        if (await lastUserOut(controlDir)) await stopServer(running.cluster, state.pid);
      };
      // Without its directory there is nobody left to agree with.
      await (existsSync(controlDir) ? withDataDirLock(controlDir, leaveServer) : leaveServer());
    };
    return {
      connection: running.connection,
      get pid() {
        return state.pid;
      },
      attached: running.attached,
      stop: () => (stopping ??= stop()),
    };
  });
}

type Running = { cluster: Cluster; pid: number; connection: SocketConnection; attached: boolean };

async function ensureRunning(options: EmbeddedOptions, controlDir: string): Promise<Running> {
  const { log, systemDir = '/var/lib/gpumark' } = options;
  const user = await chooseServiceUser(join(controlDir, 'cluster'));
  const place = await placeCluster(controlDir, systemDir, user, log);
  const binaries = await prepareBinaries(user.spawnAs ? systemDir : controlDir, user, log);
  const cluster = { ...place, user, binaries, log };
  const found = await findServer(cluster.clusterDir);
  const connection = found && (await waitUntilReady(found, cluster.clusterDir));
  if (!found || !connection) return launch(options, cluster);
  log.info({ pid: found.pid }, 'attached to the running embedded Postgres');
  return { cluster, pid: found.pid, connection, attached: true };
}

async function launch(
  { log, profile = 'durable', shortDir = '/tmp' }: EmbeddedOptions,
  cluster: Cluster,
): Promise<Running> {
  await initialiseCluster(cluster, profile);
  const socketDir = await chooseSocketDir(cluster, cluster.user, shortDir);
  await clearDeadServer(cluster.clusterDir, socketDir, log);
  const { pid } = await startServer(cluster, postmasterSettings(profile, socketDir));
  const connection = await waitUntilReady({ pid, socketDir }, cluster.clusterDir).catch(async (error: unknown) => {
    if (error instanceof ServerRefusal) await stopServer(cluster, pid);
    throw error;
  });
  if (!connection)
    throw new DatabaseStartError(
      `Postgres died as soon as it had started on ${cluster.clusterDir}: see ${join(cluster.controlDir, 'server.log')}.`,
    );
  log.info({ pid, version: cluster.binaries.version }, 'embedded Postgres is running');
  return { cluster, pid, connection, attached: false };
}

let registrations = 0;

/**
 * Notes that this process uses the server; returns the function that takes the note back.
 * Call under the data directory lock.
 */
export async function registerUser(controlDir: string): Promise<() => Promise<void>> {
  const dir = join(controlDir, 'users');
  await mkdir(dir, { recursive: true });
  const file = join(dir, `${process.pid}-${await startTime(process.pid)}-${(registrations += 1)}`);
  await writeFile(file, '');
  return () => rm(file, { force: true });
}

/** True when no living process uses the server; notes of dead ones are removed. Call under the lock. */
export async function lastUserOut(controlDir: string): Promise<boolean> {
  const dir = join(controlDir, 'users');
  let living = 0;
  for (const name of await readdir(dir).catch(() => [])) {
    const [pid, started] = name.split('-');
    if (started && started === (await startTime(Number(pid)))) living += 1;
    else await rm(join(dir, name), { force: true });
  }
  return living === 0;
}

/**
 * Field 22 of /proc/PID/stat, clock ticks since boot: with the id it names one process, so a
 * reused process id is told from its predecessor. Null when there is no such process.
 */
async function startTime(pid: number): Promise<string | null> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  // The name (field 2) stands in parentheses and may hold spaces; field 3 follows the last one.
  return line?.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}
