import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ebaySold } from '../../../../coordinator/ingest/connectors/ebay-sold.ts';
import { csvRows, failure, fixture, readAll, readShared, sharedPath, sourceOf, withoutShared } from '../read-source.ts';

const fixed = fixture('ebay-sold.csv');

test('a used card at "$2,918" in a month, which stands for its first day; a dash is not a price', async () => {
  const { listings, lines } = await readAll(ebaySold, sourceOf('e.csv', fixed));
  assert.deepEqual(
    listings.map(({ label, price, priceType, observedAt, offer, provider }) => [
      label,
      price,
      priceType,
      observedAt.toISOString(),
      offer,
      provider,
    ]),
    [
      ['GeForce RTX 3090', 2918, 102, '2021-12-01T00:00:00.000Z', 'mean of 1295 sold', 'eBay'],
      ['GeForce RTX 3060 Ti', 923, 102, '2022-01-01T00:00:00.000Z', 'mean of 2380 sold', 'eBay'],
    ],
  );
  assert.deepEqual(lines, ['e.csv, row 3: no price in it (Intel Arc A770 8GB)']);
});

test('the sample of 59 rows, one without a price', { skip: withoutShared }, async () => {
  const path = 'retail/ebay-used/gpu_time_series.sample.csv';
  const { listings, refused } = await readShared(ebaySold, path);
  const rows = csvRows(readFileSync(sharedPath(path), 'utf8'));
  const priced = rows.filter((row) => row['eBay Price'] !== '—');
  assert.deepEqual([rows.length, refused], [59, { 'no-price': rows.length - priced.length }]);
  assert.deepEqual(
    listings.map(({ label, price, observedAt }) => [label, price, observedAt.getTime()]),
    priced.map((row) => [
      row['GPU'],
      Number(row['eBay Price']?.replaceAll(/[$,]/g, '')),
      Date.parse(`1 ${row['Month']} UTC`),
    ]),
  );
});

test('swapped columns are found; a negative price and an invalid month are refused with the row', async () => {
  const swapped = fixed.replace('GPU,eBay Price', 'eBay Price,GPU');
  assert.match(
    await failure(ebaySold, sourceOf('e.csv', swapped)),
    /^e\.csv: the column eBay Price does not hold numbers/,
  );
  const { lines } = await readAll(
    ebaySold,
    sourceOf('e.csv', fixed.replace('$923', '-$923').replace('December 2021', 'Q4 2021')),
  );
  assert.deepEqual(lines.slice(0, 2), [
    'e.csv, row 1: the date is missing or in the future (date Q4 2021)',
    'e.csv, row 2: the price is not a number above 0 (price -$923)',
  ]);
});
