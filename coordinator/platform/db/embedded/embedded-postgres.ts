import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseLog } from '../database-log.ts';
import { prepareBinaries } from './binaries.ts';
import { withDataDirLock } from './data-dir-lock.ts';
import { initialiseCluster } from './initialise-cluster.ts';
import { openControlDir, placeCluster, type ClusterPlace } from './placement.ts';
import { clearDeadServer, findPostmaster } from './postmaster-lock.ts';
import { startPostmaster, stopPostmaster } from './postmaster.ts';
import { ServerRefusal, waitUntilReady, type SocketConnection } from './readiness.ts';
import { isServerProcess } from './server-process.ts';
import { postmasterSettings, type Profile } from './server-settings.ts';
import { chooseServiceUser, type ServiceUser } from './service-user.ts';
import { chooseSocketDir } from './socket-dir.ts';
import { superviseServer } from './supervision.ts';
import { lastUserOut, registerUser } from './users.ts';

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
 * a time; whoever leaves last stops the server, so a server whose starter was killed is adopted.
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
      isAlive: () => isServerProcess(state.pid, running.place.clusterDir),
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
        if (await lastUserOut(controlDir)) await stopPostmaster(running.place, state.pid, options.log);
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

type Running = {
  pid: number;
  place: ClusterPlace;
  connection: SocketConnection;
  attached: boolean;
};

async function ensureRunning(options: EmbeddedOptions, controlDir: string): Promise<Running> {
  const user = await chooseServiceUser(join(controlDir, 'cluster'));
  const place = await placeCluster(options, controlDir, user);
  const found = await findPostmaster(place.clusterDir);
  if (found) {
    const connection = await waitUntilReady(found.socketDir, () => isServerProcess(found.pid, place.clusterDir));
    if (connection) {
      options.log.info({ pid: found.pid }, 'attached to the running embedded Postgres');
      return { pid: found.pid, place, connection, attached: true };
    }
  }
  return launch(options, place, user);
}

async function launch(options: EmbeddedOptions, place: ClusterPlace, user: ServiceUser): Promise<Running> {
  const profile = options.profile ?? 'durable';
  const binaries = await prepareBinaries(place, user, options.log);
  await initialiseCluster({ place, binaries, user, profile, log: options.log });
  const socketDir = await chooseSocketDir(place, user, options.shortDir ?? '/tmp');
  await clearDeadServer(place.clusterDir, socketDir, options.log);
  const settings = postmasterSettings(profile, socketDir);
  const started = await startPostmaster({ place, binaries, user, settings });
  const connection = await waitUntilReady(socketDir, started.isAlive).catch(async (error: unknown) => {
    if (error instanceof ServerRefusal) await stopPostmaster(place, started.pid, options.log);
    throw error;
  });
  if (!connection) throw await started.failure();
  options.log.info({ pid: started.pid, version: binaries.version }, 'embedded Postgres is running');
  return { pid: started.pid, place, connection, attached: false };
}
