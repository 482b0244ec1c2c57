import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { neocloudDaily } from '../../../coordinator/ingest/connectors/neocloud-daily.ts';
import { call } from '../../support/client.ts';
import { marketApp } from './filled-market.ts';

const fixture = fileURLToPath(new URL('../ingest/fixtures/neocloud-daily.csv', import.meta.url));
const base = '/api/data-hub/gpu';
type Results = { total: number; results: Record<string, unknown>[] };

describe('the data hub', async () => {
  const market = await marketApp({ after });
  await market.ingest(neocloudDaily, fixture);
  const post = async (path: string, body?: unknown): Promise<Results> =>
    (await market.post(`${base}/${path}`, body)) as unknown as Results;
  const refused = async (path: string, body: unknown): Promise<string[]> => {
    const { status, body: answered } = await market.ask('POST', `${base}/${path}`, body);
    assert.equal(status, 422, JSON.stringify(answered));
    const { detail } = answered as { detail: { loc: (string | number)[] }[] };
    return detail.map(({ loc }) => loc.join('.'));
  };

  test('specs-list has the products with prices, specs-query all of them by keyword', async () => {
    const listed = await post('specs-list');
    assert.deepEqual(
      listed.results.map(({ product_slug }) => product_slug),
      ['amd-instinct-mi300x-192gb', 'nvidia-a100-pcie-40gb'],
    );
    assert.deepEqual(Object.keys(listed.results[0] ?? {}), [
      'product_id',
      'product_slug',
      'chip',
      'name',
      'manufacturer',
      'mem',
      'mem_bus',
      'bus',
      'bandwidth',
      'tdp',
      'fp16',
      'msrp',
      'released_date',
      'architecture',
    ]);
    const found = await post('specs-query', { keyword: 'h100 SXM', num_per_page: 1 });
    assert.deepEqual([found.total, found.results[0]?.['product_slug']], [1, 'nvidia-h100-sxm-80gb']);
    assert.equal((await post('specs-query')).results.length, 50);
  });

  test('latest/price has one record for each product, country and term, in the fields of the interface', async () => {
    const { total, results } = await post('latest/price', {});
    assert.equal(total, 2);
    const [first] = results;
    assert.deepEqual(
      [
        first?.['product_slug'],
        first?.['date'],
        first?.['country'],
        first?.['price_type'],
        first?.['price_type_descriptioin'],
        first?.['price'],
      ],
      ['nvidia-a100-pcie-40gb', '2026-05-08', 'ZZ', 0, 'Rental On-Demand', 1.45],
    );
    assert.equal((await post('latest/price', { price_type: -1 })).total, 1);
    assert.equal((await post('latest/price', { country: 'US' })).total, 0);
    assert.equal((await post('latest/price', { product_id: 2009, keyword: 'mi300' })).total, 1);
  });

  test('history takes 90 days and no more, in their order, and names the field that is wrong', async () => {
    const ask = { product_id: 1021, price_type: 0, start_date: '2026-05-08' };
    assert.equal((await post('history/price', { ...ask, end_date: '2026-08-06' })).total, 1);
    assert.deepEqual(await refused('history/price', { ...ask, end_date: '2026-08-07' }), ['body.end_date']);
    assert.deepEqual(await refused('history/price', { ...ask, end_date: '2026-05-07' }), ['body.end_date']);
    assert.deepEqual(await refused('history/price', { ...ask, end_date: '2026-02-30' }), ['body.end_date']);
    assert.deepEqual(await refused('history/price', { ...ask, price_type: 2, end_date: '2026-05-08' }), [
      'body.price_type',
    ]);
    assert.deepEqual(await refused('history/price', {}), [
      'body.product_id',
      'body.start_date',
      'body.end_date',
      'body.price_type',
    ]);
  });

  test('pages have limits, and a country at most two letters', async () => {
    assert.deepEqual(await refused('latest/price', { num_per_page: 101, page_num: 0, country: 'USA' }), [
      'body.num_per_page',
      'body.page_num',
      'body.country',
    ]);
  });

  test('country summary, filter map, filter-price and providers tell of the same prices', async () => {
    const [summary] = (await post('country/summary')).results;
    assert.deepEqual(
      [summary?.['country'], summary?.['product_count'], summary?.['provider_count'], summary?.['price_min']],
      ['ZZ', 2, 1, 1.45],
    );
    const map = await market.post(`${base}/country/filter-map`);
    assert.deepEqual(map['manufacturers'], ['AMD', 'NVIDIA']);
    const filtered = await post('country/filter-price', {
      filter: [{ manufacturer: 'amd' }, { price_max: 1 }],
      order_by: [{ price: 'asc' }],
    });
    assert.deepEqual(
      [filtered.total, filtered.results[0]?.['country_name'], filtered.results[0]?.['price']],
      [1, 'Not stated', 0.95],
    );
    const dated = await post('country/filter-price', {
      filter: [{ start_date: '2026-05-01' }, { end_date: '2026-05-31' }],
      order_by: [{ name: 'desc' }],
    });
    assert.deepEqual(
      dated.results.map(({ chip }) => chip),
      ['A100', 'MI300X'],
    );
    assert.deepEqual(
      (await post('partner/provider-list', { keyword: 'crus' })).results.map(({ id }) => id),
      ['crusoe'],
    );
  });

  test('nothing of it opens without a credential', async () => {
    for (const path of ['specs-list', 'latest/price', 'archive/list', 'country/summary'])
      assert.equal((await call(market, 'POST', `${base}/${path}`, { body: {} })).status, 401, path);
  });
});
