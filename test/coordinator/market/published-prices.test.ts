import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { neocloudDaily } from '../../../coordinator/ingest/connectors/neocloud-daily.ts';
import { csvRows, sharedPath, withoutShared } from '../ingest/read-source.ts';
import { marketApp } from './filled-market.ts';

const file = 'rental/neocloud-daily/neocloud_daily_median.csv';
const day = '2026-08-21';

/** What a day's price must be, straight from the rows: every provider states one price there. */
function fromTheFile(model: string): { mean: number; median: number; providers: number } {
  const prices = csvRows(readFileSync(sharedPath(file), 'utf8'))
    .filter((row) => row['date'] === day && row['gpu_model'] === model && row['rental_type'] === 'on_demand')
    .map((row) => Number(row['price_per_gpu_hour_usd']))
    .toSorted((a, b) => a - b);
  const half = Math.floor(prices.length / 2);
  const upper = prices[half] ?? Number.NaN;
  return {
    mean: prices.reduce((sum, price) => sum + price, 0) / prices.length,
    median: prices.length % 2 === 1 ? upper : (upper + (prices[half - 1] ?? upper)) / 2,
    providers: prices.length,
  };
}

describe('prices of a real day', { skip: withoutShared }, async () => {
  const market = await marketApp({ after });
  const [report] = await market.ingest(neocloudDaily, sharedPath(file));

  test('the whole file is read: each row is kept or its label is listed', () => {
    assert.ok(report?.kind === 'stored');
    const unmatched = report.tally.unmatched.reduce((sum, { rows }) => sum + rows, 0);
    assert.deepEqual([report.tally.rowsRead, report.run.rowsKept + unmatched], [6284, 6284]);
    assert.equal(report.run.days.length, 103);
    // three editions of the RTX PRO 6000 have one name in it
    assert.deepEqual(
      report.tally.unmatched.map(({ label }) => label),
      ['RTX PRO 6000'],
    );
  });

  for (const [model, slug] of [
    ['H100 SXM', 'nvidia-h100-sxm-80gb'],
    ['B200', 'nvidia-b200-192gb'],
  ] as const) {
    test(`${day}, ${model} on demand: the mean of the providers in the file, and their median behind it`, async () => {
      const expected = fromTheFile(model);
      const products = (await market.post('/api/data-hub/gpu/specs-query', { keyword: slug })) as {
        results: { product_id: number }[];
      };
      const product_id = products.results[0]?.product_id;
      const { total, results } = (await market.post('/api/data-hub/gpu/history/price', {
        product_id,
        start_date: day,
        end_date: day,
        price_type: 0,
      })) as { total: number; results: Record<string, unknown>[] };
      assert.equal(total, 1);
      const [record] = results;
      assert.ok(
        Math.abs(Number(record?.['price']) - expected.mean) <= 0.00005,
        `${String(record?.['price'])} is not ${expected.mean}`,
      );
      assert.deepEqual(
        [record?.['country'], record?.['provider_count'], record?.['sample_size'], record?.['price_type_descriptioin']],
        ['ZZ', expected.providers, expected.providers, 'Rental On-Demand'],
      );
      const [row] = await market.platform.sql<{ price: number; price_median: number }[]>`
        select price, price_median from daily_price
        where product_id = ${product_id ?? 0} and price_type = 0 and country = '' and day = ${day}`;
      assert.ok(Math.abs((row?.price ?? 0) - expected.mean) < 1e-9);
      assert.ok(Math.abs((row?.price_median ?? 0) - expected.median) < 1e-9);
    });
  }

  test('the same file again is nothing to do, and with --again changes nothing', async () => {
    const before = await market.platform.sql`select * from daily_price order by product_id, price_type, country, day`;
    assert.equal((await market.ingest(neocloudDaily, sharedPath(file)))[0]?.kind, 'known');
    const [again] = await market.ingest(neocloudDaily, sharedPath(file), { again: true });
    assert.ok(again?.kind === 'stored');
    assert.equal(again.run.rowsReplaced, again.run.rowsKept);
    const after = await market.platform.sql`select * from daily_price order by product_id, price_type, country, day`;
    assert.deepEqual(after, before);
  });
});
