import { tmpdir } from 'node:os';
import { connectDatabase, type Sql } from '../../../coordinator/platform/db/client.ts';
import { startEmbeddedPostgres } from '../../../coordinator/platform/db/embedded/embedded-postgres.ts';
import { migrate } from '../../../coordinator/platform/db/migrate.ts';
import { makeDataDir, removeDataDir } from '../../support/data-dir.ts';

export interface BenchDatabase {
  sql: Sql;
  url: string;
  close: () => Promise<void>;
}

export interface BenchPostgres {
  /** A new migrated database on the server; closing the server also closes its pool. */
  create: (name: string) => Promise<Omit<BenchDatabase, 'close'>>;
  /** Stops the server and deletes its data. */
  close: () => Promise<void>;
}

const STATEMENT_TIMEOUT_MS = 120_000;

/** A dedicated embedded server with the durable settings that customers run; with `kept` it outlives the bench. */
export async function benchPostgres(
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  kept: string | null = null,
): Promise<BenchPostgres> {
  const dataDir = kept ?? (await makeDataDir(tmpdir()));
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const server = await startEmbeddedPostgres({ dataDir, log: quiet });
  const { user, host, database } = server.connection;
  const pools: Sql[] = [];
  const open = (name: string) => {
    const url = `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}`;
    const sql = connectDatabase({ url, max: 4, applicationName: 'gpumark bench', statementTimeoutMs });
    pools.push(sql);
    return { sql, url };
  };
  return {
    create: async (name) => {
      const admin = pools[0] ?? open(database).sql;
      const isThere = (await admin`select from pg_database where datname = ${name}`).count > 0;
      if (!isThere) await admin.unsafe(`create database ${name}`);
      const made = open(name);
      await migrate(made.sql);
      return made;
    },
    close: async () => {
      await Promise.all(pools.map((sql) => sql.end({ timeout: 5 })));
      await server.stop();
      if (kept === null) await removeDataDir(dataDir);
    },
  };
}

/** A migrated database on a dedicated server. */
export async function benchDatabase(): Promise<BenchDatabase> {
  const { create, close } = await benchPostgres();
  return { ...(await create('bench')), close };
}
