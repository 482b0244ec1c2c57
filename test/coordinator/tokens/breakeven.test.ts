import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { call, makeUser } from '../../support/client.ts';
import { marketApp } from '../market/filled-market.ts';
import { store } from './stored-observations.ts';

const day = '2026-08-20';
const offer = { label: 'open/big', model: 'open/big', input: '0.2' } as const;

describe('the break-even of renting', async () => {
  const market = await marketApp({ after }, { now: new Date('2026-08-24T12:00:00Z') });
  const file = join(market.platform.config.dataDir, 'prices.csv');
  await writeFile(
    file,
    `date,provider,gpu_model,gpu_count,usd_per_gpu_hour,pricing\n${day},Lambda,H100 SXM,8,2.00,on_demand\n${day},Crusoe,H100 SXM,8,3.00,on_demand\n`,
  );
  await market.ingest(observations, file);
  const closed = { ...offer, label: 'shut/big', model: 'shut/big', seller: 'shut', sellerType: 'model-lab' } as const;
  const unsized = { ...offer, label: 'open/small', model: 'open/small', seller: 'host' };
  await store(market, {
    source: 'genai-prices',
    day,
    prices: [
      { ...offer, seller: 'dear', output: '1.5' },
      { ...offer, seller: 'cheap', output: '0.5' },
      { ...offer, seller: 'nothing', variant: 'free', input: '0', output: '0' },
      { ...closed, output: '1' },
      { ...unsized, output: '1' },
    ],
    models: [
      { model: 'open/big', openWeights: true, totalParam: '200', activeParam: '20' },
      { model: 'open/small', openWeights: true },
    ],
  });
  const user = await makeUser(market, { tier: 'enterprise' });
  const ask = async (query: Record<string, string>, headers: Record<string, string> = user.authorization) => {
    const answered = await call(market, 'GET', `/api/token-price/breakeven?${new URLSearchParams(query).toString()}`, {
      headers,
    });
    return answered as unknown as {
      status: number;
      body: { data: Record<string, unknown>; detail: { loc: string[]; msg: string }[] };
    };
  };
  const product = 'nvidia-h100-sxm-80gb';

  test('is rent per second over the price of a token, beside the ceiling that bandwidth sets, each from stored figures', async () => {
    const { status, body } = await ask({ model: 'Open/Big', product });
    assert.equal(status, 200);
    const { data } = body;
    // 200 GB of weights on cards of 80 GB, of which 72 hold weights: 3. (2.5 USD x 3) / 3600 s / (0.5 / 10^6 USD).
    assert.equal(data['gpus'], 3);
    assert.ok(Math.abs(Number(data['breakeven_tokens_per_second']) - 4166.666666667) < 1e-6);
    const inputs = data['inputs'] as Record<string, number | string>;
    assert.deepEqual(
      [inputs['rental_usd_per_gpu_hour'], inputs['price_output'], inputs['price_source_id'], inputs['price_date']],
      [2.5, 0.5, 'cheap', '2026-08-24'],
    );
    const ceiling = (Number(inputs['bandwidth_gb_per_second']) * 3) / 20;
    assert.equal(data['decode_ceiling_tokens_per_second'], ceiling);
    assert.equal(data['streams_needed'], Math.ceil(4166.666666667 / ceiling));
    assert.deepEqual(data['reasons'], []);
    assert.match(String((data['assumptions'] as string[])[0]), /a weight takes 1 byte$/);
    assert.equal((await ask({ model: 'big', product, bytes_per_weight: '2' })).body.data['model'], 'open/big');
  });

  test('takes the bandwidth that five customers measured on eight machines, and says so', async () => {
    const before = (await ask({ model: 'open/big', product })).body.data;
    assert.equal((before['inputs'] as Record<string, unknown>)['bandwidth_basis'], 'published');
    await market.platform.sql.begin(async (tx) => {
      // Without the jobs that such results come from.
      await tx`set local session_replication_role = replica`;
      await tx`
        insert into scoreboard_entry (task_id, job_id, customer_id, machine_uuid, gpu_vendor, gpu_model, model_key,
          device_count, memory_bandwidth_gbs, measured_at)
        select n, n, 1 + n % 5, 'machine-' || n, 'nvidia', 'NVIDIA H100 80GB HBM3', 'nvidia h100 80gb hbm3', 8,
          3000 + n % 5, now() from generate_series(1, 8) n`;
    });
    const { data } = (await ask({ model: 'open/big', product })).body;
    const inputs = data['inputs'] as Record<string, unknown>;
    // One vote each, 3000 to 3004: the middle one.
    assert.deepEqual(
      [inputs['bandwidth_gb_per_second'], inputs['bandwidth_basis'], inputs['bandwidth_machines']],
      [3002, 'measured', 8],
    );
    assert.equal(data['decode_ceiling_tokens_per_second'], (3002 * 3) / 20);
    assert.match(String(data['assumptions']), /median of what 5 customers measured/);
    await market.platform.sql`delete from scoreboard_entry where customer_id = 3`;
    const fewer = (await ask({ model: 'open/big', product })).body.data;
    assert.equal((fewer['inputs'] as Record<string, unknown>)['bandwidth_basis'], 'published');
  });

  test('is null with the reason if something is missing, never a guess', async () => {
    for (const [query, reason] of [
      [{ model: 'shut/big', product }, /nothing says whether the weights of the model can be had/],
      [{ model: 'open/small', product }, /total_param of the model is not known/],
      [{ model: 'open/big', product: 'nvidia-a100-sxm-80gb' }, /no on-demand price of the last 30 days/],
    ] as const) {
      const { status, body } = await ask(query);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.data['breakeven_tokens_per_second'], null);
      assert.match((body.data['reasons'] as string[]).join('; '), reason);
    }
  });

  test('names a field that is wrong in the detail dialect, and is for Enterprise', async () => {
    for (const [query, loc, message] of [
      [{ product }, 'model', /./],
      [{ model: 'open/big', product: 'zx81' }, 'product', /not the slug or name/],
      [{ model: 'no/such', product }, 'model', /not the name of a model/],
      [{ model: 'open/big', product, bytes_per_weight: '3' }, 'bytes_per_weight', /./],
    ] as const) {
      const { status, body } = await ask(query);
      assert.equal(status, 422);
      assert.ok(body.detail[0]?.loc.includes(loc), JSON.stringify(body));
      assert.match(body.detail[0]?.msg ?? '', message);
    }
    const professional = await makeUser(market, { tier: 'professional' });
    assert.equal((await ask({ model: 'open/big', product }, professional.authorization)).status, 403);
  });
});
