import type { Queryable } from '../db/client.ts';
import { one } from '../db/rows.ts';

interface ServerFacts {
  version: number;
  /** Seconds since 1970 by the database's clock. */
  clock: number;
  most_connections: number;
  connections: number;
  /** number of the last applied migration, 0 if there is none */
  schema: number;
  statement_timeout: string;
}

export async function readServerFacts(sql: Queryable): Promise<ServerFacts> {
  const there = one(await sql<{ found: boolean }[]>`select to_regclass('schema_migration') is not null as found`);
  const schema = there.found
    ? one(await sql<{ number: number }[]>`select coalesce(max(number), 0)::int as number from schema_migration`).number
    : 0;
  const facts = one(
    await sql<Omit<ServerFacts, 'schema'>[]>`
      select current_setting('server_version_num')::int as version, extract(epoch from clock_timestamp())::float8 as clock,
        current_setting('max_connections')::int as most_connections,
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
        current_setting('statement_timeout') as statement_timeout`,
  );
  return { ...facts, schema };
}

export async function countKeys(sql: Queryable): Promise<{ login: number; job: number; artifact: number }> {
  return one(
    await sql<{ login: number; job: number; artifact: number }[]>`
      select (select count(*)::int from signing_key where purpose = 'login' and retired_at is null) as login,
        (select count(*)::int from signing_key where purpose = 'job' and retired_at is null) as job,
        (select count(*)::int from artifact_secret) as artifact`,
  );
}

/** Seconds since 1970 by the database's clock. */
export async function readClock(sql: Queryable): Promise<number> {
  return one(await sql<{ clock: number }[]>`select extract(epoch from clock_timestamp())::float8 as clock`).clock;
}
