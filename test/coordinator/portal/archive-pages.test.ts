import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ArchiveFile } from '../../../coordinator/contract/market.ts';
import { neocloudDaily } from '../../../coordinator/ingest/connectors/neocloud-daily.ts';
import { buildArchives } from '../../../coordinator/market/archive/archives.ts';
import { call } from '../../support/client.ts';
import { marketApp } from '../market/filled-market.ts';
import { browser, signedIn } from './browser-session.ts';
import { listRows } from './list-rows.ts';

const market = await marketApp({ after }, { now: new Date('2026-09-19T20:00:00Z') });
await market.ingest(neocloudDaily, fileURLToPath(new URL('../ingest/fixtures/neocloud-daily.csv', import.meta.url)));
for await (const { outcome } of buildArchives(market.context, { from: '2026-05-01', to: '2026-05-31' }))
  assert.equal(outcome, 'built');
const { user, it } = await signedIn(market, { tier: 'enterprise' });
const post = async <T>(path: string, body: unknown): Promise<T> => {
  const answer = await call(market, 'POST', `/api/data-hub/gpu/archive/${path}`, {
    body,
    headers: user.authorization,
  });
  assert.equal(answer.status, 200, answer.text);
  return (answer.body as unknown as { data: T }).data;
};
const list = (body: unknown) => post<{ total: number; results: ArchiveFile[] }>('list', body);

/** Page query -> the API's request for the same. */
const queries: [query: string, request: object][] = [
  ['', {}],
  ['tier=2', { filter: [{ tier: 2 }] }],
  ['tier=2&tier=3', { filter: [{ tier: 2 }, { tier: 3 }] }],
  ['tier=3&interval=month', { filter: [{ tier: 3 }, { interval: 'month' }] }],
  ['interval=day&interval=year', { filter: [{ interval: 'day' }, { interval: 'year' }] }],
  ['type=rental&sort_order=asc', { filter: [{ type: 'rental' }], order_by: [{ period: 'asc' }] }],
  ['period=2026-05', { filter: [{ period: '2026-05' }] }],
  ['per_page=3&page=2', { paginate: { num_per_page: 3, page_num: 2 } }],
];

test('the archives are those of the API for the same query, as JSON and as CSV', async () => {
  const found = new Map<string, number>();
  for (const [query, request] of queries) {
    const api = await list({ order_by: [{ period: 'desc' }], ...request });
    const { total, rows } = await listRows(it, `/market/archives?${query}`);
    assert.ok(rows.length > 0, `${query} finds something`);
    assert.deepEqual([total, rows], [api.total, api.results], query);
    found.set(query, total);
  }
  // One day of prices is a file of a day, a month, a quarter and a year, in both tiers.
  assert.deepEqual([found.get(''), found.get('tier=2'), found.get('tier=2&tier=3')], [4, 4, 8]);
  const html = await (await it.get('/market/archives?tier=2&tier=3')).text();
  assert.deepEqual(
    [...html.matchAll(/<option value="([^"]*)"\s+selected/g)].map(([, value]) => value).filter((value) => value !== ''),
    ['2', '3'],
  );
});

test('the link of a period opens the bytes that the API’s URL opens: the prices of that day', async () => {
  const html = await (await it.get('/market/archives?interval=day')).text();
  const link = /href="(\/market\/archives\/file\?id=\d+)">2026-05-08</.exec(html)?.[1] ?? assert.fail(html);
  const answer = await it.get(link);
  assert.equal(answer.status, 303);
  // A signed URL opens without a cookie.
  const bytesAt = async (url: string): Promise<Buffer> => {
    const { pathname, search } = new URL(url, 'http://coordinator.test');
    const file = await market.app.request(`${pathname}${search}`);
    assert.equal(file.status, 200);
    return Buffer.from(await file.arrayBuffer());
  };
  const bytes = await bytesAt(answer.headers.get('location') ?? assert.fail('no location'));
  const { csv_download_url } = await post<{ csv_download_url: string }>('download', { id: link.split('=')[1] });
  assert.ok(bytes.equals(await bytesAt(csv_download_url)));
  // What the fixture asks on 2026-05-08.
  assert.deepEqual(bytes.toString().trimEnd().split('\n').slice(1), [
    '2026-05-08,1021,A100,NVIDIA A100 PCIe 40GB,NVIDIA,Crusoe,Neocloud,unknown,,,1,0,Rental On-Demand,1.450000',
    '2026-05-08,2009,MI300X,AMD Instinct MI300X 192GB,AMD,Crusoe,Neocloud,unknown,,,1,-1,Rental Spot,0.950000',
  ]);
});

test('a file without or with an unknown id is refused, as is one for a stranger', async () => {
  assert.equal((await it.get('/market/archives/file')).status, 422);
  assert.equal((await it.get('/market/archives/file?id=1')).status, 404);
  assert.equal((await browser(market).get('/market/archives/file?id=1')).status, 401);
});
