import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseLog } from '../database-log.ts';
import { DatabaseStartError } from '../database-start-error.ts';
import { prepareBinaries } from './binaries.ts';
import { withDataDirLock } from './data-dir-lock.ts';
import { clearDeadServer, findServer, isServerProcess } from './find-server.ts';
import { initialiseCluster } from './initialise-cluster.ts';
import { startServer, stopServer, type Cluster } from './pg-ctl.ts';
import { openControlDir, placeCluster } from './placement.ts';
import { ServerRefusal, waitUntilReady, type SocketConnection } from './readiness.ts';
import { postmasterSettings, type Profile } from './server-settings.ts';
import { lastUserOut, registerUser } from './server-users.ts';
import { chooseServiceUser } from './service-user.ts';
import { chooseSocketDir } from './socket-dir.ts';
import { superviseServer } from './supervision.ts';

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
