import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { neocloudDaily } from '../../../coordinator/ingest/connectors/neocloud-daily.ts';
import type { NamedIndexDay } from '../../../coordinator/market/explain-price.ts';
import { gpuIndex } from '../../../coordinator/market/gpu-index.ts';
import { hotMarket } from '../../../coordinator/market/hot-market.ts';
import { csvRows, sharedPath, withoutShared } from '../ingest/read-source.ts';
import { marketApp } from './filled-market.ts';
import { DAY, judge, marketplaces, type Vote } from './recomputed-votes.ts';

/*
 * The publisher's 103 days, recomputed from its rows by the rules as the README of the market states them, with nothing of the
 * product: one price per provider and day, so that a vote is that price.
 */
const file = 'rental/neocloud-daily/neocloud_daily_median.csv';
const models = {
  'nvidia-h100-sxm-80gb': ['H100 SXM', 0.4, 25],
  'nvidia-h200-sxm-141gb': ['H200', 0.5, 30],
  'nvidia-b200-192gb': ['B200', 0.8, 40],
  'nvidia-l40s-48gb': ['L40S', 0.1, 8],
} as const;

/** The chain: quotes of neoclouds hold for 7 days, of marketplaces for one; three on both sides, else the next day that has them. */
function chain(days: Map<string, Vote[]>, last: string, version: 'neo' | 'all'): Map<string, number> {
  const index = new Map<string, number>();
  const standing = new Map<string, { price: number; day: string }>();
  let link: { day: string; value: number; prices: Map<string, number> } | null = null;
  const [first = ''] = days.keys();
  for (let day = first; day <= last; day = new Date(Date.parse(day) + DAY).toISOString().slice(0, 10)) {
    for (const { provider, price, why } of days.get(day) ?? [])
      if (why === null && (version === 'all' || !marketplaces.has(provider))) standing.set(provider, { price, day });
    for (const [provider, quote] of standing)
      if (Date.parse(day) - Date.parse(quote.day) >= (marketplaces.has(provider) ? 1 : 7) * DAY)
        standing.delete(provider);
    const both: string[] = [...standing.keys()].filter((provider) => link?.prices.has(provider));
    let value: number | null = null;
    if (link !== null && both.length >= 3) {
      let product = 1;
      for (const provider of both) product *= (standing.get(provider)?.price ?? 0) / (link.prices.get(provider) ?? 1);
      value = link.value * product ** (1 / both.length);
    } else if (standing.size >= 3 && (link === null || Date.parse(day) - Date.parse(link.day) > 30 * DAY)) {
      let product = 1;
      for (const { price } of standing.values()) product *= price;
      value = product ** (1 / standing.size);
    }
    if (value === null) continue;
    index.set(day, value);
    link = { day, value, prices: new Map([...standing].map(([provider, { price }]) => [provider, price])) };
  }
  return index;
}

