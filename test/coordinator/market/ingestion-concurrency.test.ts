import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { test } from 'node:test';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { neocloudDaily } from '../../../coordinator/ingest/connectors/neocloud-daily.ts';
import type { Connector } from '../../../coordinator/ingest/connector.ts';
import { untilLocked } from '../../support/other-sessions.ts';
import { marketCommands, type MarketCommands } from './market-commands.ts';

const day = '2025-03-10';
const H100 = 1029;

/** Lines `provider model price` of a day, 20 offers each: as our own format, or as the daily medians. */
const own = (date: string, ...lines: string[]): string =>
  [
    'date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour',
    ...lines.flatMap((line) => {
      const [provider, price] = line.split(' ');
      return Array.from({ length: 20 }, () => `${date},${provider},H100 SXM,8,on_demand,${price}`);
    }),
  ].join('\n');
const medians = (date: string, provider: string, price: number): string =>
  `date,provider,gpu_model,rental_type,price_per_gpu_hour_usd\n${date},${provider},H100 SXM,on_demand,${price}\n`;

type Reading = [connector: Connector, name: string, content: string];

async function inTurn(market: MarketCommands, readings: readonly Reading[]): Promise<void> {
  for (const [connector, name, content] of readings)
    await market.ingest(connector, await market.file(name, content), { acceptCoverageDrop: true });
}

/**
 * All of them begun, each as far as it gets, while somebody holds the last row that an ingestion writes: none can end
 * before all wait. Then they are let go.
 */
async function atOnce(
  market: MarketCommands,
  readings: readonly Reading[],
  whileHeld: () => Promise<void> = async () => undefined,
): Promise<void> {
  const { sql } = market.platform;
  const paths = await Promise.all(readings.map(([, name, content]) => market.file(name, content)));
  const held = await sql.reserve();
  await held`begin`;
  await held`select from data_version where area = 'market' for update`;
  const begun = Promise.all(readings.map(([connector], at) => market.ingest(connector, paths[at] ?? '')));
  try {
    await untilLocked(sql, readings.length);
    await whileHeld();
  } finally {
    await held`commit`;
    held.release();
    for (const reports of await begun) assert.equal(reports[0]?.kind, 'stored');
  }
}

/** What follows from the observations; runs and observations themselves have other ids. */
async function pricesOf(market: MarketCommands): Promise<Record<string, string[] | undefined>> {
  const { provider_price, daily_price, latest_price } = await market.state();
  return { provider_price, daily_price, latest_price };
}

test('two files of one source, part and day at once: the day is one of them whole, and its price follows from it', async (t) => {
  const market = await marketCommands(t);
  const { sql } = market.platform;
  await atOnce(market, [
    [observations, 'prices.csv', own(day, 'Lambda 2', 'Crusoe 4')],
    [observations, 'prices.csv', own(day, 'Lambda 3', 'Crusoe 7')],
  ]);
  const rows = await sql<{ price: number; offers: number; run: string }[]>`
    select price, count(*)::int4 as offers, min(run_id)::text as run from observation group by price order by price`;
  const prices = rows.map(({ price }) => price);
  assert.ok([[2, 4].join(), [3, 7].join()].includes(prices.join()), prices.join());
  assert.deepEqual(
    rows.map(({ offers }) => offers),
    [20, 20],
  );
  // The mean of two votes, each the median of 20 equal offers.
  const mean = prices.reduce((sum, price) => sum + price, 0) / 2;
  const daily = await sql`select price, provider_count, sample_size from daily_price where country = ''`;
  assert.deepEqual([...daily], [{ price: mean, provider_count: 2, sample_size: 40 }]);
  const standing = await sql<{ id: string }[]>`select id from ingest_run where replaced_by is null`;
  assert.deepEqual(
    standing.map(({ id }) => id),
    [rows[0]?.run],
  );
});

test('two sources of one day at once give the prices that they give one after the other', async (t) => {
  const [together, apart] = [await marketCommands(t), await marketCommands(t)];
  const readings: Reading[] = [
    [observations, 'prices.csv', own(day, 'Lambda 2')],
    [neocloudDaily, 'medians.csv', medians(day, 'Crusoe', 4)],
  ];
  await atOnce(together, readings);
  await inTurn(apart, readings);
  assert.deepEqual(await pricesOf(together), await pricesOf(apart));
  const [row] = await together.platform.sql`select price, provider_count from daily_price where country = ''`;
  assert.deepEqual(row, { price: (2 + 4) / 2, provider_count: 2 });
});

test('two days of one product at once: the newest price is that of the later day', async (t) => {
  const market = await marketCommands(t);
  await atOnce(market, [
    [observations, 'march.csv', own('2025-03-10', 'Lambda 2')],
    [neocloudDaily, 'june.csv', medians('2025-06-10', 'Crusoe', 4)],
  ]);
  const latest = await market.platform.sql`
    select day, price from latest_price where product_id = ${H100} and country = ''`;
  assert.deepEqual([...latest], [{ day: '2025-06-10', price: 4 }]);
});

