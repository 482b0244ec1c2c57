import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inverse } from 'ml-matrix';
import { fillMarket } from '../../../coordinator/commands/open-platform.ts';
import type { Sql } from '../../../coordinator/platform/db/client.ts';
import { designOf } from '../../../coordinator/prediction/model/design.ts';
import { fit, priors } from '../../../coordinator/prediction/model/fit.ts';
import { selectMonthlyVotes } from '../../../coordinator/prediction/queries.ts';
import { daysBefore } from '../../../coordinator/prediction/train.ts';
import { makeDataDir, removeDataDir } from '../../support/data-dir.ts';
import { seedVotes } from '../../support/seed-votes.ts';
import type { BenchRow } from '../bench-row.ts';
import { seedContext } from '../coordinator/seed.ts';
import { syntheticVotes, type Product } from './synthetic-votes.ts';

const AS_OF = '2026-10-31';
const PRODUCTS = 57;
/**
 * Wide enough that all intervals contain every coefficient in 99 of 100 draws: 1 - 0.01 / (2 x 170) of a normal
 * distribution.
 */
const DEVIATIONS = 4.02;
/** What the background step may use on a machine that answers requests: a tenth of its deadline, half of its heap. */
const [MOST_SECONDS, MOST_MIB] = [60, 1024];

/** A model of a million votes in the database: its cost, and whether it recovers the coefficients behind them. */
export async function benchTraining({ sql, url }: { sql: Sql; url: string }): Promise<BenchRow[]> {
  const context = { ...seedContext(sql), now: () => new Date('2026-11-01T08:00:00Z') };
  await fillMarket(context);
  const products = await sql<Product[]>`select slug, chip from product order by product_id limit ${PRODUCTS}`;
  const { votes, truth } = syntheticVotes(products, { asOf: AS_OF, seed: 20 });
  const count = votes.length;
  await seedVotes(sql, votes);
  votes.length = 0;
  await sql`analyze provider_price`;
  const { seconds, mebibytes, said } = await timedCommand(url);
  const monthly = await selectMonthlyVotes(sql, { first: daysBefore(AS_OF, 364), last: AS_OF, limit: 500_000 });
  const design = designOf(monthly, AS_OF);
  const fitted = fit(design);
  const covariance = inverse(fitted.normal);
  const scores = design.columns.map((name, at) => {
    const deviation = priors.noise * Math.sqrt(covariance.get(at, at));
    return ((fitted.coefficients[at] ?? Number.NaN) - (truth.get(name) ?? Number.NaN)) / deviation;
  });
  const within = scores.filter((score) => Math.abs(score) <= DEVIATIONS).length;
  const spread = Math.sqrt(scores.reduce((sum, score) => sum + score * score, 0) / scores.length);
  const what = `${count} daily votes, ${monthly.length} by month, ${design.columns.length} coefficients; the whole command`;
  return [
    {
      name: 'coefficients recovered',
      ours: within,
      peer: scores.length,
      unit: '',
      ratio: within / scores.length,
      target: { atLeast: 1 },
      note: `those drawn, within ${DEVIATIONS} of their own deviations; root mean square of all ${spread.toFixed(2)}, furthest ${Math.max(...scores.map(Math.abs)).toFixed(2)}`,
    },
    {
      name: 'training, time',
      ours: seconds,
      peer: MOST_SECONDS,
      unit: 's',
      ratio: seconds / MOST_SECONDS,
      target: { atMost: 1 },
      note: what,
    },
    {
      name: 'training, memory',
      ours: mebibytes,
      peer: MOST_MIB,
      unit: 'MiB',
      ratio: mebibytes / MOST_MIB,
      target: { atMost: 1 },
      note: `resident at most; it said: ${said}`,
    },
  ];
}

const main = join(import.meta.dirname, '../../../coordinator/main.ts');

/** `prediction train` as an operator runs it: seconds from start to end, and peak memory. */
async function timedCommand(url: string): Promise<{ seconds: number; mebibytes: number; said: string }> {
  const dataDir = await makeDataDir(tmpdir());
  const began = performance.now();
  const running = promisify(execFile)(process.execPath, [main, 'prediction', 'train'], {
    env: { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir },
  });
  let most = 0;
  const look = (): void => {
    try {
      const status = readFileSync(`/proc/${running.child.pid}/status`, 'utf8');
      most = Math.max(most, Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0));
    } catch {
      // The process has ended.
    }
  };
  const watch = setInterval(look, 50);
  try {
    const { stdout } = await running;
    const seconds = (performance.now() - began) / 1000;
    return { seconds, mebibytes: most / 1024, said: stdout.trim().split('\n').at(-2) ?? '' };
  } finally {
    clearInterval(watch);
    await removeDataDir(dataDir);
  }
}