describe('prices and indices of the real file, recomputed', { skip: withoutShared }, async () => {
  const market = await marketApp({ after }, { now: new Date('2026-08-24T12:00:00Z') });
  await market.ingest(neocloudDaily, sharedPath(file));
  const rows = csvRows(readFileSync(sharedPath(file), 'utf8')).filter((row) => row['rental_type'] === 'on_demand');
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.abs(b);

  let compared = 0;

  for (const [slug, [model, low, high]] of Object.entries(models)) {
    const days = judge(
      rows
        .filter((row) => row['gpu_model'] === model)
        .map((row) => ({
          day: row['date'] ?? '',
          provider: (row['provider'] ?? '').replace('RunPod', 'Runpod'),
          price: Number(row['price_per_gpu_hour_usd']),
        })),
      low,
      high,
    );

    test(`${model}: the price of every day, and what explain shows sums to it`, async (t) => {
      const prices = await market.platform.sql<{ day: string; price: number; provider_count: number }[]>`
        select day::text, price, provider_count from daily_price
        where product_id = ${await market.productId(slug)} and price_type = 0 and country = '' order by day`;
      assert.ok(prices.length >= 100, String(prices.length));
      for (const { day, price, provider_count } of prices) {
        const counted = (days.get(day) ?? []).filter(({ why }) => why === null).map((vote) => vote.price);
        assert.equal(provider_count, counted.length, day);
        assert.ok(near(price, counted.reduce((a, b) => a + b, 0) / counted.length), `${day}: ${price}`);
      }
      for (const { day, price } of prices.filter((_, at) => at % 10 === 0)) {
        const { votes } = await market.explain(slug, day);
        const shown = votes.filter((vote) => vote.country === '' && vote.price_type === 0);
        assert.deepEqual(
          shown.map((vote) => `${vote.provider} ${vote.price} ${vote.screened_by} ${vote.own_days}`).toSorted(),
          (days.get(day) ?? [])
            .map((vote) => `${vote.provider} ${vote.price} ${vote.why} ${vote.levelDays}`)
            .toSorted(),
        );
        const counted = shown.filter(({ screened_by }) => screened_by === null).map((vote) => vote.price);
        assert.ok(near(price, counted.reduce((a, b) => a + b, 0) / counted.length), day);
      }
      t.diagnostic(`${prices.length} days`);
    });

    test(`${model}: what every vote was held against, and of how many votes that is the median`, async (t) => {
      const stored = await market.platform.sql<
        { day: string; provider: string; own_level: number | null; own_days: number | null }[]
      >`
        select v.day::text, p.name as provider, v.own_level, v.own_days from provider_price v join provider p using (provider_id)
        where v.product_id = ${await market.productId(slug)} and v.price_type = 0 and v.country = '' order by v.day, p.name`;
      const expected = new Map(
        [...days].flatMap(([day, votes]) => votes.map((vote) => [`${day} ${vote.provider}`, vote] as const)),
      );
      assert.equal(stored.length, expected.size);
      for (const { day, provider, own_level, own_days } of stored) {
        const { level, levelDays } = expected.get(`${day} ${provider}`) ?? assert.fail(`${day} ${provider}`);
        assert.equal(own_days, levelDays, `${day} ${provider}`);
        assert.ok(
          level === null ? own_level === null : near(own_level ?? 0, level),
          `${day} ${provider}: ${own_level}`,
        );
      }
      t.diagnostic(`${stored.length} votes, of up to ${Math.max(...stored.map(({ own_days }) => own_days ?? 0))} days`);
    });

    for (const [version, sellers] of [
      ['neo', 'Neocloud'],
      ['all', null],
    ] as const)
      test(`${model}, ${version}: the index of every day, and explain multiplies to it`, async (t) => {
        const range = {
          gpu: slug,
          index_version: version,
          starting_date: '2026-05-08',
          ending_date: '2026-08-24',
        } as const;
        const expected = chain(days, range.ending_date, version);
        const hot = await hotMarket(market.platform)();
        const { indexes } = await gpuIndex(market.context, hot, range);
        const exact = await hot.indexOf({ productId: await market.productId(slug), sellers });
        assert.deepEqual([...exact.keys()], [...expected.keys()]);
        for (const [day, value] of Object.entries(indexes)) {
          const by = expected.get(day);
          assert.equal(value, by === undefined ? '-1' : by.toFixed(4), day);
          if (by !== undefined) assert.ok(near(exact.get(day)?.value ?? 0, by), day);
        }
        for (const day of [...expected.keys()].filter((_, at) => at % 10 === 0)) {
          const { index } = await market.explain(slug, day);
          const explained = index.find((one) => one.version === version) ?? assert.fail(day);
          assert.ok(near(multiplied(explained), expected.get(day) ?? 0), day);
          assert.ok(explained.contributions.every(({ weight }) => weight <= 0.35));
        }
        compared += expected.size;
        t.diagnostic(`${expected.size} of ${Object.keys(indexes).length} days`);
      });
  }

  test('over 400 values of indices were compared', () => assert.ok(compared > 400, String(compared)));
});

/** What a reader makes of the explanation with a pocket calculator. */
function multiplied({ linkedTo, contributions }: NamedIndexDay): number {
  let value = linkedTo?.value ?? 1;
  for (const { price, priceBefore, weight } of contributions) value *= (price / (priceBefore ?? 1)) ** weight;
  return value;
}
