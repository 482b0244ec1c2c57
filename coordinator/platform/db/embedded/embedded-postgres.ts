import { existsSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type DatabaseLog, DatabaseStartError } from '../database-start.ts';
import { prepareBinaries } from './binaries.ts';
import { isUnused, registerUser, withDataDirLock } from './data-dir-lock.ts';
import { clearDeadServer, findServer, isServerProcess } from './find-server.ts';
import { initialiseCluster, locateCluster } from './initialise-cluster.ts';
import { startServer, stopServer, type Cluster } from './pg-ctl.ts';
import { waitUntilReady, type SocketConnection } from './readiness.ts';
import type { Profile } from './server-settings.ts';
import { chooseServiceUser } from './service-user.ts';
import { superviseServer } from './supervision.ts';

export type EmbeddedOptions = {
  /** DATA_DIR of the coordinator; the database keeps everything in its folder `postgres`. */
  dataDir: string;
  log: DatabaseLog;
  /** `durable` (default) keeps every acknowledged commit; `ephemeral` is for tests only. */
  profile?: Profile;
  /** Called when the server died and could not be restarted. */
  onDown?: (error: Error) => void;
  /** Where root copies programs that the service user cannot run in place; not DATA_DIR, which is closed to that user. */
  systemDir?: string;
};

export type EmbeddedPostgres = {
  /** The `embedded` option of `connectDatabase`. */
  connection: SocketConnection;
  /** The postmaster's process id; changes when the supervisor restarts it. */
  readonly pid: number;
  /** True when the server was already running. */
  attached: boolean;
  /** Leaves the server; the last process to leave stops it. Safe to call twice. */
  stop(): Promise<void>;
};

/**
 * Provides a running Postgres on `dataDir`: attaches to the server that already runs there, or
 * starts one, creating the cluster on the first start. Several processes can use one DATA_DIR at
 * a time; the last to leave stops the server, so a server whose starter was killed is adopted.
 * Throws `DatabaseStartError` with a sentence for the operator.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const controlDir = await openControlDir(options.dataDir);
  return withDataDirLock(controlDir, async () => {
    const { cluster, connection, attached, ...state } = await ensureRunning(options, controlDir);
    const leave = registerUser(controlDir);
    const supervision = superviseServer({
      log: options.log,
      isAlive: () => isServerProcess(state.pid, cluster.clusterDir),
      restart: async () => {
        state.pid = (await withDataDirLock(controlDir, () => ensureRunning(options, controlDir))).pid;
      },
      onDown: options.onDown,
    });
    const leaveServer = async () => {
      leave();
      if (isUnused(controlDir)) await stopServer(cluster, state.pid);
    };
    const stop = async () => {
      await supervision.end();
      // If the directory was removed, there are no other processes to coordinate with.
      await (existsSync(controlDir) ? withDataDirLock(controlDir, leaveServer) : leaveServer());
    };
    let stopping: Promise<void> | undefined;
    return {
      connection,
      get pid() {
        return state.pid;
      },
      attached,
      stop: () => (stopping ??= stop()),
    };
  });
}

/** DATA_DIR/postgres, created if absent. */
async function openControlDir(dataDir: string): Promise<string> {
  const controlDir = join(resolve(dataDir), 'postgres');
  try {
    await mkdir(controlDir, { recursive: true });
    return await realpath(controlDir);
  } catch (error) {
    throw new DatabaseStartError(`The data directory ${resolve(dataDir)} cannot be used: ${String(error)}`);
  }
}

type Running = { cluster: Cluster; pid: number; connection: SocketConnection; attached: boolean };

async function ensureRunning(options: EmbeddedOptions, controlDir: string): Promise<Running> {
  const { log, systemDir = '/var/lib/gpumark-postgres' } = options;
  const clusterDir = await locateCluster(controlDir);
  const user = await chooseServiceUser(clusterDir);
  const binaries = await prepareBinaries(user ? systemDir : controlDir, user, log);
  const cluster = { controlDir, clusterDir, user, binaries, log };
  const found = await findServer(clusterDir);
  const connection = found && (await waitUntilReady(found, clusterDir));
  if (!found || !connection) return launch(cluster, options.profile ?? 'durable');
  log.info({ pid: found.pid }, 'attached to the running embedded Postgres');
  return { cluster, pid: found.pid, connection, attached: true };
}

async function launch(cluster: Cluster, profile: Profile): Promise<Running> {
  const { controlDir, clusterDir, binaries, log } = cluster;
  await initialiseCluster(cluster, profile);
  await clearDeadServer(clusterDir, log);
  const server = await startServer(cluster, profile);
  const connection = await waitUntilReady(server, clusterDir).catch(async (error: unknown) => {
    await stopServer(cluster, server.pid);
    throw error;
  });
  if (!connection)
    throw new DatabaseStartError(
      `Postgres died as soon as it had started on ${clusterDir}: see ${join(controlDir, 'server.log')}.`,
    );
  log.info({ pid: server.pid, version: binaries.version }, 'embedded Postgres is running');
  return { cluster, pid: server.pid, connection, attached: false };
}
