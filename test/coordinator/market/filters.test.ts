import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { marketCommands } from './market-commands.ts';

const rows = [
  'date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour,country',
  '2026-05-01,Lambda,L4,1,on_demand,0.8,US',
  '2026-05-01,Lambda,L40S,1,on_demand,1.2,US',
  '2026-05-01,Lambda,H100 SXM,8,on_demand,2.5,DE',
  '2026-05-01,Lambda,GH200,1,on_demand,1.5,US',
  '2026-05-03,Lambda,H100 SXM,8,spot,1.1,DE',
];

describe('filters', async () => {
  const market = await marketCommands({ after });
  const [report] = await market.ingest(observations, await market.file('prices.csv', `${rows.join('\n')}\n`));
  assert.ok(report?.kind === 'stored' && report.run.rowsKept === 5);
  const found = async (path: string, filter: unknown[]): Promise<string[]> => {
    const { results } = await market.post(path, { filter, order_by: [{ name: 'asc' }] });
    return (results as { chip: string; price?: number }[]).map(({ chip, price = '' }) => `${chip} ${price}`);
  };
  const prices = (...filter: unknown[]): Promise<string[]> => found('/api/data-hub/gpu/country/filter-price', filter);
  const gpus = async (...filter: unknown[]): Promise<string[]> => [
    ...new Set((await found('/api/gpu-navigator/gpu-specs', filter)).map((row) => row.trim())),
  ];

  test('filter-price takes chip, slug and manufacturer whole, whatever their case: L4 is not L40S, H100 not GH200', async () => {
    assert.deepEqual(await prices({ chip: 'l4' }), ['L4 0.8']);
    assert.deepEqual(await prices({ chip: 'H100' }, { price_type: 0 }), ['H100 2.5']);
    assert.deepEqual(await prices({ product_slug: 'nvidia-l4' }), []);
    assert.deepEqual(await prices({ product_slug: 'nvidia-l4-24gb' }), ['L4 0.8']);
    assert.deepEqual(await prices({ manufacturer: 'NVID' }), []);
    assert.deepEqual(await prices({ name: 'l4' }), ['L4 0.8', 'L40S 1.2']);
  });

  test('a keyword is found anywhere: L4 in L40S', async () => {
    const { results } = await market.post('/api/data-hub/gpu/latest/price', { keyword: 'l4' });
    assert.deepEqual((results as { chip: string }[]).map(({ chip }) => chip).toSorted(), ['L4', 'L40S']);
  });

  test('filter-price: a repeated key means any of its values, different keys mean all', async () => {
    assert.deepEqual(await prices({ chip: 'L4' }, { chip: 'L40S' }), ['L4 0.8', 'L40S 1.2']);
    assert.deepEqual(await prices({ chip: 'L4' }, { chip: 'L40S' }, { price_min: 1 }), ['L40S 1.2']);
    assert.deepEqual(await prices({ country: 'DE' }, { country: 'FR' }, { price_type: 0 }), ['H100 2.5']);
    // at least 2 or at least 1.3; at most 2 or at most 1
    assert.deepEqual(await prices({ price_min: 2 }, { price_min: 1.3 }), ['GH200 1.5', 'H100 2.5']);
    assert.deepEqual(await prices({ price_max: 1.3 }, { price_max: 1 }), ['H100 1.1', 'L4 0.8', 'L40S 1.2']);
    const late = [{ start_date: '2026-05-03' }, { chip: 'H100' }];
    assert.deepEqual(await prices(...late), ['H100 1.1']);
    assert.equal((await prices(...late, { start_date: '2026-05-01' })).length, 2);
    const ends = [{ start_date: '2026-04-01' }, { end_date: '2026-05-01' }, { end_date: '2026-05-03' }];
    assert.equal((await prices(...ends, { chip: 'H100' })).length, 2);
  });

  test('the navigator: a repeated column means any of its values, different columns mean all', async () => {
    assert.deepEqual(await gpus({ slug: 'nvidia-l4-24gb' }, { slug: 'nvidia-l40s-48gb' }), ['L4', 'L40S']);
    assert.deepEqual(await gpus({ mem: 24 }, { mem: '48-48' }, { slug: 'nvidia-l4' }), ['L4', 'L40', 'L40S']);
    assert.deepEqual(await gpus({ slug: 'nvidia-l4-24gb' }, { slug: 'nvidia-l40s-48gb' }, { mem: 48 }), ['L40S']);
    assert.deepEqual(await gpus({ architecture: 'hopper' }, { mem: 141 }), ['H200']);
  });

  test('filter-price without a body is told what is missing, in the dialect of validation', async () => {
    const { status, body } = await market.ask('POST', '/api/data-hub/gpu/country/filter-price');
    assert.equal(status, 422, JSON.stringify(body));
    assert.deepEqual((body as { detail: { loc: string[] }[] }).detail[0]?.loc, ['body']);
  });

  test('a missing price_type names the values that it may have', async () => {
    const asked = { product_id: 1021, start_date: '2026-05-01', end_date: '2026-05-02' };
    const { status, body } = await market.ask('POST', '/api/data-hub/gpu/history/price', asked);
    assert.equal(status, 422);
    const [detail] = (body as { detail: { loc: string[]; msg: string; type: string }[] }).detail;
    assert.deepEqual([detail?.loc, detail?.type], [['body', 'price_type'], 'missing']);
    assert.match(
      detail?.msg ?? '',
      /^Field required: must be one of -1 Rental Spot, 0 Rental On-Demand, .*102 Retail Used$/,
    );
    const wrong = await market.ask('POST', '/api/data-hub/gpu/history/price', { ...asked, price_type: 7 });
    assert.match(JSON.stringify(wrong.body), /"must be one of -1 Rental Spot, /);
  });

  test('places of faults are text in every part, also within arrays', async () => {
    const faults: [path: string, body: unknown][] = [
      ['/api/data-hub/gpu/country/filter-price', { filter: [{ chip: 'L4' }, { price_type: 7 }] }],
      ['/api/data-hub/gpu/archive/list', { filter: [{ tier: 3 }, { tier: 9 }], order_by: [{ period: 'up' }] }],
      ['/api/data-hub/gpu/latest/price', { page_num: 0 }],
      ['/api/gpu-navigator/gpu-specs', { filter: [{ mem: 'much' }], order_by: [{ mem: 'asc', tdp: 'asc' }] }],
      ['/api/application/list', { filter: [{ id: 1, name: 'b' }], order_by: [{ secret: 'asc' }] }],
      ['/api/gpu-mark/test-task/list', { filter: [{ nothing: 1 }] }],
    ];
    for (const [path, asked] of faults) {
      const { status, body } = await market.ask('POST', path, asked);
      assert.equal(status, 422, `${path}: ${JSON.stringify(body)}`);
      const places = (body as { detail: { loc: unknown[] }[] }).detail.flatMap(({ loc }) => loc);
      assert.ok(places.length > 1, path);
      assert.deepEqual(
        places.filter((part) => typeof part !== 'string'),
        [],
        path,
      );
    }
  });
});
