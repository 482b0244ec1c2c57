import postgres from 'postgres';
import { DatabaseStartError, restoreIt } from '../database-start.ts';
import { isDatabaseError } from '../error-kind.ts';
import { createDatabaseIfAbsent } from '../queries.ts';
import { isServerProcess, SOCKET_PORT, type Server } from './find-server.ts';
import { waitUntil } from './wait-until.ts';

export const DATABASE_USER = 'gpumark';
export const DATABASE_NAME = 'gpumark';

/** How to reach an embedded server; `host` is the absolute path of its socket directory. */
export type SocketConnection = { host: string; port: number; database: string; user: string };

/** Replaying the log of a long busy run after a crash can take a minute on a slow disk. */
export const READY_SECONDS = 120;

/**
 * Waits until the server answers a query, and creates our database if it is absent; pg_ctl waits only for a server
 * that it has started itself. Null if the server died meanwhile. Throws `DatabaseStartError` if it refuses, or is
 * still recovering after READY_SECONDS.
 */
export async function waitUntilReady(server: Server, clusterDir: string): Promise<SocketConnection | null> {
  const connection = { host: server.socketDir, port: SOCKET_PORT, database: DATABASE_NAME, user: DATABASE_USER };
  let answers = false;
  const isSettled = async () => {
    answers = await answered(connection);
    return answers || !(await isServerProcess(server.pid, clusterDir));
  };
  if (!(await waitUntil(isSettled, READY_SECONDS))) throw stillStarting();
  return answers ? connection : null;
}

export function stillStarting(): DatabaseStartError {
  return new DatabaseStartError(
    `Postgres has been starting for ${READY_SECONDS} s, probably replaying its log; it goes on. Start again later.`,
  );
}

async function answered(connection: SocketConnection): Promise<boolean> {
  const once = { max: 1, connect_timeout: 5, fetch_types: false, ssl: false, onnotice: () => undefined };
  const sql = postgres({ ...connection, ...once, database: 'postgres' });
  try {
    await createDatabaseIfAbsent(sql, connection.database);
    return true;
  } catch (error) {
    if (!(error instanceof postgres.PostgresError) || isDatabaseError(error, 'not open yet')) return false;
    const said = `Postgres runs but cannot be used: ${error.message} (${error.code}).`;
    throw new DatabaseStartError(`${said} ${restoreIt(connection.host)}`, { cause: error });
  } finally {
    await sql.end({ timeout: 1 });
  }
}
