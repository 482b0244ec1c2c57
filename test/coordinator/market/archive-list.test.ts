import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { retailCsv } from '../../../coordinator/ingest/connectors/retail-csv.ts';
import { buildArchives } from '../../../coordinator/market/archive/archives.ts';
import { marketApp } from './filled-market.ts';

const rental = `date,provider,gpu_model,gpu_count,usd_per_gpu_hour,pricing,country,region,sku
2026-07-31,Lambda,H100 SXM,8,2.00,on_demand,US,us-east-1,gpu_8x_h100
2026-08-01,Lambda,H100 SXM,8,3.00,on_demand,US,us-east-1,gpu_8x_h100
2026-08-02,Lambda,H100 SXM,8,4.00,on_demand,US,us-east-1,gpu_8x_h100
2026-08-02,Crusoe,H100 SXM,8,6.00,on_demand,US,us-east-1,h100
2026-08-02,AWS,H100 SXM,8,11.00,on_demand,US,us-east-1,p5.48xlarge
`;
const retail = `date,product,condition,price,currency,seller,country,url
2026-08-02,NVIDIA H100 PCIe 80GB,new,25000,USD,Newegg,US,https://example.org/h100
2026-08-02,NVIDIA H100 PCIe 80GB,used,18000.5,USD,eBay,US,
`;

interface File {
  id: string;
  sequence_id: number;
  tier: number;
  interval: string;
  period: string;
  type: string;
  csv_s3_path: string;
}

