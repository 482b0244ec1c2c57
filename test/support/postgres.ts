import { after } from 'node:test';
import { connectDatabase, type Sql } from '../../coordinator/platform/db/client.ts';
import {
  asAdmin,
  startTestServer,
  TEST_DATABASE_VARIABLE,
  testServerAddress,
  withDatabase,
  type TestServer,
  type TestServerAddress,
} from './test-server.ts';

export type FreshDatabase = {
  /** A pool of 5 on the database. */
  sql: Sql;
  /** The same database for `connectDatabase({ url })` or DATABASE_URL of a child process. */
  url: string;
  /** Ends the pool and drops the database. Safe to call twice. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The part of node:test's context that is needed; pass it and the database is dropped after the test. */
type Lifetime = { after(done: () => Promise<void>): void };

const POOL_SIZE = 5;
let ownServer: Promise<TestServer> | undefined;
let made = 0;
/** Closers of the databases that are open; the server must outlive them. */
const open = new Set<() => Promise<void>>();

/**
 * A migrated, empty database of one's own, copied from the run's template (a tenth of a second).
 * A file run alone, without the global set-up, starts a server for itself and stops it at its end.
 */
export async function freshDatabase(lifetime?: Lifetime): Promise<FreshDatabase> {
  const server = await findServer();
  return makeDatabase(server, server.template, lifetime);
}

/** The same without our schema, for tests of the migrations themselves. */
export async function emptyDatabase(lifetime?: Lifetime): Promise<FreshDatabase> {
  return makeDatabase(await findServer(), 'template0', lifetime);
}

async function makeDatabase(server: TestServerAddress, template: string, lifetime?: Lifetime): Promise<FreshDatabase> {
  const name = `test_${process.pid}_${(made += 1)}`;
  await asAdmin(server.url, async (admin) => {
    // Copying the files costs half of what copying them by way of the log does.
    await admin`create database ${admin(name)} template ${admin(template)} strategy file_copy`;
  });
  const url = withDatabase(server.url, name);
  // A test may hold a lock for as long as a program takes to start on a busy machine, and its neighbours the process.
  const patience = { idleInTransactionTimeoutMs: 0, connectTimeoutSeconds: 60 };
  const sql = connectDatabase({ url, max: POOL_SIZE, applicationName: name, ...patience });
  let closing: Promise<void> | undefined;
  const close = () => {
    open.delete(close);
    return (closing ??= drop(server, name, sql));
  };
  open.add(close);
  lifetime?.after(close);
  return { sql, url, close, [Symbol.asyncDispose]: close };
}

async function drop(server: TestServerAddress, name: string, sql: Sql): Promise<void> {
  await sql.end({ timeout: 5 });
  await asAdmin(server.url, async (admin) => {
    await admin`drop database if exists ${admin(name)} with (force)`;
  });
}

function findServer(): Promise<TestServerAddress> {
  const inherited = process.env[TEST_DATABASE_VARIABLE];
  if (inherited) return Promise.resolve(testServerAddress.parse(JSON.parse(inherited)));
  return (ownServer ??= startTestServer(process.env['TEST_DATABASE_URL']));
}

// Runs before the file's own root-level hooks, which were registered later: hence it closes what they would.
after(async () => {
  await Promise.all([...open].map((close) => close()));
  if (ownServer) await (await ownServer).stop();
});
