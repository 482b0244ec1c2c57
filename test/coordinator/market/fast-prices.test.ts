import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { makeUser } from '../../support/client.ts';
import { marketApp } from './filled-market.ts';

const base = '/api/data-hub/gpu';
const rows = (price: string): string =>
  `date,provider,gpu_model,gpu_count,usd_per_gpu_hour,pricing,country\n2026-08-20,Lambda,H100 SXM,8,${price},on_demand,US\n`;

describe('prices past the router', async () => {
  const market = await marketApp({ after }, { now: new Date('2026-08-24T12:00:00Z'), logLevel: 'info' });
  const user = await makeUser(market);
  const { url } = await market.listen();
  const file = join(market.platform.config.dataDir, 'prices.csv');
  const ingest = async (price: string): Promise<void> => {
    await writeFile(file, rows(price));
    const [report] = await market.ingest(observations, file);
    assert.equal(report?.kind, 'stored');
  };
  await ingest('2.00');

  const asked = (path: string, body: string, headers: Record<string, string> = user.authorization) => {
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } };
    return Promise.all([fetch(`${url}${base}/${path}`, init), market.app.request(`${base}/${path}`, init)]);
  };
  const history = { product_id: 1029, price_type: 0, start_date: '2026-08-01', end_date: '2026-08-30' };

  test('are answered as the router would: good calls, wrong fields, no credential', async () => {
    for (const [path, body, status] of [
      ['latest/price', '{}', 200],
      ['latest/price', '{"country":"us","num_per_page":1}', 200],
      ['history/price', JSON.stringify(history), 200],
      ['history/price', JSON.stringify({ ...history, end_date: '2026-12-30' }), 422],
      ['latest/price', '{"num_per_page":0}', 422],
      ['latest/price', '{', 422],
    ] as const) {
      const [fast, slow] = await asked(path, body);
      assert.deepEqual([fast.status, slow.status], [status, status], body);
      assert.deepEqual(await fast.json(), await slow.json(), body);
    }
    const [fast, slow] = await asked('latest/price', '{}', {});
    assert.deepEqual([fast.status, slow.status], [401, 401]);
    assert.deepEqual(await fast.json(), await slow.json());
  });

  test('change half a second after an ingestion at the latest, also those that were asked before', async () => {
    const priceNow = async (path: string, body: object): Promise<unknown> => {
      const [fast] = await asked(path, JSON.stringify(body));
      const { data } = (await fast.json()) as { data: { results: { price: number }[] } };
      return data.results.map(({ price }) => price);
    };
    assert.deepEqual(await priceNow('latest/price', { product_id: 1029 }), [2]);
    assert.deepEqual(await priceNow('history/price', history), [2]);
    await ingest('3.00');
    market.clock.advance({ seconds: 0.5 });
    assert.deepEqual(await priceNow('latest/price', { product_id: 1029 }), [3]);
    assert.deepEqual(await priceNow('history/price', history), [3]);
  });
});
