import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { at, textAt } from '../jobs/node.ts';
import type { Json } from '../../support/client.ts';
import { marketCommands } from './market-commands.ts';

const rows = [
  'date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour,country',
  '2025-05-01,Lambda,H100 SXM,8,on_demand,2.9,US',
  '2026-05-01,Lambda,H100 SXM,8,on_demand,2.5,US',
];
const PATH = '/api/data-hub/gpu/country/filter-price';

suite('filter-price over past days', async () => {
  const market = await marketCommands({ after });
  await market.ingest(observations, await market.file('prices.csv', `${rows.join('\n')}\n`));
  const today = market.clock.now().toISOString().slice(0, 10);
  const ask = (filter: object[], page: object = {}) => market.ask('POST', PATH, { filter, paginate: page });
  const dates = (body: unknown) =>
    (at(body as Json, 'data', 'results') as Json[])
      .map((row) => textAt(row, 'date'))
      .toSorted((a, b) => (a < b ? -1 : 1));

  test('answers 366 days at once, and says how many more are too many', async () => {
    const year = [{ start_date: '2025-05-01' }, { end_date: '2026-05-02' }];
    const { status, body } = await ask(year);
    assert.deepEqual([status, dates(body)], [200, ['2025-05-01', '2026-05-01']]);
    for (const [filter, message] of [
      [
        [{ start_date: '2025-04-30' }, { end_date: '2026-05-02' }],
        /has 367 days from start_date 2025-04-30 to end_date 2026-05-02, and at most 366/,
      ],
      [
        [{ start_date: '2018-01-01' }],
        new RegExp(`from start_date 2018-01-01 to today, and at most 366 .*archives hold`),
      ],
      [
        [{ start_date: '2018-01-01' }, { start_date: '2026-05-01' }, { end_date: '2026-05-02' }],
        /has 3043 days from start_date 2018-01-01/,
      ],
      [[{ end_date: '2026-05-02' }], /must have a start_date beside its end_date/],
    ] as const) {
      const refused = await ask([...filter]);
      assert.equal(refused.status, 422, JSON.stringify(filter));
      assert.deepEqual(at(refused.body as Json, 'detail', 0, 'loc'), ['body', 'filter']);
      assert.match(textAt(refused.body as Json, 'detail', 0, 'msg'), message);
    }
    const [yesterday] = new Date(Date.parse(today) - 86_400_000).toISOString().split('T');
    assert.equal((await ask([{ start_date: yesterday }])).status, 200);
    assert.equal((await ask([{ start_date: '2026-05-03' }, { end_date: '2026-05-02' }])).status, 200);
  });

  test('has pages up to row 10,000; without a day every page that the interface knows', async () => {
    const day = [{ start_date: '2026-05-01' }, { end_date: '2026-05-01' }];
    assert.equal((await ask(day, { num_per_page: 100, page_num: 100 })).status, 200);
    const refused = await ask(day, { num_per_page: 100, page_num: 101 });
    assert.equal(refused.status, 422);
    assert.deepEqual(at(refused.body as Json, 'detail', 0, 'loc'), ['body', 'paginate']);
    assert.equal((await ask([], { num_per_page: 100, page_num: 1_000_000 })).status, 200);
  });

  test('an unknown key of a filter is named, with those that there are', async () => {
    for (const [path, filter, message] of [
      [PATH, [{ colour: 'red' }], /unknown key colour; the keys are product_id, product_slug, name, .*end_date/],
      [PATH, [{ name: 'H100', colour: 'red' }], /unknown key colour/],
      [
        '/api/data-hub/gpu/archive/list',
        [{ tiers: 2 }],
        /unknown key tiers; the keys are tier, interval, type, period/,
      ],
      ['/api/gpu-navigator/gpu-specs', [{ memory: 80 }], /unknown key memory; the keys are name, .*mem/],
      ['/api/application/list', [{ secret: 'x' }], /unknown key secret; the keys are id, name, description, client_id/],
    ] as const) {
      const { status, body } = await market.ask('POST', path, { filter });
      assert.equal(status, 422, path);
      assert.match(JSON.stringify(body), message);
    }
    const { body } = await market.ask('POST', PATH, { filter: [], order_by: [{ colour: 'asc' }] });
    assert.match(JSON.stringify(body), /unknown key colour; the keys are date, price/);
  });
});
