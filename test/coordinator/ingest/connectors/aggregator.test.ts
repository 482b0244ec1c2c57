import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { aggregator } from '../../../../coordinator/ingest/connectors/aggregator.ts';
import { csvRows, failure, fixture, readAll, readShared, sharedPath, sourceOf, withoutShared } from '../read-source.ts';

const fixed = fixture('aggregator.csv');

test('until 2026-02-18 a price is that of the machine: the 55.04 of AWS for 8 H100 are 6.88 each; a median outside its range is refused', async () => {
  const { listings, lines } = await readAll(aggregator, sourceOf('a.csv', fixed));
  assert.deepEqual(
    listings.map(({ provider, label, formFactor, priceType, price, gpuCount, region, observedAt }) => [
      provider,
      label,
      formFactor,
      priceType,
      price,
      gpuCount,
      region,
      observedAt.toISOString(),
    ]),
    [
      ['aws', 'H100 SXM', 'SXM', 0, 6.88, 8, null, '2026-02-11T21:00:03.287Z'],
      ['gcp', 'H100 SXM', 'SXM', -1, 18.9 / 8, 8, null, '2026-02-11T21:00:03.287Z'],
    ],
  );
  assert.deepEqual(lines, ['a.csv, row 3: the price is not a number above 0 (median 2.65 outside 2.69 to 2.69)']);
});

test('a region is kept as it is named; global and none are not regions', async () => {
  const named = fixed
    .replace('H100_SXM,8,global,on_demand', 'H100_SXM,8,us-east-1,on_demand')
    .replace('8,global,spot', '8,,spot');
  const { listings } = await readAll(aggregator, sourceOf('a.csv', named));
  assert.deepEqual(
    listings.map(({ region }) => region),
    ['us-east-1', null],
  );
});

test('the sample', { skip: withoutShared }, async () => {
  const path = 'rental/observatory/aggregator_observations.2026-02-11.sample.csv';
  const { listings, refused } = await readShared(aggregator, path);
  const rows = csvRows(readFileSync(sharedPath(path), 'utf8'));
  assert.deepEqual(refused, {});
  assert.deepEqual(
    listings.map(({ provider, priceType, price }) => [provider, priceType, price]),
    rows.map((row) => [
      row['provider'],
      row['rental_type'] === 'spot' ? -1 : 0,
      Number(row['price_median_usd']) / Number(row['gpu_count']),
    ]),
  );
  assert.equal(rows.length, 15);
  const h100 = listings
    .filter(({ label, priceType }) => label === 'H100 SXM' && priceType === 0)
    .map(({ price }) => price);
  assert.ok(
    h100.every((price) => price > 1.5 && price < 7.5),
    'by the machine all H100 lie in one range, by the GPU they would not',
  );
});

test('swapped columns are found; a negative price is refused with its row', async () => {
  const swapped = fixed.replace('gpu_model,gpu_count', 'gpu_count,gpu_model');
  assert.match(
    await failure(aggregator, sourceOf('a.csv', swapped)),
    /^a\.csv: the column gpu_count does not hold counts/,
  );
  const { lines } = await readAll(aggregator, sourceOf('a.csv', fixed.replaceAll('55.04', '-55.04')));
  assert.equal(lines[0], 'a.csv, row 1: the price is not a number above 0 (price -55.04)');
});

const later = (day: string): string => fixed.replaceAll('2026-02-11', day);

test('from 2026-02-19 a price is that of one accelerator, or from the day that the operator states', async () => {
  const priced = async (
    content: string,
    unitChangedOn?: string[],
  ): Promise<(string | number | null | undefined)[][]> => {
    const file = { ...sourceOf('a.csv', content), ...(unitChangedOn && { unitChangedOn }) };
    return (await readAll(aggregator, file)).listings.map(({ provider, price, doubt }) => [provider, price, doubt]);
  };
  const [whole, each] = [
    [
      ['aws', 6.88, null],
      ['gcp', 18.9 / 8, null],
    ],
    [
      ['aws', 55.04, null],
      ['gcp', 18.9, null],
    ],
  ];
  assert.deepEqual(await priced(later('2026-02-17')), whole);
  assert.deepEqual(await priced(later('2026-02-19')), each);
  assert.deepEqual(await priced(later('2026-02-19'), ['2026-06-01']), whole);
  assert.deepEqual(await priced(later('2026-06-01'), ['2026-06-01']), each);
});

test('a row whose lowest and highest price differ by its own count is doubted, on any day; by another factor it is not', async () => {
  const head = 'date,provider,gpu_model,gpu_count,rental_type,price_min_usd,price_median_usd,price_max_usd';
  const rows = ['8,on_demand,3,3.5,24', '8,on_demand,3,3.5,12', '4,on_demand,3,3.5,12', '1,on_demand,3,3,3'];
  const content = [head, ...rows.map((row) => `2026-05-01,aws,H100_SXM,${row}`)].join('\n');
  const { listings } = await readAll(aggregator, sourceOf('a.csv', content));
  assert.deepEqual(
    listings.map(({ price, doubt }) => [price, doubt]),
    [
      [3.5, 'unclear-unit'],
      [3.5, null],
      [3.5, 'unclear-unit'],
      [3, null],
    ],
  );
});

test(
  'the day before and the day of the change, of which the first has rows in both units',
  { skip: withoutShared },
  async () => {
    const { listings } = await readShared(aggregator, 'cases/aggregator-per-gpu-since-2026-02-19.csv');
    const ofAws = listings.filter(({ provider, priceType }) => provider === 'aws' && priceType === 0);
    assert.deepEqual(
      ofAws.map(({ observedAt, price, doubt }) => [observedAt.toISOString().slice(0, 10), price, doubt]),
      [
        ['2026-02-11', 6.88, null],
        ['2026-02-18', 6.88, 'unclear-unit'],
        ['2026-02-19', 6.88, null],
      ],
    );
    const ofVast = listings.filter(({ provider }) => provider === 'vast.ai');
    assert.ok(ofVast.length === 9 && ofVast.every(({ price }) => price > 1.9 && price < 3.7));
  },
);
