import { connectDatabase, type Sql } from '../../../coordinator/platform/db/client.ts';
import { startEmbeddedPostgres } from '../../../coordinator/platform/db/embedded/embedded-postgres.ts';
import { migrate } from '../../../coordinator/platform/db/migrate.ts';
import { makeDataDir, removeDataDir } from '../../support/data-dir.ts';

export interface BenchDatabase {
  sql: Sql;
  url: string;
  close: () => Promise<void>;
}

/** A migrated database on an embedded server of its own, with the durable settings that customers run. */
export async function benchDatabase(): Promise<BenchDatabase> {
  const dataDir = await makeDataDir();
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const server = await startEmbeddedPostgres({ dataDir, log: quiet });
  const { user, host, database } = server.connection;
  const url = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`;
  const sql = connectDatabase({ url, max: 4, applicationName: 'gpumark bench', statementTimeoutMs: 120_000 });
  await migrate(sql);
  return {
    sql,
    url,
    close: async () => {
      await sql.end({ timeout: 5 });
      await server.stop();
      await removeDataDir(dataDir);
    },
  };
}
