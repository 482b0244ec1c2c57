import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { call, makeUser } from '../../support/client.ts';
import { marketApp } from './filled-market.ts';

const path = '/api/gpu-index/index';
const slug = 'nvidia-h100-sxm-80gb';

/** Neoclouds 2.00 and 3.10 -> 2.55; hyperscalers 6.5 and 10 -> 8.25 and the next day nobody; a marketplace is in neither. */
const prices = `date,provider,gpu_model,gpu_count,usd_per_gpu_hour,pricing
2026-08-20,Lambda,H100 SXM,8,2.00,on_demand
2026-08-20,Crusoe,H100 SXM,8,3.10,on_demand
2026-08-20,Vast.ai,H100 SXM,1,1.00,on_demand
2026-08-20,AWS,H100 SXM,8,6.5,on_demand
2026-08-20,AWS,H100 SXM,8,1.5,spot
2026-08-20,Azure,H100 SXM,8,10,on_demand
2026-08-22,Lambda,H100 SXM,8,2.25,on_demand
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

  test('is the mean of one vote per neocloud, four decimals, -1 for a day without any', async () => {
    const { status, body } = await ask({ gpu: slug, ...dates });
    assert.equal(status, 200);
    assert.deepEqual(body.data, {
      gpu: slug,
      index_name: 'NVIDIA H100 SXM 80GB on demand, neoclouds',
      index_version: 'neo',
      starting_date: '2026-08-19',
      ending_date: '2026-08-22',
      indexes: { '2026-08-19': '-1', '2026-08-20': '2.5500', '2026-08-21': '-1', '2026-08-22': '2.2500' },
    });
  });

  test('hs is of hyperscalers; case does not count; a name is as good as a slug', async () => {
    const { body } = await ask({ gpu: slug.toUpperCase(), index_version: 'HS', ...dates });
    assert.deepEqual(body.data['indexes'], {
      '2026-08-19': '-1',
      '2026-08-20': '8.2500',
      '2026-08-21': '-1',
      '2026-08-22': '-1',
    });
    const byName = await ask({ gpu: String(body.data['index_name']).split(' on demand')[0], ...dates });
    assert.equal(byName.body.data['gpu'], slug);
  });

  test('dates are today unless given; a range without data has no name', async () => {
    const { body } = await ask({ gpu: slug });
    assert.deepEqual(
      [body.data['starting_date'], body.data['ending_date'], body.data['index_name'], body.data['indexes']],
      ['2026-08-24', '2026-08-24', null, { '2026-08-24': '-1' }],
    );
  });

  test('dates in the wrong order, in the future or before its beginning are 10008', async () => {
    const refused = [
      [{ starting_date: '2026-08-22', ending_date: '2026-08-21' }, /starting_date 2026-08-22.*after ending_date/],
      [{ ending_date: '2026-08-21' }, /today unless given/],
      [{ starting_date: '2026-08-25' }, /starting_date.*future/],
      [{ ending_date: '2026-08-25' }, /ending_date.*future/],
      [{ starting_date: '2016-12-31' }, /before 2017-01-01/],
    ] as const;
    for (const [given, message] of refused) {
      const { status, body } = await ask({ gpu: slug, ...given });
      assert.deepEqual([status, body.meta.code], [400, 10008], JSON.stringify(given));
      assert.match(body.meta.message, message);
    }
  });

  test('a field that is wrong is named, in the envelope', async () => {
    const refused = [
      [{}, /^Parameter value error: gpu/],
      [{ gpu: 'h100' }, /gpu is not the slug or name of one product\. Products with it: .*nvidia-h100-sxm-80gb/],
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
