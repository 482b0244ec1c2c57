import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { ingestRates } from '../../../coordinator/ingest/ecb-rates.ts';
import { dayOfMoreFiles, everyMoreFile, moreFiles, realFilesOf, realRates } from '../ingest/real-files.ts';
import { sharedPath, withoutShared } from '../ingest/read-source.ts';
import { marketApp } from './filled-market.ts';

describe('the publishers’ files, one after the other into one database', { skip: withoutShared }, async () => {
  const market = await marketApp({ after });

  test('the bank’s rates: every rate of every day', async () => {
    const place = { place: sharedPath(realRates), allowPrivateAddresses: false };
    for await (const report of ingestRates(market.context, place, () => undefined))
      assert.deepEqual(
        [report.rates, report.firstDay, report.lastDay],
        // One for the euro on each of the days, and one for each other cell with a number, the dollar's not counted.
        [217_555, '1999-01-04', '2026-04-13'],
      );
  });

  test('each is read to its end: what is not kept is refused for a reason or has a label that is listed', async (t) => {
    let kept = 0;
    for (const { connector, path } of [...realFilesOf(() => true), ...everyMoreFile()]) {
      const day = moreFiles.skypilot.includes(path) ? dayOfMoreFiles : '2026-10-10';
      const asOf = /\d{4}-\d{2}-\d{2}/.test(path) ? {} : { asOf: day };
      const [report] = await market.ingest(connector, sharedPath(path), asOf);
      assert.ok(report?.kind === 'stored', path);
      const refused = [...report.tally.refused.values()].reduce((sum, { rows }) => sum + rows, 0);
      const unmatched = report.tally.unmatched.reduce((sum, { rows }) => sum + rows, 0);
      assert.equal(report.run.rowsKept + refused + unmatched, report.tally.rowsRead, path);
      t.diagnostic(
        `${path}: ${report.tally.rowsRead} read, ${report.run.rowsKept} kept, ${refused} refused, ${unmatched} unmatched`,
      );
      kept += report.run.rowsKept - report.run.rowsReplaced;
    }
    const [row] = await market.platform.sql<{ n: string }[]>`select count(*) as n from observation`;
    assert.equal(Number(row?.n), kept);
  });

  test('no provider of the files is unknown', async () => {
    const rows = await market.platform.sql`select label, rows from unmatched_label where kind = 'provider'`;
    assert.deepEqual([...rows], []);
  });

  test('every price says how many providers and observations it stands on, and lies between its votes', async () => {
    const [row] = await market.platform.sql<{ prices: string; wrong: string }[]>`
      select count(*) as prices, count(*) filter (
        where provider_count < 1 or sample_size < provider_count or d.price < v.least - 1e-9 or d.price > v.most + 1e-9
          or v.votes <> provider_count or v.observations <> sample_size
      ) as wrong
      from daily_price d left join lateral (
        select min(price) as least, max(price) as most, count(*) as votes, sum(observations) as observations
        from provider_price p where p.product_id = d.product_id and p.price_type = d.price_type and p.country = d.country
          and p.day = d.day and p.segment = '' and not p.outlier
      ) v on true`;
    assert.ok(Number(row?.prices) > 3000, `${row?.prices} prices`);
    assert.equal(Number(row?.wrong), 0);
  });
});
