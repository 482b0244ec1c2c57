import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { call, makeUser } from '../../support/client.ts';
import { marketApp } from './filled-market.ts';

const path = '/api/gpu-index/index';
const slug = 'nvidia-h100-sxm-80gb';

/**
 * Neoclouds on 08-20: 2, 3.2 and 4.2, whose geometric mean is 2.9955. On 08-22 the same three, of whom one has moved from 2 to
 * 2.25, and a fourth, dear one that moves nothing: 2.9955 x (2.25 / 2)^(1/3) = 3.1155. A marketplace is in `all` alone, and its
 * quote holds for a day. Hyperscalers are two, which is not a market.
 */
const prices = `date,provider,gpu_model,gpu_count,usd_per_gpu_hour,pricing
2026-08-20,Lambda,H100 SXM,8,2.00,on_demand
2026-08-20,Crusoe,H100 SXM,8,3.20,on_demand
2026-08-20,Nebius,H100 SXM,8,4.20,on_demand
2026-08-20,Vast.ai,H100 SXM,8,1.80,on_demand
2026-08-20,AWS,H100 SXM,8,6.5,on_demand
2026-08-20,AWS,H100 SXM,8,1.5,spot
2026-08-20,Azure,H100 SXM,8,7,on_demand
2026-08-22,Lambda,H100 SXM,8,2.25,on_demand
2026-08-22,Crusoe,H100 SXM,8,3.20,on_demand
2026-08-22,Nebius,H100 SXM,8,4.20,on_demand
2026-08-22,RunPod,H100 SXM,8,4.60,on_demand
`;

describe('the GPU index', async () => {
  const market = await marketApp({ after }, { now: new Date('2026-08-24T12:00:00Z') });
  const file = join(market.platform.config.dataDir, 'prices.csv');
  await writeFile(file, prices);
  await market.ingest(observations, file);
  const plus = await makeUser(market, { tier: 'plus' });
  const ask = async (body: unknown, headers: Record<string, string> = plus.authorization) => {
    const answered = await call(market, 'POST', path, { body, headers });
    return answered as unknown as {
      status: number;
      body: { meta: { code: number; message: string }; data: Record<string, unknown> };
    };
  };
  const dates = { starting_date: '2026-08-19', ending_date: '2026-08-22' };

  test('begins as the geometric mean of three neoclouds and moves by what the same three ask; a quote stands for a week', async () => {
    const { status, body } = await ask({ gpu: slug, ...dates });
    assert.equal(status, 200);
    assert.deepEqual(body.data, {
      gpu: slug,
      index_name: 'NVIDIA H100 SXM 80GB on demand, neoclouds',
      index_version: 'neo',
      starting_date: '2026-08-19',
      ending_date: '2026-08-22',
      indexes: { '2026-08-19': '-1', '2026-08-20': '2.9955', '2026-08-21': '2.9955', '2026-08-22': '3.1155' },
      contributors: { '2026-08-20': 3, '2026-08-21': 3, '2026-08-22': 3 },
      begins: ['2026-08-20'],
    });
  });

  test('hs is of hyperscalers, of which two are too few; case does not count; a name is as good as a slug', async () => {
    const { body } = await ask({ gpu: slug.toUpperCase(), index_version: 'HS', ...dates });
    assert.deepEqual(body.data['indexes'], {
      '2026-08-19': '-1',
      '2026-08-20': '-1',
      '2026-08-21': '-1',
      '2026-08-22': '-1',
    });
    const named = await ask({ gpu: 'NVIDIA H100 SXM 80GB', ...dates });
    assert.equal(named.body.data['gpu'], slug);
  });

  test('all is of neoclouds, hyperscalers and marketplaces', async () => {
    const { body } = await ask({ gpu: slug, index_version: 'all', ...dates });
    // (2 x 3.2 x 4.2 x 1.8 x 6.5 x 7)^(1/6) = 3.6068; without the marketplace the other five move by (2.25 / 2)^(1/5)
    assert.deepEqual(body.data['indexes'], {
      '2026-08-19': '-1',
      '2026-08-20': '3.6068',
      '2026-08-21': '3.6068',
      '2026-08-22': '3.6927',
    });
    assert.deepEqual(body.data['contributors'], { '2026-08-20': 6, '2026-08-21': 5, '2026-08-22': 5 });
  });

  test('dates are today unless given; a range without data has no name', async () => {
    const { body } = await ask({ gpu: 'nvidia-h200-sxm-141gb' });
    assert.deepEqual(
      [body.data['starting_date'], body.data['ending_date'], body.data['index_name'], body.data['indexes']],
      ['2026-08-24', '2026-08-24', null, { '2026-08-24': '-1' }],
    );
  });

  test('a start after the end is 10008; a date too early or in the future is a validation error of its field', async () => {
    const refused = [
      [{ starting_date: '2026-08-22', ending_date: '2026-08-21' }, 400, /^starting_date 2026-08-22.*after ending_date/],
      [{ ending_date: '2026-08-21' }, 400, /today unless given/],
      [{ starting_date: '2026-08-25' }, 422, /^Parameter value error: starting_date.*future/],
      [{ ending_date: '2026-08-25' }, 422, /^Parameter value error: ending_date.*future/],
      [{ starting_date: '2016-12-31' }, 422, /^Parameter value error: starting_date.*before 2017-01-01/],
    ] as const;
    for (const [given, answer, message] of refused) {
      const { status, body } = await ask({ gpu: slug, ...given });
      assert.deepEqual([status, body.meta.code], [answer, answer === 400 ? 10008 : 422], JSON.stringify(given));
      assert.match(body.meta.message, message);
    }
  });

  test('a field that is wrong is named, in the envelope', async () => {
    const refused = [
      [{}, /^Parameter value error: gpu/],
      [{ gpu: 'h100' }, /gpu is not the slug or name of one product\. Similar products: .*nvidia-h100-sxm-80gb/],
      [{ gpu: 'zx81' }, /gpu-specs lists/],
      [{ gpu: slug, index_version: 'v1' }, /index_version/],
      [{ gpu: slug, starting_date: '2026-02-30' }, /starting_date/],
    ] as const;
    for (const [given, message] of refused) {
      const { status, body } = await ask(given);
      assert.deepEqual([status, body.meta.code, body.data], [422, 422, {}], JSON.stringify(given));
      assert.match(body.meta.message, message);
    }
  });

  test('is open to Plus, Professional, Enterprise and staff: 34004 to others, 401 to nobody', async () => {
    const statuses: Record<string, number> = {};
    for (const tier of ['basic', 'plus', 'professional', 'enterprise'] as const) {
      const user = await makeUser(market, { tier });
      const { status, body } = await ask({ gpu: slug }, user.authorization);
      statuses[tier] = status === 200 ? 200 : body.meta.code;
      if (status !== 200) assert.match(body.meta.message, /plus, professional, enterprise/);
    }
    const staff = await makeUser(market, { role: 'staff', tier: 'basic' });
    statuses['staff'] = (await ask({ gpu: slug }, staff.authorization)).status;
    statuses['nobody'] = (await ask({ gpu: slug }, {})).status;
    assert.deepEqual(statuses, {
      basic: 34004,
      plus: 200,
      professional: 200,
      enterprise: 200,
      staff: 200,
      nobody: 401,
    });
  });
});
