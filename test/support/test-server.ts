import { chmod } from 'node:fs/promises';
import { z } from 'zod';
import { connectDatabase, type Sql } from '../../coordinator/platform/db/client.ts';
import { startEmbeddedPostgres } from '../../coordinator/platform/db/embedded/embedded-postgres.ts';
import { DATABASE_NAME } from '../../coordinator/platform/db/embedded/readiness.ts';
import { migrate } from '../../coordinator/platform/db/migrate.ts';
import { makeDataDir, removeDataDir } from './data-dir.ts';
import { layReadyCluster } from './ready-cluster.ts';

/** The variable by which the run's global set-up tells test files where their databases come from. */
export const TEST_DATABASE_VARIABLE = 'GPUMARK_TEST_DATABASE';

/** `url` may create databases; `template` is the migrated database to copy. */
export const testServerAddress = z.object({ url: z.string(), template: z.string() });
export type TestServerAddress = z.infer<typeof testServerAddress>;
export type TestServer = TestServerAddress & { stop(): Promise<void> };

/**
 * Starts a throw-away embedded server, whose own database nobody opens and which serves as the template; or uses
 * `externalUrl` and migrates a template there. `stop` removes everything again.
 */
export async function startTestServer(externalUrl: string | undefined): Promise<TestServer> {
  if (externalUrl) {
    const made = await makeTemplate(externalUrl);
    return { ...made, stop: () => dropTemplate(made) };
  }
  const dataDir = await makeDataDir();
  // A pooler before it runs as the server's user, and connects by path.
  await chmod(dataDir, 0o711);
  await layReadyCluster(dataDir);
  const server = await startEmbeddedPostgres({ dataDir, profile: 'ephemeral', log: QUIET });
  const { user, host } = server.connection;
  const url = `postgres://${user}@localhost/postgres?host=${encodeURIComponent(host)}`;
  const stop = async () => {
    await server.stop();
    await removeDataDir(dataDir);
  };
  return { url, template: DATABASE_NAME, stop };
}

/** The same server, another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

export async function asAdmin<T>(url: string, work: (admin: Sql) => Promise<T>): Promise<T> {
  const admin = connectDatabase({
    url,
    max: 1,
    applicationName: 'gpumark-test-admin',
    lockTimeoutMs: 30_000,
    statementTimeoutMs: 60_000,
    connectTimeoutSeconds: 60,
  });
  try {
    return await work(admin);
  } finally {
    await admin.end({ timeout: 5 });
  }
}

async function makeTemplate(url: string): Promise<TestServerAddress> {
  const template = `gpumark_template_${process.pid}`;
  await asAdmin(url, async (admin) => {
    await admin`create database ${admin(template)}`;
  });
  await asAdmin(withDatabase(url, template), migrate);
  // Copying needs a database that nobody is connected to; this keeps it so.
  await asAdmin(url, async (admin) => {
    await admin`alter database ${admin(template)} allow_connections false`;
  });
  return { url, template };
}

async function dropTemplate({ url, template }: TestServerAddress): Promise<void> {
  await asAdmin(url, async (admin) => {
    await admin`drop database if exists ${admin(template)} with (force)`;
  });
}

const QUIET = {
  info: () => undefined,
  warn: () => undefined,
  error: (fields: object, message: string) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
};
