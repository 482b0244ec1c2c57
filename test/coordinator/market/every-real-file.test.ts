import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { allConnectors } from '../../../coordinator/ingest/connectors/all-connectors.ts';
import { sharedPath, withoutShared } from '../ingest/read-source.ts';
import { marketApp } from './filled-market.ts';

const under = (folder: string, pattern: RegExp): string[] =>
  readdirSync(sharedPath(folder))
    .filter((name) => pattern.test(name))
    .map((name) => `${folder}/${name}`);

/** Which connector reads which of the publishers' files. */
const files = (): [connector: string, path: string][] => [
  ['ec2instances', 'rental/aws-ec2instances/gpu_instances.linux-only.2025-11-30.json.gz'],
  ...under('rental/fsdl-cloud-gpus', /^cloud-gpus/).map((path): [string, string] => ['fsdl-cloud', path]),
  ...under('rental/fsdl-cloud-gpus', /^serverless/).map((path): [string, string] => ['fsdl-serverless', path]),
  ['gpuhunt-tpu', 'rental/gpuhunt/tpu_pricing.json'],
  ['neocloud-daily', 'rental/neocloud-daily/neocloud_daily_median.csv'],
  ['aggregator', 'rental/observatory/aggregator_observations.2026-02-11.sample.csv'],
  ['observations', 'rental/observatory/multi_provider_observations.2026-10-10.sample.csv'],
  ['cheapest-by-provider', 'rental/observatory/cheapest_by_provider.2026-10-01.jsonl'],
  ...under('rental/primeintellect-summary', /\.jsonl\.gz$/).map((path): [string, string] => ['prime-intellect', path]),
  ['aws-pricing-page', 'rental/provider-api-samples/aws.ec2-pricing-page.json'],
  ['azure-retail', 'rental/provider-api-samples/azure.retail-prices-items.json'],
  ['runpod-gpu-types', 'rental/provider-api-samples/runpod.graphql-gpuTypes.json'],
  ['vast-bundles', 'rental/provider-api-samples/vast.search-asks.json'],
  ...under('rental/skypilot-catalog-v8', /\.csv$/).map((path): [string, string] => ['skypilot', path]),
  ...under('retail/pcpartpicker', /\.gz$/).map((path): [string, string] => ['pc-part', path]),
  ['amazon-buybox', 'retail/amazon-buybox/price_history.csv.gz'],
  ['ebay-sold', 'retail/ebay-used/gpu_time_series.sample.csv'],
];

describe('the publishers’ files, one after the other into one database', { skip: withoutShared }, async () => {
  const market = await marketApp({ after });

  test('each is read to its end: what is not kept is refused for a reason or has a label that is listed', async (t) => {
    let kept = 0;
    for (const [name, path] of files()) {
      const connector = allConnectors.find((one) => one.name === name) ?? assert.fail(name);
      const asOf = /\d{4}-\d{2}-\d{2}/.test(path) ? {} : { asOf: '2026-10-10' };
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
