import { statfs } from 'node:fs/promises';
import { createArtifactStore } from '../artifacts/create-artifact-store.ts';
import type { Config } from '../config.ts';
import type { Platform } from '../context.ts';
import type { Sql } from '../db/client.ts';
import { readMigrations } from '../db/migration-files.ts';
import { MIGRATIONS_DIRECTORY } from '../db/migrate.ts';
import { openDatabase } from '../db/open-database.ts';
import { certificateDoubt, readCertificate } from '../http/certificate.ts';
import { openDataDir } from '../open-data-dir.ts';
import { CLOCK_REMEDY, judgeClock } from './clock.ts';
import { countKeys, readServerFacts } from './queries.ts';

interface Check {
  name: string;
  state: 'ok' | 'note' | 'broken';
  found: string;
  remedy?: string;
}

type Edges = Pick<Platform, 'log' | 'now' | 'randomBytes'>;

const ANSWER_MS = 5000;
const FREE_BYTES = { note: 5 * 2 ** 30, broken: 2 ** 29 };
/** Share of Postgres's own connection limit above which the next replica may run out of connections. */
const CONNECTION_SHARE = 0.8;

/**
 * What a coordinator with these settings would find at startup, with a remedy for each problem. Applies no migrations, but
 * opens DATA_DIR and the database as a start does, which can create them, restrict access to them or set the role's limits.
 */
export async function examine(config: Config, edges: Edges): Promise<Check[]> {
  const checks: Check[] = [];
  const check = async (name: string, look: () => Promise<Check | Check[]>): Promise<void> => {
    const found = await look().catch((error: unknown): Check => ({ name, state: 'broken', found: sentence(error) }));
    checks.push(...[found].flat());
  };
  await check('data folder', async () => {
    await openDataDir(config, edges.log);
    return disk(config.dataDir);
  });
  await check('database', async () => {
    const { databaseUrl, dataDir, database: settings } = config;
    // Applies no migration: serve and migrate do that.
    const database = await openDatabase({ databaseUrl, dataDir, settings, log: edges.log, max: 2, upTo: 0 });
    try {
      return await databaseChecks(config, database.sql, edges);
    } finally {
      await database.close();
    }
  });
  if (config.tls) await check('certificate', () => certificate(config.tls as NonNullable<Config['tls']>, edges.now()));
  await check('public address', () => publicAddress(config));
  return checks;
}

async function disk(dataDir: string): Promise<Check> {
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const found = `${dataDir}: ${(free / 2 ** 30).toFixed(1)} GiB free`;
  const state = free < FREE_BYTES.broken ? 'broken' : free < FREE_BYTES.note ? 'note' : 'ok';
  return { name: 'data folder', state, found, ...(state === 'ok' ? {} : { remedy: 'make room, or move DATA_DIR' }) };
}

async function databaseChecks(config: Config, sql: Sql, edges: Edges): Promise<Check[]> {
  const began = performance.now();
  const facts = await readServerFacts(sql);
  const ms = performance.now() - began;
  const newest = (await readMigrations(MIGRATIONS_DIRECTORY)).length;
  const major = Math.floor(facts.version / 10_000);
  const behind = facts.schema < newest;
  const checks: Check[] = [
    {
      name: 'database',
      state: behind ? 'note' : 'ok',
      found: `Postgres ${major}.${facts.version % 10_000}, schema ${facts.schema} of ${newest}, answers in ${ms.toFixed(0)} ms`,
      ...(behind ? { remedy: 'serve and migrate bring the schema up to date' } : {}),
    },
    clock(facts.clock, edges.now()),
    pool(config, facts),
  ];
  if (behind) return checks;
  const keys = await countKeys(sql);
  const missing = Object.entries(keys).flatMap(([name, count]) => (count === 0 ? [name] : []));
  checks.push({
    name: 'keys',
    state: missing.length > 0 ? 'note' : 'ok',
    found:
      missing.length > 0
        ? `missing: ${missing.join(', ')}; created when first needed`
        : 'login, job and artifact keys are there',
  });
  checks.push(await store(config, sql, edges).catch((error: unknown) => storeFault(error)));
  return checks;
}

function clock(database: number, now: Date): Check {
  const { state, found } = judgeClock(database, now);
  return { name: 'clock', state, found, ...(state === 'ok' ? {} : { remedy: CLOCK_REMEDY }) };
}

function pool(
  { database }: Config,
  facts: { most_connections: number; connections: number; statement_timeout: string },
): Check {
  const used = facts.connections + database.connections;
  const full = used > facts.most_connections * CONNECTION_SHARE;
  const unlimited = facts.statement_timeout === '0';
  return {
    name: 'pool',
    state: full || unlimited ? 'note' : 'ok',
    found: unlimited
      ? 'statements have no time limit: a pooler does not pass it on'
      : `${facts.connections} of ${facts.most_connections} connections in use; a replica takes ${database.connections}`,
    ...(full ? { remedy: 'raise max_connections, lower DATABASE_CONNECTIONS, or put pgbouncer in front' } : {}),
    ...(unlimited ? { remedy: 'set DATABASE_POOLER=transaction and DATABASE_DIRECT_URL' } : {}),
  };
}

/** Writes a small object, reads it and removes it again. */
async function store(config: Config, sql: Sql, { now, randomBytes }: Edges): Promise<Check> {
  const artifacts = await createArtifactStore(config, { sql, now, randomBytes });
  const content = Buffer.from(`gpumark doctor ${randomBytes(16).toString('hex')}`);
  const { key } = await artifacts.put(content, { contentType: 'text/plain', extension: 'txt' });
  const opened = await artifacts.open(key);
  for await (const piece of opened?.content ?? [])
    if (!piece.equals(content)) throw new Error('what was read is not what was written');
  await artifacts.remove(key);
  const place = config.s3 ? `${config.s3.endpoint}, bucket "${config.s3.bucket}"` : `${config.dataDir}/artifacts`;
  return { name: 'artifacts', state: 'ok', found: `written, read and removed at ${place}` };
}

const storeFault = (error: unknown): Check => ({
  name: 'artifacts',
  state: 'broken',
  found: sentence(error),
  remedy: 'jobs go on; reports and large results wait until the store accepts them',
});

async function certificate(files: NonNullable<Config['tls']>, now: Date): Promise<Check> {
  const found = await readCertificate(files);
  const doubt = certificateDoubt(found, now);
  const state = found.validTo <= now ? 'broken' : doubt ? 'note' : 'ok';
  return { name: 'certificate', state, found: doubt ?? `good until ${found.validTo.toISOString().slice(0, 10)}` };
}

async function publicAddress({ publicUrl }: Config): Promise<Check> {
  const name = 'public address';
  if (publicUrl === null)
    return { name, state: 'note', found: 'none stated', remedy: 'set PUBLIC_URL to what agents and customers reach' };
  const answer = await fetch(`${publicUrl}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(
    (error: unknown) => {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no answer';
      return code;
    },
  );
  if (typeof answer !== 'string' && answer.ok) return { name, state: 'ok', found: `${publicUrl} answers` };
  const why = typeof answer === 'string' ? answer : `status ${answer.status}`;
  return {
    name,
    state: 'broken',
    found: `${publicUrl} cannot be reached from here: ${why}`,
    remedy: 'is serve running? is the proxy?',
  };
}

const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error));
