import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allConnectors } from '../../../../coordinator/ingest/connectors/all-connectors.ts';
import { asReal } from '../../../../coordinator/market/pricing/offers-of-days.ts';
import { recomputeDays } from '../../../../coordinator/market/pricing/recompute-days.ts';
import { freshDatabase } from '../../../support/postgres.ts';
import { sharedPath, withoutShared } from '../../ingest/read-source.ts';
import { marketApp } from '../filled-market.ts';

test('a count of cards is what Postgres gives back of its four bytes', async (t) => {
  const { sql } = await freshDatabase(t);
  const counts = [1, 8, 0.5, 0.1, 0.125, 1 / 3, 2 / 3, 0.2857142857142857, 1.1, 16_777_217, 1e-7, 123_456.789];
  const rows = await sql<{ kept: number }[]>`select count::real as kept from unnest(${counts}::float8[]) as count`;
  assert.deepEqual(
    counts.map(asReal),
    [...rows].map(({ kept }) => kept),
  );
});

/** Of one day and of several, beside each other and alone, in the order of days and not. */
const files = [
  ['observations', 'rental/observatory/multi_provider_observations.2026-10-10.sample.csv', undefined],
  ['aws-pricing-page', 'rental/provider-api-samples/aws.ec2-pricing-page.json', '2026-10-10'],
  ['skypilot', 'rental/skypilot-catalog-v8/aws.vms.sample.csv', '2026-10-10'],
  ['fsdl-cloud', 'rental/fsdl-cloud-gpus/cloud-gpus.2024-05-20.csv', undefined],
] as const;

test('prices of what a reading holds are those of the table, to the last digit', { skip: withoutShared }, async (t) => {
  const market = await marketApp(t);
  const { sql } = market.platform;
  for (const [source, path, asOf] of files) {
    const connector = allConnectors.find(({ name }) => name === source) ?? assert.fail(source);
    const [report] = await market.ingest(connector, sharedPath(path), asOf === undefined ? {} : { asOf });
    assert.ok(report?.kind === 'stored', path);
  }
  const tables = async () => ({
    votes: [
      ...(await sql`select * from provider_price order by day, product_id, price_type, country, provider_id, segment`),
    ],
    prices: [...(await sql`select * from daily_price order by day, product_id, price_type, country`)],
  });
  const held = await tables();
  assert.ok(held.votes.length > 100 && held.prices.length > 100, `${held.votes.length} votes`);
  const days = await sql<{ day: string }[]>`select distinct day::text from daily_price order by day`;
  await sql.begin((tx) =>
    recomputeDays(
      tx,
      days.map(({ day }) => day),
      { reason: 'rules', runId: null, at: market.context.now() },
    ),
  );
  assert.deepEqual(await tables(), held);
});
