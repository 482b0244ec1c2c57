import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type postgres from 'postgres';
import type { Sql } from '../../../coordinator/platform/db/client.ts';
import { parseDatabaseUrl } from '../../../coordinator/platform/db/database-url.ts';
import { makeDataDir, removeDataDir } from '../../support/data-dir.ts';
import { changeDriver, installedDriver, releasedDriver } from '../../support/released-driver.ts';
import type { BenchRow } from '../bench-row.ts';
import { median } from '../../../coordinator/figures/statistics.ts';
import { benchDatabase } from './bench-database.ts';

const ROUNDS = 7;
const SECONDS = 1;
const CONNECTIONS = 4;
/** More than there are connections, so that statements queue behind others on the same connection. */
const AT_A_TIME = 32;
const ROWS = 20;
/** One statement in this many fails after its first rows; zero: none. */
const loads = { clean: 0, 'one in a hundred fails': 100 };

interface Round {
  right: number;
  /** Statements that should have been answered but were not. */
  lost: number;
  wrong: number;
}

/**
 * The two fixes for the stale row counter compared with the driver as released: the patch, and closing a connection
 * after an error in the middle of a result. Reports correct answers per second, and how many other statements failed or
 * returned wrong results.
 */
export async function benchDriver(): Promise<BenchRow[]> {
  const database = await benchDatabase();
  const closers: (() => Promise<void>)[] = [];
  const keep = { after: (done: () => Promise<void>) => void closers.push(done) };
  try {
    const [patched, released, thrown] = [await copied(keep), await releasedDriver(keep), await copied(keep)];
    await changeDriver(thrown, thrownAway);
    const pools = await Promise.all([patched, released, thrown].map((folder) => open(folder, database.url, keep)));
    const rows: BenchRow[] = [];
    for (const [name, failing] of Object.entries(loads)) {
      const rounds: Round[][] = pools.map(() => []);
      for (const sql of pools) await work(sql, failing);
      for (let round = 0; round < ROUNDS; round += 1)
        for (const [at, sql] of pools.entries()) rounds[at]?.push(await work(sql, failing));
      rows.push(...rowsOf(name, rounds));
    }
    return rows;
  } finally {
    for (const close of closers.toReversed()) await close();
    await database.close();
  }
}

async function copied(keep: { after: (done: () => Promise<void>) => void }): Promise<string> {
  const folder = await makeDataDir();
  keep.after(() => removeDataDir(folder));
  await cp(installedDriver, folder, { recursive: true });
  return folder;
}

/**
 * The other fix, on top of the patched driver, which at least does not mix up a lost connection's queries with the next
 * one's.
 */
function thrownAway(text: string): string {
  const at = 'errorResponse = Errors.postgres(parseError(x))\n';
  if (text.split(at).length !== 2) throw new Error('the driver has changed');
  return text.replace(at, `${at}      if (result.length > 0) socket.destroy()\n`);
}

async function open(folder: string, url: string, keep: { after: (done: () => Promise<void>) => void }): Promise<Sql> {
  const { default: driver } = (await import(join(folder, 'src/index.js'))) as { default: typeof postgres };
  const sql = driver({ ...parseDatabaseUrl(url), max: CONNECTIONS }) as Sql;
  keep.after(() => sql.end({ timeout: 5 }));
  return sql;
}

async function work(sql: Sql, failing: number): Promise<Round> {
  const met = { right: 0, lost: 0, wrong: 0 };
  const until = performance.now() + SECONDS * 1000;
  let sent = 0;
  const lane = async () => {
    while (performance.now() < until) {
      sent += 1;
      if (failing > 0 && sent % failing === 0) {
        await sql`select g, 1 / (${ROWS} - g) as part from generate_series(1, 40) g`.catch(() => undefined);
        continue;
      }
      try {
        const rows = await sql`select g, g::text as name, now() as at from generate_series(1, ${ROWS}) g`;
        if (rows.length === ROWS && rows[0]?.['g'] === 1) met.right += 1;
        else met.wrong += 1;
      } catch {
        met.lost += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, lane));
  return met;
}

function rowsOf(load: string, [patched = [], released = [], thrown = []]: Round[][]): BenchRow[] {
  const rate = (rounds: Round[]) => median(rounds.map(({ right }) => right)) / SECONDS;
  const harm = (rounds: Round[]) => {
    const sum = (of: 'lost' | 'wrong') => rounds.reduce((total, round) => total + round[of], 0);
    return `${sum('lost')} lost, ${sum('wrong')} wrong`;
  };
  const row = (peer: string, of: Round[], target: number): BenchRow => ({
    name: `patched driver beside ${peer}, ${load}`,
    ours: rate(patched),
    peer: rate(of),
    ratio: rate(patched) / rate(of),
    unit: 'right answers/s',
    target: { atLeast: target },
    note: `patched ${harm(patched)}; ${peer} ${harm(of)}; ${AT_A_TIME} at a time on ${CONNECTIONS} connections, ${ROUNDS} x ${SECONDS} s`,
  });
  return [row('released', released, 0.95), row('thrown away', thrown, 0.95)];
}
