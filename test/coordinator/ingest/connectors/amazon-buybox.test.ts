import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { amazonBuybox } from '../../../../coordinator/ingest/connectors/amazon-buybox.ts';
import { csvRows, failure, fixture, readAll, readShared, sharedPath, sourceOf, withoutShared } from '../read-source.ts';

test('the table: several prices on a day, times in UTC, file names as labels, PCle read as PCIe', async () => {
  const { listings, lines } = await readAll(amazonBuybox, sourceOf('p.csv', fixture('amazon-buybox.csv')));
  assert.deepEqual(
    listings.map(({ label, formFactor, price, priceType, observedAt, country }) => [
      label,
      formFactor,
      price,
      priceType,
      observedAt.toISOString(),
      country,
    ]),
    [
      ['NVIDIA A100 40GB PCle', 'PCIe', 8079.99, 100, '2024-03-11T01:28:00.000Z', 'US'],
      ['NVIDIA A100 40GB PCle', 'PCIe', 7995.99, 100, '2024-03-11T17:52:00.000Z', 'US'],
    ],
  );
  assert.deepEqual(lines, ['p.csv, row 3: no price in it (NVIDIA H100 SXM5 80 GB)']);
});

test('the file of one GPU is the same in JSON', async () => {
  const { listings, lines } = await readAll(amazonBuybox, sourceOf('p.json', fixture('amazon-buybox.json')));
  assert.deepEqual(
    listings.map(({ label, price }) => [label, price]),
    [
      ['NVIDIA GeForce RTX 5090', 7499.99],
      ['NVIDIA GeForce RTX 5090', 5899.99],
    ],
  );
  assert.deepEqual(lines, ['p.json, row 3: no price in it (NVIDIA GeForce RTX 5090)']);
});

test('the whole table: 12,469 prices of 33 GPUs, none refused', { skip: withoutShared }, async () => {
  const path = 'retail/amazon-buybox/price_history.csv.gz';
  const { listings, refused } = await readShared(amazonBuybox, path);
  const rows = csvRows(gunzipSync(readFileSync(sharedPath(path))).toString());
  assert.deepEqual(refused, {});
  assert.deepEqual(
    listings.map(({ label, price, observedAt }) => [label, price, observedAt.toISOString().slice(0, 19)]),
    rows.map((row) => [row['gpu_file']?.replaceAll('_', ' '), Number(row['price_usd']), row['datetime']]),
  );
  assert.deepEqual([rows.length, new Set(rows.map((row) => row['gpu_file'])).size], [12_469, 33]);
});

for (const gpu of ['NVIDIA_GeForce_RTX_4090', 'NVIDIA_GeForce_RTX_5090']) {
  test(`${gpu}.json: every price of the file`, { skip: withoutShared }, async () => {
    const path = `retail/amazon-buybox/${gpu}.json`;
    const { listings, refused } = await readShared(amazonBuybox, path);
    const { prices } = JSON.parse(readFileSync(sharedPath(path), 'utf8')) as { prices: Record<string, number> };
    assert.deepEqual([listings.map(({ price }) => price), refused], [Object.values(prices), {}]);
  });
}

test('swapped columns are found; a negative price and a bad time are refused with the row', async () => {
  const table = fixture('amazon-buybox.csv');
  assert.match(
    await failure(amazonBuybox, sourceOf('p.csv', table.replace('gpu_file,datetime', 'datetime,gpu_file'))),
    /^p\.csv: the column datetime does not hold dates/,
  );
  const bad = table.replace('8079.99', '-8079.99').replace('2024-03-11T17:52:00', '2024-03-11T17:82:00');
  const { lines } = await readAll(amazonBuybox, sourceOf('p.csv', bad));
  assert.deepEqual(lines.slice(0, 2), [
    'p.csv, row 1: the price is not a number above 0 (price -8079.99)',
    'p.csv, row 2: the date is missing or in the future (date 2024-03-11T17:82:00)',
  ]);
});
