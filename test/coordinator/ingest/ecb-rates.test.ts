import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRates } from '../../../coordinator/ingest/ecb-rates.ts';

// Units for one euro, as the bank publishes them; a comma ends each line.
const table = 'Date,USD,JPY,CNY,XAF,\n2026-01-21,1.1700,184.50,8.1500,N/A,\n2026-01-20,1.1650,N/A,8.1200,N/A,\n';

test('rates are USD for one of the currency: the dollar’s over its own, the euro’s the dollar’s', () => {
  const rates = readRates({ name: 'eurofxref-hist.csv' }, table);
  const of = (currency: string, day: string) => rates.find((one) => one.currency === currency && one.day === day)?.usd;
  assert.equal(of('EUR', '2026-01-21'), 1.17);
  assert.ok(Math.abs((of('CNY', '2026-01-21') ?? 0) - 1.17 / 8.15) < 1e-15);
  assert.ok(Math.abs((of('JPY', '2026-01-21') ?? 0) - 1.17 / 184.5) < 1e-15);
  assert.deepEqual(
    [of('JPY', '2026-01-20'), of('XAF', '2026-01-21'), of('USD', '2026-01-21')],
    [undefined, undefined, undefined],
  );
});

test('the daily file writes its date in words', () => {
  const [euro] = readRates({ name: 'eurofxref.csv' }, 'Date, USD, JPY,\n21 January 2026, 1.1700, 184.50,\n');
  assert.deepEqual(euro, { currency: 'EUR', day: '2026-01-21', usd: 1.17 });
});

test('another table is refused with a sentence that names the file', () => {
  assert.throws(
    () => readRates({ name: 'prices.csv' }, 'date,price\n2026-01-21,2\n'),
    /^FormatError: prices\.csv: has no columns Date and USD/,
  );
  assert.throws(
    () => readRates({ name: 'e.csv' }, 'Date,USD\nsome day,2\n'),
    /e\.csv, row 1: "some day" is not a date/,
  );
});
