import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Sql } from '../../../coordinator/platform/db/client.ts';
import { run, type Ran } from '../../support/run-program.ts';
import { marketApp, type MarketApp } from './filled-market.ts';

export interface MarketCommands extends MarketApp {
  /** A command of the coordinator over this database, in this process. */
  command: (...argv: string[]) => Promise<Ran>;
  /** The same for a process of its own. */
  environment: Record<string, string>;
  /** A file in a folder of its own, so that two may have one name. */
  file: (name: string, content: string | Uint8Array) => Promise<string>;
  /** What an ingestion writes, whole. */
  state: () => Promise<Record<string, string[]>>;
}

export async function marketCommands(
  lifetime: Parameters<typeof marketApp>[0],
  options?: Parameters<typeof marketApp>[1],
): Promise<MarketCommands> {
  const market = await marketApp(lifetime, options);
  const folder = await mkdtemp(join(tmpdir(), 'gpumark-market-'));
  lifetime.after(() => rm(folder, { recursive: true, force: true }));
  const environment = { DATABASE_URL: market.databaseUrl, DATA_DIR: market.platform.config.dataDir };
  let files = 0;
  return {
    ...market,
    environment,
    command: (...argv) => run(argv, environment),
    file: async (name, content) => {
      const path = join(folder, String((files += 1)), name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      return path;
    },
    state: () => marketState(market.platform.sql),
  };
}

const tables = [
  'observation',
  'ingest_run',
  'provider_price',
  'daily_price',
  'latest_price',
  'unmatched_label',
  'data_version',
];

/** Every row of the tables that an ingestion writes, in an order of their own. */
export async function marketState(sql: Sql): Promise<Record<string, string[]>> {
  const state: Record<string, string[]> = {};
  for (const table of tables) {
    const rows = await sql.unsafe<{ row: string }[]>(`select to_jsonb(t)::text as row from ${table} t order by 1`);
    state[table] = rows.map(({ row }) => row);
  }
  return state;
}
