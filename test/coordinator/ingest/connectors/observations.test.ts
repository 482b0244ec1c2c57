import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { observations } from '../../../../coordinator/ingest/connectors/observations.ts';
import {
  csvRows,
  failure,
  fixture,
  near,
  readAll,
  readShared,
  sharedPath,
  sourceOf,
  withoutShared,
} from '../read-source.ts';

const fixed = fixture('observations.csv');
const head = 'date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour';

test('every column of the format is read', async () => {
  const { listings, refused } = await readAll(observations, sourceOf('o.csv', fixed));
  assert.deepEqual(refused, {});
  const { words, ...said } = listings[1] ?? assert.fail();
  assert.ok(words, 'what rows share is read once');
  assert.deepEqual(said, {
    label: 'H100',
    memoryGb: 80,
    formFactor: 'SXM',
    isByMachine: false,
    provider: 'Nebius',
    region: 'eu-north1',
    country: 'FI',
    priceType: 3,
    price: 2.1,
    currency: 'EUR',
    gpuCount: 8,
    clusterSize: 16,
    offer: null,
    observedAt: new Date('2026-10-10T12:33:53Z'),
  });
});

test('what is left out: form factor of the machine type, USD, one machine, price of the machine by its GPUs', async () => {
  const { listings } = await readAll(observations, sourceOf('o.csv', fixed));
  assert.deepEqual(
    listings.map(({ formFactor, currency, clusterSize, priceType, price }) => [
      formFactor,
      currency,
      clusterSize,
      priceType,
      price,
    ]),
    [
      ['SXM', 'USD', 1, 0, 3.7622],
      ['SXM', 'EUR', 16, 3, 2.1],
      [null, 'USD', 1, 1, 2.95],
      [null, 'USD', 1, 0, 1.5],
    ],
  );
});

test('the time of collection counts on the day that the row is of; else the day does', async () => {
  const { listings } = await readAll(observations, sourceOf('o.csv', fixed));
  assert.deepEqual(
    listings.map(({ observedAt }) => observedAt.toISOString()),
    ['2026-10-10T12:33:53.000Z', '2026-10-10T12:33:53.000Z', '2026-10-10T00:00:00.000Z', '2026-10-10T00:00:00.000Z'],
  );
});

test('all terms that have a price type are understood, in words and in numbers', async () => {
  const words: [string, number][] = [
    ['on_demand', 0],
    ['On-Demand', 0],
    ['spot', -1],
    ['reserved_1m', 1],
    ['reserved_3m', 3],
    ['reserved_6m', 6],
    ['reserved_1y', 12],
    ['2y', 24],
    ['3 years', 36],
    ['-1', -1],
    ['36', 36],
  ];
  const text = [head, ...words.map(([word]) => `2026-10-10,AWS,H100,8,${word},2.5`)].join('\n');
  const { listings } = await readAll(observations, sourceOf('o.csv', text));
  assert.deepEqual(
    listings.map(({ priceType }) => priceType),
    words.map(([, type]) => type),
  );
});

test('bad rows are refused one by one, each with its number and what stood there', async () => {
  const text = [
    head.replace('usd', 'usd_per_hour,usd'),
    '2026-10-10,AWS,H100,8,on_demand,,-2.5',
    '2026-02-30,AWS,H100,8,on_demand,,2.5',
    '2026-10-10,AWS,H100,,on_demand,,2.5',
    '2026-10-10,AWS,H100,8,barter,,2.5',
    '2026-10-10,,H100,8,on_demand,,2.5',
    '2026-10-10,AWS,,8,on_demand,,2.5',
    '2026-10-10,AWS,H100,8,on_demand,,',
    '2026-10-10,AWS,H100,8,on_demand,2.5,2.5',
    '2026-10-10,AWS,H100,8',
    '2026-10-10,AWS,H100,8,on_demand,20,2.5',
  ].join('\n');
  const { lines, listings } = await readAll(observations, sourceOf('o.csv', text));
  assert.deepEqual(lines, [
    'o.csv, row 1: the price is not a number above 0 (price -2.5)',
    'o.csv, row 2: the date is missing or in the future (date 2026-02-30)',
    'o.csv, row 3: does not say how many accelerators the price is for (H100)',
    'o.csv, row 4: sold on terms other than the price types (barter)',
    'o.csv, row 5: does not say who sells it (H100)',
    'o.csv, row 6: a machine without accelerators (no name)',
    'o.csv, row 7: no price in it (H100)',
    'o.csv, row 8: the price is not a number above 0 (2.5 for one of 8 accelerators that cost 2.5)',
    'o.csv, row 9: the row has fewer or more cells than the header (4 cells under 7 columns)',
  ]);
  assert.equal(listings.length, 1);
});

test('a header without one of two prices, or without terms, is refused by what is missing', async () => {
  assert.equal(
    await failure(observations, sourceOf('o.csv', 'date,provider,gpu_model,gpu_count\n')),
    'o.csv: is not of this format: it has no column usd_per_gpu_hour or usd_per_hour, pricing or price_type; its columns are date, provider, gpu_model, gpu_count',
  );
});

test('count and price instead of each other are found', async () => {
  const text = `${head.replace('gpu_count,pricing,usd_per_gpu_hour', 'usd_per_gpu_hour,pricing,gpu_count')}\n2026-10-10,AWS,H100,8,on_demand,2.39\n`;
  assert.match(
    await failure(observations, sourceOf('o.csv', text)),
    /^o\.csv: the column gpu_count does not hold counts \(such as "2\.39"\)/,
  );
});

test('the public sample', { skip: withoutShared }, async () => {
  const path = 'rental/observatory/multi_provider_observations.2026-10-10.sample.csv';
  const { listings, refused } = await readShared(observations, path);
  const rows = csvRows(readFileSync(sharedPath(path), 'utf8'));
  assert.deepEqual(refused, {});
  assert.deepEqual(
    listings.map(({ provider, label, offer, region, gpuCount, price }) => [
      provider,
      label,
      offer,
      region,
      gpuCount,
      price,
    ]),
    rows.map((row) => [
      row['provider'],
      row['gpu_model'],
      row['sku'],
      row['region'],
      Number(row['gpu_count']),
      Number(row['usd_per_gpu_hour']),
    ]),
  );
  for (const [index, row] of rows.entries()) {
    assert.ok(
      Math.abs((listings[index]?.price ?? NaN) - Number(row['usd_per_hour']) / Number(row['gpu_count'])) < 0.0001,
    );
  }
  near(rows.length, 22);
  assert.equal(listings.find(({ offer }) => offer === 'Standard_NC24ads_A100_v4')?.formFactor, 'PCIe');
});