describe('the list of archive files', async () => {
  const market = await marketApp({ after }, { now: new Date('2026-10-05T08:00:00Z') });
  const folder = market.platform.config.dataDir;
  for (const [connector, name, content] of [
    [observations, 'rental.csv', rental],
    [retailCsv, 'retail.csv', retail],
  ] as const) {
    await writeFile(join(folder, name), content);
    const [report] = await market.ingest(connector, join(folder, name));
    assert.ok(report?.kind === 'stored');
    assert.deepEqual([report.tally.refusedCounts, report.tally.unmatched], [{}, []]);
  }
  for await (const { outcome } of buildArchives(market.context, { from: '2026-01-01', to: '2026-12-31' }))
    assert.equal(outcome, 'built');

  const list = async (body: unknown): Promise<{ total: number; results: File[] }> =>
    (await market.post('/api/data-hub/gpu/archive/list', body)) as unknown as { total: number; results: File[] };
  const periods = async (body: unknown): Promise<string[]> => (await list(body)).results.map(({ period }) => period);
  const linesOf = async (filter: unknown[]): Promise<string[]> => {
    const { results } = await list({ filter });
    assert.equal(results.length, 1);
    const { csv_download_url } = await market.post('/api/data-hub/gpu/archive/download', { id: results[0]?.id });
    const { pathname, search } = new URL(String(csv_download_url));
    const answer = await market.app.request(`${pathname}${search}`);
    return (await answer.text()).trimEnd().split('\n');
  };

  test('holds day, month, quarter and year of both tiers; tier 3 unless another is asked for', async () => {
    // 3 rental days, 2 months, 1 quarter, 1 year; 1 of each for retail
    assert.equal((await list({})).total, 7 + 4);
    assert.equal((await list({ filter: [{ tier: 2 }] })).total, 7 + 4);
    assert.deepEqual(await periods({ filter: [{ type: 'rental' }, { interval: 'month' }] }), ['2026-08', '2026-07']);
    assert.deepEqual(await periods({ filter: [{ type: 'rental' }, { interval: 'quarter' }] }), ['2026-Q3']);
    assert.deepEqual(await periods({ filter: [{ type: 'retail' }, { interval: 'year' }] }), ['2026']);
  });

  test('a period is asked for by its name, or as a range of days that it lies within', async () => {
    const rentalDays = [{ type: 'rental' }, { interval: 'day' }];
    assert.deepEqual(await periods({ filter: [...rentalDays, { period: '2026-08-01' }] }), ['2026-08-01']);
    assert.deepEqual(await periods({ filter: [{ type: 'rental' }, { period: '2026-08' }] }), ['2026-08']);
    assert.deepEqual(await periods({ filter: [...rentalDays, { period: '2026/08/01-2026/08/31' }] }), [
      '2026-08-02',
      '2026-08-01',
    ]);
    // July is not within these days, its last day is; August is
    const range = { period: '2026/07/31-2026/08/31' };
    assert.deepEqual(await periods({ filter: [{ type: 'rental' }, { interval: 'month' }, range] }), ['2026-08']);
    assert.equal((await list({ filter: [{ type: 'rental' }, range] })).total, 3 + 1);
  });

  test('pages and order are those of the request', async () => {
    const days = { filter: [{ type: 'rental' }, { interval: 'day' }], order_by: [{ period: 'asc' }] };
    const [first, second] = await Promise.all(
      [1, 2].map((page_num) => list({ ...days, paginate: { num_per_page: 2, page_num } })),
    );
    assert.deepEqual(
      first?.results.map(({ period }) => period),
      ['2026-07-31', '2026-08-01'],
    );
    assert.deepEqual([second?.total, second?.results.map(({ period }) => period)], [3, ['2026-08-02']]);
    const ids = [...(first?.results ?? []), ...(second?.results ?? [])].map(({ sequence_id }) => sequence_id);
    assert.equal(new Set(ids).size, 3);
    assert.equal(first?.results[0]?.csv_s3_path, 'gpu/tier3/rental/day/2026-07-31.csv.gz');
  });

  test('a filter that is wrong is named', async () => {
    for (const filter of [
      [{ tier: 1 }],
      [{ interval: 'week' }],
      [{ type: 'lease' }],
      [{ period: '2026/08/01' }],
      [{ period: '2026/02/30-2026/03/01' }],
      [{ period: '2026/08/02-2026/08/01' }],
      [{ period: '2026-13' }],
      [{ tier: 2, type: 'rental' }],
    ]) {
      const { status, body } = await market.ask('POST', '/api/data-hub/gpu/archive/list', { filter });
      assert.equal(status, 422, JSON.stringify(filter));
      const { detail } = body as { detail: { loc: (string | number)[] }[] };
      assert.deepEqual(detail[0]?.loc.slice(0, 2), ['body', 'filter'], JSON.stringify(filter));
    }
    const { status } = await market.ask('POST', '/api/data-hub/gpu/archive/download', { id: '1' });
    assert.equal(status, 404);
  });

  test('a price by country is the mean of the days, each the mean of its providers, and by kind of provider', async () => {
    // 2 August: Lambda 4, Crusoe 6, AWS 11 -> 7 in all, 5 of neoclouds; 1 August: Lambda 3. Mean of the days: 5 and 4.
    assert.deepEqual((await linesOf([{ tier: 2 }, { type: 'rental' }, { period: '2026-08' }])).slice(1), [
      '2026-08,nvidia-h100-sxm-80gb,NVIDIA H100 SXM 80GB,NVIDIA,US,0,Rental On-Demand,5.000000,Average',
      '2026-08,nvidia-h100-sxm-80gb,NVIDIA H100 SXM 80GB,NVIDIA,US,0,Rental On-Demand,11.000000,Hyperscaler',
      '2026-08,nvidia-h100-sxm-80gb,NVIDIA H100 SXM 80GB,NVIDIA,US,0,Rental On-Demand,4.000000,Neocloud',
    ]);
  });

  test('retail files keep the columns of before the change', async () => {
    assert.deepEqual(await linesOf([{ tier: 3 }, { type: 'retail' }, { interval: 'day' }]), [
      'date,product_id,chip,name,manufacturer,provider,provider_source_type,country,region,instance,num_gpus,price_type,price_type_description,price',
      '2026-08-02,1030,H100,NVIDIA H100 PCIe 80GB,NVIDIA,Newegg,Marketplace,US,,https://example.org/h100,1,100,Retail New,25000.000000',
      '2026-08-02,1030,H100,NVIDIA H100 PCIe 80GB,NVIDIA,eBay,Marketplace,US,,,1,102,Retail Used,18000.500000',
    ]);
    assert.deepEqual(await linesOf([{ tier: 2 }, { type: 'retail' }, { interval: 'year' }]), [
      'year,product_id,chip,name,manufacturer,country,price_type,price_type_description,price',
      '2026,1030,H100,NVIDIA H100 PCIe 80GB,NVIDIA,US,100,Retail New,25000.000000',
      '2026,1030,H100,NVIDIA H100 PCIe 80GB,NVIDIA,US,102,Retail Used,18000.500000',
    ]);
  });

  test('a signed URL ends after an hour', async () => {
    const { results } = await list({ paginate: { num_per_page: 1 } });
    const { csv_download_url } = await market.post('/api/data-hub/gpu/archive/download', { id: results[0]?.id });
    const { pathname, search } = new URL(String(csv_download_url));
    market.clock.advance({ seconds: 3599 });
    assert.equal((await market.app.request(`${pathname}${search}`)).status, 200);
    market.clock.advance({ seconds: 1 });
    assert.equal((await market.app.request(`${pathname}${search}`)).status, 403);
  });
});
