import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { neocloudDaily } from '../../../coordinator/ingest/connectors/neocloud-daily.ts';
import { buildArchives } from '../../../coordinator/market/archive/archives.ts';
import { periodOf } from '../../../coordinator/platform/archive/periods.ts';
import { selectFingerprint } from '../../../coordinator/market/archive/queries.ts';
import { marketApp, type MarketApp } from './filled-market.ts';

const fixture = fileURLToPath(new URL('../ingest/fixtures/neocloud-daily.csv', import.meta.url));

async function build(market: MarketApp): Promise<Record<string, number>> {
  const counts: Record<string, number> = { built: 0, known: 0 };
  for await (const { outcome } of buildArchives(market.context, { from: '2026-05-01', to: '2026-05-31' }))
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** The file behind an entry of the list: fetched by its signed URL, without a credential. */
async function download(market: MarketApp, tier: number, interval: string): Promise<string[]> {
  const { results } = (await market.post('/api/data-hub/gpu/archive/list', {
    filter: [{ tier }, { interval }, { type: 'rental' }],
  })) as {
    results: { id: string; period: string; csv_s3_path: string }[];
  };
  assert.equal(results.length, 1);
  const { csv_download_url } = await market.post('/api/data-hub/gpu/archive/download', { id: results[0]?.id });
  const { pathname, search } = new URL(String(csv_download_url));
  const answer = await market.app.request(`${pathname}${search}`);
  assert.equal(answer.status, 200);
  return (await answer.text()).trimEnd().split('\n');
}

test('before the announced day the files have the columns of before, from that day on all periods have the new ones', async (t) => {
  const market = await marketApp(t, { now: new Date('2026-09-19T20:00:00Z') });
  await market.ingest(neocloudDaily, fixture);
  assert.deepEqual(await build(market), { built: 8, known: 0 });
  assert.deepEqual(await build(market), { built: 0, known: 8 });
  const tier3 =
    'date,product_id,chip,name,manufacturer,provider,provider_source_type,country,region,instance,num_gpus,price_type,price_type_description,price';
  const [head, ...rows] = await download(market, 3, 'day');
  assert.equal(head, tier3);
  assert.deepEqual(rows, [
    '2026-05-08,1021,A100,NVIDIA A100 PCIe 40GB,NVIDIA,Crusoe,Neocloud,unknown,,,1,0,Rental On-Demand,1.450000',
    '2026-05-08,2009,MI300X,AMD Instinct MI300X 192GB,AMD,Crusoe,Neocloud,unknown,,,1,-1,Rental Spot,0.950000',
  ]);
  const [country] = await download(market, 2, 'month');
  assert.equal(country, 'month,product_id,chip,name,manufacturer,country,price_type,price_type_description,price');

  market.clock.advance({ hours: 5 });
  assert.deepEqual(await build(market), { built: 8, known: 0 });
  const [restated, first] = await download(market, 3, 'day');
  assert.equal(restated, `${tier3},product_slug,vendor,accelerator_type,cluster_size`);
  assert.match(first ?? '', /,nvidia-a100-pcie-40gb,NVIDIA,gpu,1$/);
  assert.deepEqual(await download(market, 2, 'month'), [
    'month,product_slug,name,manufacturer,country,type,type_description,price,provider_source_type',
    '2026-05,amd-instinct-mi300x-192gb,AMD Instinct MI300X 192GB,AMD,unknown,-1,Rental Spot,0.950000,Average',
    '2026-05,amd-instinct-mi300x-192gb,AMD Instinct MI300X 192GB,AMD,unknown,-1,Rental Spot,0.950000,Neocloud',
    '2026-05,nvidia-a100-pcie-40gb,NVIDIA A100 PCIe 40GB,NVIDIA,unknown,0,Rental On-Demand,1.450000,Average',
    '2026-05,nvidia-a100-pcie-40gb,NVIDIA A100 PCIe 40GB,NVIDIA,unknown,0,Rental On-Demand,1.450000,Neocloud',
  ]);
});

test('what a build replaces opens for as long as links to it last, and is gone after the next build', async (t) => {
  const market = await marketApp(t, { now: new Date('2026-09-19T20:00:00Z') });
  await market.ingest(neocloudDaily, fixture);
  await build(market);
  const { results } = (await market.post('/api/data-hub/gpu/archive/list', {})) as { results: { id: string }[] };
  const { csv_download_url } = await market.post('/api/data-hub/gpu/archive/download', { id: results[0]?.id });
  const { pathname, search } = new URL(String(csv_download_url));
  const status = async (): Promise<number> => (await market.app.request(`${pathname}${search}`)).status;
  const key = pathname.replace('/artifacts/', '');
  const isThere = async (): Promise<boolean> => (await market.platform.artifacts.open(key)) !== null;

  market.clock.advance({ seconds: 3000 });
  await market.platform.sql`update product set name = name || ' (new)'`;
  assert.deepEqual(await build(market), { built: 8, known: 0 });
  assert.equal(await status(), 200);
  market.clock.advance({ seconds: 7200 });
  assert.deepEqual(await build(market), { built: 0, known: 8 });
  assert.equal(await isThere(), true, 'not before twice the time that a link lasts has passed');
  market.clock.advance({ seconds: 1 });
  await build(market);
  assert.equal(await isThere(), false);
  const [left] = await market.platform.sql`select count(*)::int4 as n from replaced_archive`;
  assert.equal(left?.['n'], 0);
});

test('texts of a hostile source begin no formula and break no line in a file, and numbers below 0 stay numbers', async (t) => {
  const market = await marketApp(t, { now: new Date('2026-09-21T20:00:00Z') });
  await market.ingest(neocloudDaily, fixture);
  const { sql } = market.platform;
  await sql`update product set name = '@SUM(A1:A9)', chip = E'A100\n2026-05-08,1021'`;
  await sql`update provider set name = '=cmd|'' /C calc''!A0'`;
  await sql`update observation set region = E'\t=1+1', offer = 'x; -2+3', country = 'CH'`;
  assert.deepEqual(await build(market), { built: 8, known: 0 });
  const [, first, second, ...further] = await download(market, 3, 'day');
  assert.deepEqual(further, []);
  assert.equal(
    first,
    `2026-05-08,1021,"A100 2026-05-08,1021",'@SUM(A1:A9),NVIDIA,'=cmd|' /C calc'!A0,Neocloud,CH,' =1+1,x;' -2+3,1,0,Rental On-Demand,1.450000,nvidia-a100-pcie-40gb,NVIDIA,gpu,1`,
  );
  assert.match(second ?? '', /,-1,Rental Spot,/);
  for (const line of (await download(market, 2, 'year')).slice(1)) assert.match(line, /^2026,[a-z0-9-]+,'@SUM/);
});

test('files that were built before text was made harmless are built again', async (t) => {
  const market = await marketApp(t, { now: new Date('2026-09-19T20:00:00Z') });
  await market.ingest(neocloudDaily, fixture);
  await build(market);
  const { sql } = market.platform;
  const day = periodOf('day', '2026-05-08');
  const rowsOf = await selectFingerprint(sql, { tier: 3, type: 'rental', period: day, version: 'first' });
  const earlier = createHash('sha256').update(`first ${rowsOf}`).digest();
  const earlierFile = sql`update archive_file set fingerprint = ${earlier} where tier = 3 and interval = 'day'`;
  assert.equal((await earlierFile).count, 1);
  assert.deepEqual(await build(market), { built: 1, known: 7 });
});

test('periods end with their last day, also in February of a leap year and at the end of a year', () => {
  assert.deepEqual(periodOf('month', '2024-02-10'), {
    interval: 'month',
    name: '2024-02',
    firstDay: '2024-02-01',
    lastDay: '2024-02-29',
  });
  assert.deepEqual(periodOf('quarter', '2026-12-31'), {
    interval: 'quarter',
    name: '2026-Q4',
    firstDay: '2026-10-01',
    lastDay: '2026-12-31',
  });
  assert.deepEqual(periodOf('year', '2026-05-08'), {
    interval: 'year',
    name: '2026',
    firstDay: '2026-01-01',
    lastDay: '2026-12-31',
  });
});
