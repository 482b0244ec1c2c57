import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { fsdlCloud } from '../../../coordinator/ingest/connectors/fsdl.ts';
import { csvRows, sharedPath, withoutShared } from '../ingest/read-source.ts';
import { realFiles } from '../ingest/real-files.ts';
import { marketApp } from './filled-market.ts';
import { judge, middleOf, type Asked } from './recomputed-votes.ts';

/*
 * Tables with many machines of a provider, recomputed from their rows with nothing of the product: a vote is of the smallest
 * machine with whole cards; of named ones the cheapest, of nameless ones the median.
 */
const models = {
  'nvidia-t4-16gb': [/^T4 /, 0.03, 6],
  'nvidia-rtx-a6000-48gb': [/^(?:RTX )?A6000 /, 0.12, 5],
  'nvidia-rtx-a5000-24gb': [/^A5000 /, 0.06, 6],
  'nvidia-rtx-a4000-16gb': [/^A4000 /, 0.06, 2.5],
} as const;

const amount = (cell: string | undefined): number => Number((cell ?? '').replace('$', ''));

/** Votes of a file; the cloud was renamed between its editions. */
function votesOf(day: string, rows: Record<string, string>[]): Asked[] {
  const byCloud = Map.groupBy(rows, (row) => (row['Cloud'] ?? '').replace('RunPod.io', 'RunPod'));
  return [...byCloud].flatMap(([provider, machines]) => {
    const priced = machines.filter((row) => amount(row['On-demand']) > 0 && amount(row['GPUs']) >= 1);
    const fewest = Math.min(...priced.map((row) => amount(row['GPUs'])));
    const smallest = priced.filter((row) => amount(row['GPUs']) === fewest);
    const priceOf = (row: Record<string, string>): number => amount(row['On-demand']) / fewest;
    const named = smallest.filter((row) => row['Name'] !== '').map(priceOf);
    // a row that stands there twice, word for word, is one
    const nameless = new Map(
      smallest.filter((row) => row['Name'] === '').map((row) => [JSON.stringify(row), priceOf(row)]),
    );
    const entry = [...nameless.values(), ...(named.length > 0 ? [Math.min(...named)] : [])];
    return entry.length === 0 ? [] : [{ day, provider, price: middleOf(entry) }];
  });
}

describe('prices of tables with many machines of a provider, recomputed', { skip: withoutShared }, async () => {
  const market = await marketApp({ after }, { now: new Date('2025-03-10T12:00:00Z') });
  const rowsOf = new Map<string, Record<string, string>[]>();
  for (const file of realFiles['fsdl-cloud']) {
    const path = sharedPath(file);
    await market.ingest(fsdlCloud, path, { acceptCoverageDrop: true });
    rowsOf.set(/\d{4}-\d{2}-\d{2}/.exec(file)?.[0] ?? '', csvRows(readFileSync(path, 'utf8')));
  }
  let compared = 0;

  for (const [slug, [label, low, high]] of Object.entries(models))
    test(`${slug}: the price of every day, and explain has the same votes`, async (t) => {
      const asked = [...rowsOf].flatMap(([day, rows]) =>
        votesOf(
          day,
          rows.filter((row) => label.test(row['GPU Type'] ?? '')),
        ),
      );
      const days = judge(asked, low, high);
      const prices = await market.platform.sql<{ day: string; price: number; provider_count: number }[]>`
        select day::text, price, provider_count from daily_price
        where product_id = ${await market.productId(slug)} and price_type = 0 and country = '' order by day`;
      assert.deepEqual(
        prices.map(({ day }) => day),
        [...days.keys()],
      );
      for (const { day, price, provider_count } of prices) {
        const counted = (days.get(day) ?? []).filter(({ why }) => why === null).map((vote) => vote.price);
        const mean = counted.reduce((sum, one) => sum + one, 0) / counted.length;
        assert.equal(provider_count, counted.length, day);
        assert.ok(Math.abs(price - mean) <= 1e-9 * mean, `${day}: ${price}, not ${mean}`);
        const { votes } = await market.explain(slug, day);
        const shown = votes.filter(
          ({ country, price_type, segment }) => country === '' && price_type === 0 && segment === '',
        );
        const sum = shown.filter(({ screened_by }) => screened_by === null).reduce((all, vote) => all + vote.price, 0);
        assert.ok(Math.abs(sum / provider_count - price) <= 1e-9 * price, day);
        assert.deepEqual(
          shown.map((vote) => `${vote.price.toFixed(9)} ${vote.screened_by} ${vote.own_days}`).toSorted(),
          (days.get(day) ?? []).map((vote) => `${vote.price.toFixed(9)} ${vote.why} ${vote.levelDays}`).toSorted(),
          day,
        );
      }
      compared += prices.length;
      t.diagnostic(`${prices.length} days`);
    });

  test('over 40 prices were compared', () => assert.ok(compared > 40, String(compared)));
});
