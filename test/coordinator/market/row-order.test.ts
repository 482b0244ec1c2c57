import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { seededRandom } from '../../../coordinator/network/schedule/seeded-random.ts';
import { marketApp, type MarketApp } from './filled-market.ts';

/** Rows on each of 40 days of two months: half a megabyte a month, more blocks than the index over time takes as one. */
const ON_A_DAY = 150;
const rows = Array.from({ length: 40 }, (_, day) =>
  Array.from(
    { length: ON_A_DAY },
    (__, n) =>
      `${new Date(Date.UTC(2026, 0, 10 + day)).toISOString().slice(0, 10)},Lambda,H100 SXM,8,on_demand,${1 + n / 8},place-${n}`,
  ),
).flat();

async function stored(market: MarketApp, order: readonly string[]): Promise<{ rows: unknown; prices: unknown }> {
  const path = join(market.platform.config.dataDir, 'prices.csv');
  await writeFile(path, `date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour,region\n${order.join('\n')}\n`);
  const [report] = await market.ingest(observations, path);
  assert.ok(report?.kind === 'stored');
  assert.deepEqual([report.run.rowsKept, report.run.days.length], [40 * ON_A_DAY, 40]);
  assert.deepEqual(report.run.days, report.run.days.toSorted());
  const { sql } = market.platform;
  return {
    rows: [...(await sql`select observed_at, price, region from observation order by observed_at, price`)],
    prices: [...(await sql`select * from daily_price order by day, country`)],
  };
}

test('rows in any order give the same observations and prices as day by day', async (t) => {
  const market = await marketApp(t, { now: new Date('2026-03-01T12:00:00Z') });
  const byDay = await stored(market, rows);
  // 1 to 19.625 in steps of an eighth
  assert.deepEqual(
    (byDay.prices as { price: number }[]).map(({ price }) => price),
    Array.from({ length: 80 }, () => (1 + 19.625) / 2),
  );
  assert.deepEqual(await stored(market, rows.toReversed()), byDay);
  assert.deepEqual(await stored(market, seededRandom('any order').shuffled(rows)), byDay);
});

test('the blocks of a day lie together, and the index over time knows them', async (t) => {
  const market = await marketApp(t, { now: new Date('2026-03-01T12:00:00Z') });
  const { sql } = market.platform;
  await stored(market, seededRandom('any order').shuffled(rows));
  const [order] = await sql<{ back: number }[]>`
    select count(*) filter (where observed_at < before)::int4 as back
    from (select observed_at, lag(observed_at) over (partition by tableoid order by ctid) as before from observation)`;
  const [index] = await sql<{ unknown: number }[]>`
    select sum(brin_summarize_new_values(indexrelid))::int4 as unknown
    from pg_index where indrelid = any(array['observation_2026_01', 'observation_2026_02']::regclass[])`;
  // Before the first row that goes back some have come in order: they lie before all others of their month.
  assert.ok((order?.back ?? Infinity) <= 2, `${order?.back} steps back`);
  assert.equal(index?.unknown, 0);
});
