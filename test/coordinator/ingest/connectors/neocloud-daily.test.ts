import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { neocloudDaily } from '../../../../coordinator/ingest/connectors/neocloud-daily.ts';
import { csvRows, failure, fixture, readAll, readShared, sharedPath, sourceOf, withoutShared } from '../read-source.ts';

const fixed = fixture('neocloud-daily.csv');

test('a row is the price of one GPU on its day; terms that are none of ours and empty prices are refused', async () => {
  const { listings, lines } = await readAll(neocloudDaily, sourceOf('n.csv', fixed));
  assert.deepEqual(
    listings.map(({ provider, label, priceType, price, observedAt }) => [
      provider,
      label,
      priceType,
      price,
      observedAt.toISOString(),
    ]),
    [
      ['Crusoe', 'A100 PCIe 40GB', 0, 1.45, '2026-05-08T00:00:00.000Z'],
      ['Crusoe', 'MI300X', -1, 0.95, '2026-05-08T00:00:00.000Z'],
    ],
  );
  assert.deepEqual(lines, [
    'n.csv, row 3: sold on terms other than the price types (reserved)',
    'n.csv, row 4: no price in it (GH200)',
  ]);
});

test('the whole file: 6,284 rows of 103 days, none refused', { skip: withoutShared }, async () => {
  const path = 'rental/neocloud-daily/neocloud_daily_median.csv';
  const { listings, refused } = await readShared(neocloudDaily, path);
  const rows = csvRows(readFileSync(sharedPath(path), 'utf8'));
  assert.deepEqual(refused, {});
  assert.deepEqual(
    listings.map(({ observedAt, provider, label, priceType, price }) => [
      observedAt.toISOString().slice(0, 10),
      provider,
      label,
      priceType,
      price,
    ]),
    rows.map((row) => [
      row['date'],
      row['provider'],
      row['gpu_model'],
      row['rental_type'] === 'spot' ? -1 : 0,
      Number(row['price_per_gpu_hour_usd']),
    ]),
  );
  assert.deepEqual([rows.length, new Set(rows.map((row) => row['date'])).size], [6284, 103]);
});

test('a row is not refused for being later than the day in the name of the file', async () => {
  const { listings } = await readAll(
    neocloudDaily,
    sourceOf('n.2026-05-01.csv', fixed, { asOf: new Date('2026-05-01') }),
  );
  assert.equal(listings.length, 2);
});

test('columns swapped in the header are found; a negative price and a day that no calendar has are refused with the row', async () => {
  const swapped = fixed.replace('date,provider', 'provider,date');
  assert.match(
    await failure(neocloudDaily, sourceOf('n.csv', swapped)),
    /^n\.csv: the column date does not hold dates \(such as "Lambda"\): are columns swapped\?$/,
  );
  const bad = fixed.replace('1.45', '-1.45').replace('2026-05-08,Crusoe,MI300X', '2026-02-30,Crusoe,MI300X');
  const { lines } = await readAll(neocloudDaily, sourceOf('n.csv', bad));
  assert.deepEqual(lines.slice(0, 2), [
    'n.csv, row 1: the price is not a number above 0 (price -1.45)',
    'n.csv, row 2: the date is missing or in the future (date 2026-02-30)',
  ]);
});
