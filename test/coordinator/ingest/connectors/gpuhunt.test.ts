import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gpuhunt } from '../../../../coordinator/ingest/connectors/gpuhunt.ts';
import { failure, fixture, near, readAll, sourceOf, today } from '../read-source.ts';

const aws = fixture('gpuhunt.aws.csv');

test('a price is that of the machine, divided by its accelerators; on demand and spot are two rows', async () => {
  const { listings } = await readAll(gpuhunt, sourceOf('catalog.zip/aws.csv', aws));
  assert.deepEqual(
    listings.map(({ label, priceType, price, gpuCount, region, offer, provider }) => [
      provider,
      offer,
      label,
      region,
      priceType,
      gpuCount,
      Math.round(price * 1e6) / 1e6,
    ]),
    [
      ['aws', 'p5.48xlarge', 'H100', 'us-east-1', 0, 8, 6.88],
      ['aws', 'p5.48xlarge', 'H100', 'us-west-2', 0, 8, 6.88],
      ['aws', 'g6e.xlarge', 'L40S', 'eu-central-1', 0, 1, 2.33],
      ['aws', 'p5.48xlarge', 'H100', 'us-east-1', -1, 8, 2.406638],
    ],
  );
  assert.deepEqual(
    listings.map(({ memoryGb, formFactor, observedAt }) => [memoryGb, formFactor, observedAt]),
    [
      [80, 'SXM', today],
      [80, 'SXM', today],
      [48, 'PCIe', today],
      [80, 'SXM', today],
    ],
  );
});

test('rows without accelerators, price or count are refused, and a spot price that is the price on demand', async () => {
  const { refused, lines } = await readAll(gpuhunt, sourceOf('catalog.zip/aws.csv', aws));
  assert.deepEqual(refused, { 'no-accelerator': 1, 'no-price': 1, 'unknown-count': 1, 'capped-spot': 1 });
  assert.equal(lines[0], 'catalog.zip/aws.csv, row 1: a machine without accelerators (m5.large)');
});

test('a TPU slice is as many chips as its name says: cores for v5p, chips for v5e; a generation we cannot count is refused', async () => {
  const { listings, refused } = await readAll(gpuhunt, sourceOf('gcp.csv', fixture('gpuhunt.gcp.csv')));
  assert.deepEqual(
    listings.map(({ label, gpuCount, memoryGb, formFactor }) => [label, gpuCount, memoryGb, formFactor]),
    [
      ['TPU v5e', 8, null, null],
      ['TPU v5p', 4, null, null],
      ['A100', 8, 80, 'SXM'],
    ],
  );
  near(listings[0]?.price, 9.6 / 8);
  near(listings[1]?.price, 16.8 / 4);
  assert.deepEqual(refused, { 'unknown-count': 1 });
});

test('machines that are let in clusters say so, and do not stand beside the single machine of that name', async () => {
  const { listings, refused } = await readAll(gpuhunt, sourceOf('runpod.csv', fixture('gpuhunt.runpod.csv')));
  assert.deepEqual(
    listings.map(({ clusterSize, priceType }) => [clusterSize, priceType]),
    [
      [1, 0],
      [2, 0],
      [1, -1],
    ],
  );
  assert.deepEqual(refused, {});
});

test("Vast's country is taken from the place that gpuhunt writes", async () => {
  const text = `${aws.split('\n')[0]}\n4711,us-texas,2.5,16,64.0,1,RTX4090,24.0,False,,nvidia,,,{}\n`;
  const { listings } = await readAll(gpuhunt, sourceOf('vastai.csv', text));
  assert.deepEqual([listings[0]?.provider, listings[0]?.country], ['vastai', 'US']);
});

test('the provider is named by --provider before the path, and a file that names none is not read', async () => {
  const named = await readAll(gpuhunt, sourceOf('aws.csv', aws, { provider: 'somebody' }));
  assert.ok(named.listings.every(({ provider }) => provider === 'somebody'));
  const url = 'https://dstack-gpu-pricing.s3.eu-west-1.amazonaws.com/v3/azure/latest/catalog.zip/catalog.csv';
  assert.equal((await readAll(gpuhunt, sourceOf(url, aws))).listings[0]?.provider, 'azure');
  assert.equal(
    await failure(gpuhunt, sourceOf('catalog.csv', aws)),
    'catalog.csv: does not say whose prices it holds: name --provider',
  );
});

test('price and count instead of each other are found, as is a negative price in one row', async () => {
  const rows = aws.split('\n');
  const swapped = [
    rows[0]?.replace('price', 'x').replace('gpu_count', 'price').replace('x', 'gpu_count'),
    ...rows.slice(1),
  ];
  assert.match(
    await failure(gpuhunt, sourceOf('aws.csv', swapped.join('\n'))),
    /^aws\.csv: the column gpu_count does not hold counts/,
  );
  const negative = await readAll(gpuhunt, sourceOf('aws.csv', aws.replace(',2.33,', ',-2.33,')));
  assert.ok(negative.lines.includes('aws.csv, row 6: the price is not a number above 0 (price -2.33)'));
});