test('one that waits for another reading longer than a query may wait for a lock is not given up', async (t) => {
  const market = await marketCommands(t);
  await atOnce(
    market,
    [
      [observations, 'prices.csv', own(day, 'Lambda 2')],
      [observations, 'prices.csv', own(day, 'Lambda 3')],
      [neocloudDaily, 'medians.csv', medians(day, 'Crusoe', 4)],
    ],
    // the pool's lock_timeout is 5 s
    () => wait(5500),
  );
  const [row] = await market.platform.sql<{ n: number }[]>`select count(*)::int4 as n from observation`;
  assert.equal(row?.n, 20 + 1);
});

test('commands at once on days that overlap, of one part and of several, end as one after the other', async (t) => {
  const [together, apart] = [await marketCommands(t), await marketCommands(t)];
  const march = (from: number, price: number): string =>
    [
      'date,provider,gpu_model,rental_type,price_per_gpu_hour_usd',
      ...[0, 1, 2, 3].map((at) => `2025-03-${String(from + at).padStart(2, '0')},Crusoe,H100 SXM,on_demand,${price}`),
    ].join('\n');
  // Of each part one content, so that the order in which they come does not matter.
  const files: [source: string, name: string, content: string][] = [
    ['neocloud-daily', 'a.csv', march(1, 2)],
    ['neocloud-daily', 'b.csv', march(3, 3)],
    ['neocloud-daily', 'a.csv', march(1, 2)],
    ['observations', 'c.csv', own('2025-03-03', 'Lambda 5', 'Nebius 6')],
    ['observations', 'd.csv', own('2025-03-04', 'Lambda 7', 'AWS 9')],
  ];
  const commands = async (market: MarketCommands) =>
    Promise.all(files.map(async ([source, name, content]) => ['ingest', source, await market.file(name, content)]));
  for (const argv of await commands(apart)) assert.equal((await apart.command(...argv)).code, 0);
  const ran = await Promise.all((await commands(together)).map((argv) => together.command(...argv)));
  for (const { code, stderr } of ran) assert.deepEqual([code, stderr], [0, '']);
  assert.equal(ran.filter(({ stdout }) => stdout.includes('read before')).length, 1);
  assert.deepEqual(await pricesOf(together), await pricesOf(apart));
});

test('who reads during an ingestion sees the day as it was or as it is, and never without prices', async (t) => {
  const market = await marketCommands(t);
  await inTurn(market, [[observations, 'prices.csv', own(day, 'Lambda 2', 'Crusoe 4')]]);
  const seen = async (): Promise<number[]> => {
    const asked = { product_id: H100, price_type: 0, start_date: day, end_date: day };
    const { total, results } = (await market.post('/api/data-hub/gpu/history/price', asked)) as {
      total: number;
      results: { price: number; sample_size: number }[];
    };
    const latest = (await market.post('/api/data-hub/gpu/latest/price', {})) as { results: { price: number }[] };
    const [history] = results;
    return [total, history?.price ?? 0, history?.sample_size ?? 0, latest.results[0]?.price ?? 0];
  };
  const [before, now] = [
    [1, 3, 40, 3],
    [1, 5, 60, 5],
  ];
  assert.deepEqual(await seen(), before);
  const readings: Reading[] = [[observations, 'prices.csv', own(day, 'Lambda 3', 'Crusoe 5', 'Nebius 7')]];
  await atOnce(market, readings, async () => {
    market.clock.advance({ seconds: 1 });
    assert.deepEqual(await seen(), before);
  });
  market.clock.advance({ seconds: 1 });
  assert.deepEqual(await seen(), now);

  // And without a pause, over and over, while the day goes back and forth.
  const ended = { yet: false };
  const flood = (async () => {
    while (!ended.yet) {
      market.clock.advance({ seconds: 1 });
      const [total, price, offers, latest] = await seen();
      assert.equal(total, 1);
      assert.ok((price === 3 && offers === 40) || (price === 5 && offers === 60), `${price} of ${offers}`);
      assert.ok(latest === 3 || latest === 5, String(latest));
    }
  })();
  for (let turn = 0; turn < 6; turn += 1) {
    const lines = turn % 2 === 0 ? ['Lambda 2', 'Crusoe 4'] : ['Lambda 3', 'Crusoe 5', 'Nebius 7'];
    await inTurn(market, [[observations, 'prices.csv', own(day, ...lines)]]);
  }
  ended.yet = true;
  await flood;
});

test('a vacuum that holds the month for longer than a lock is waited for stops no ingestion, and the prices are the same', async (t) => {
  const market = await marketCommands(t);
  const { sql } = market.platform;
  await inTurn(market, [[observations, 'first.csv', own(day, 'Lambda 2')]]);
  const held = await sql.reserve();
  await held`begin`;
  // What vacuum takes.
  await held`lock table observation_2025_03 in share update exclusive mode`;
  try {
    const path = await market.file('second.csv', own(day, 'RunPod 3'));
    const [report] = await market.ingest(observations, path);
    assert.equal(report?.kind, 'stored');
  } finally {
    await held`rollback`;
    held.release();
  }
  const [price] = await sql<{ price: number; provider_count: number }[]>`
    select price, provider_count from daily_price where product_id = ${H100} and country = ''`;
  assert.deepEqual({ ...price }, { price: 2.5, provider_count: 2 });
});
