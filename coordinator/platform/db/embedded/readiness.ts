import postgres from 'postgres';
import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseStartError } from '../database-start.ts';
import { isDatabaseError } from '../error-kind.ts';
import { createDatabaseIfAbsent } from '../queries.ts';
import { isServerProcess, type Server } from './find-server.ts';
import { SOCKET_PORT } from './socket-dir.ts';

export const DATABASE_USER = 'gpumark';
export const DATABASE_NAME = 'gpumark';

/** How to reach an embedded server; `host` is the absolute path of its socket directory. */
export type SocketConnection = { host: string; port: number; database: string; user: string };

/** Replaying the log of a long busy run after a crash can take a minute on a slow disk. */
export const READY_SECONDS = 120;
const PAUSE_MS = 50;

/** The server runs but does not let us in; waiting does not help. */
export class ServerRefusal extends DatabaseStartError {}

/**
 * Waits until the server answers a query, and makes our database if it is absent; pg_ctl waits only for a server
 * that it has started itself. Null when the server died meanwhile. Throws `ServerRefusal`, and `DatabaseStartError`
 * when the deadline passed while it was still recovering.
 */
export async function waitUntilReady(server: Server, clusterDir: string): Promise<SocketConnection | null> {
  const connection = { host: server.socketDir, port: SOCKET_PORT, database: DATABASE_NAME, user: DATABASE_USER };
  const deadline = performance.now() + READY_SECONDS * 1000;
  while (performance.now() < deadline) {
    if (await answered(connection)) return connection;
    if (!(await isServerProcess(server.pid, clusterDir))) return null;
    await wait(PAUSE_MS);
  }
  throw stillStarting();
}

export function stillStarting(): DatabaseStartError {
  return new DatabaseStartError(
    `Postgres has been starting for ${READY_SECONDS} s, probably replaying its log; it goes on. Start again later.`,
  );
}

async function answered(connection: SocketConnection): Promise<boolean> {
  const sql = postgres({
    ...connection,
    database: 'postgres',
    max: 1,
    connect_timeout: 5,
    fetch_types: false,
    ssl: false,
    onnotice: () => undefined,
  });
  try {
    await createDatabaseIfAbsent(sql, connection.database);
    return true;
  } catch (error) {
    if (error instanceof postgres.PostgresError && !isDatabaseError(error, 'not open yet')) {
      throw new ServerRefusal(`Postgres runs but cannot be used: ${error.message} (${error.code}).`, { cause: error });
    }
    return false;
  } finally {
    await sql.end({ timeout: 1 });
  }
}
