import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, makeUser } from '../../support/client.ts';
import { carbonApp, type CarbonApp } from './carbon-app.ts';

const item = { gpu_slug: 'nvidia-h100-sxm-80gb', hours_used: 1, zipcode: '94105', country_code: 'US' };
const post = (app: CarbonApp, body: unknown) => app.carbon('POST', 'gpu-carbon-intensity', body);

test('what carbon refuses, and what it takes', async (t) => {
  const app = await carbonApp(t);
  const { carbon } = app;

  await t.test('422 in the envelope, the field named', async () => {
    for (const [body, field] of [
      [{ ...item, hours_used: 0 }, 'hours_used: must be greater than 0'],
      [{ ...item, hours_used: -1 }, 'hours_used: must be greater than 0'],
      [{ ...item, hours_used: '0' }, 'hours_used: must be greater than 0'],
      [{ ...item, hours_used: 'many' }, 'hours_used: must be a number'],
      [{ ...item, hours_used: null }, 'hours_used'],
      [{ ...item, hours_used: undefined }, 'hours_used: Field required'],
      [{ ...item, zipcode: undefined }, 'zipcode: Field required'],
      [{ ...item, country_code: undefined }, 'country_code: Field required'],
      [{ ...item, country_code: 'USA' }, 'country_code: must be two letters'],
    ] as const) {
      const { status, meta, data } = await post(app, body);
      assert.equal(status, 422, JSON.stringify(body));
      assert.equal(meta.code, 422);
      assert.ok(meta.message.startsWith('Parameter value error: '), meta.message);
      assert.ok(meta.message.includes(field), meta.message);
      assert.deepEqual(data, {});
    }
  });

  await t.test('numbers as text, null and empty identifiers', async () => {
    const asked = await post(app, { ...item, gpu_name: null, hours_used: ' 2.5e0 ' });
    const plain = await post(app, { ...item, hours_used: 2.5 });
    assert.deepEqual(asked.data, plain.data);
    const named = await post(app, { ...item, gpu_slug: '', gpu_name: 'nvidia h100 sxm 80gb', hours_used: 2.5 });
    assert.deepEqual(named.data, plain.data);
    const both = await post(app, { ...item, gpu_name: 'something else', hours_used: 2.5 });
    assert.deepEqual(both.data, plain.data);
  });

  await t.test('-1 with status 500: no identifier, no such GPU, a name of several, no such region', async () => {
    for (const [body, message] of [
      [{ ...item, gpu_slug: null }, /gpu_slug or gpu_name is needed/],
      [{ ...item, gpu_slug: 'nvidia-h1000' }, /There is no GPU "nvidia-h1000"/],
      [{ ...item, gpu_slug: null, gpu_name: 'Voodoo 2' }, /There is no GPU named "Voodoo 2"/],
      [{ ...item, gpu_slug: null, gpu_name: 'h100' }, /fits nvidia-h100[a-z0-9-]*, nvidia-.*Ask by gpu_slug/],
    ] as const) {
      const { status, meta } = await post(app, body);
      assert.deepEqual([status, meta.code], [500, -1]);
      assert.match(meta.message, message);
    }
    const query = 'gpu_slug=nvidia-h100-sxm-80gb&hours_used=1&provider=aws&provider_code=us-moon-1';
    const { status, meta } = await carbon('GET', `gpu-carbon-provider-intensity?${query}`);
    assert.deepEqual([status, meta.code], [500, -1]);
    assert.match(meta.message, /No matching data was found/);
  });

  await t.test('a GPU without a published TDP says so', async () => {
    await app.context.sql`update product set tdp = null where slug = 'nvidia-h100-pcie-80gb'`;
    await app.context.sql`update data_version set version = version + 1 where area = 'market'`;
    app.clock.advance({ seconds: 2 });
    const without = { ...item, gpu_slug: 'nvidia-h100-pcie-80gb' };
    const { status, meta } = await post(app, without);
    assert.deepEqual([status, meta.code], [500, -1]);
    assert.match(meta.message, /No TDP is published for nvidia-h100-pcie-80gb/);
    const batch = await carbon('POST', 'batch/gpu-carbon-intensity', { data: [without] });
    assert.equal(batch.data.data[0].gpu_tdp, null);
    assert.equal(batch.data.data[0].carbon_intensity, null);
  });

  await t.test('batches: order, nulls, 0 W for a GPU that is not found, 50 at most', async () => {
    const { status, data } = await carbon('POST', 'batch/gpu-carbon-intensity', {
      data: [
        item,
        { ...item, gpu_slug: 'no-such-gpu' },
        { ...item, zipcode: '', country_code: 'AQ' },
        { ...item, hours_used: '10', zipcode: '100-0001', country_code: 'jp' },
      ],
    });
    assert.equal(status, 200);
    assert.equal(data.data_cnt, 4);
    const [plain, unknown, nowhere, tokyo] = data.data;
    assert.ok(plain.carbon_intensity > 0 && plain.gpu_tdp === 700 && plain.hours_used === 1);
    assert.deepEqual(
      [unknown.gpu_tdp, unknown.carbon_intensity, unknown.carbon_emission_rate, unknown.carbon_data_updated_time],
      [0, null, null, null],
    );
    assert.deepEqual([nowhere.carbon_intensity, nowhere.carbon_emission_rate], [null, null]);
    // 0.7 kW for 10 h at 535 g/kWh
    assert.ok(Math.abs(tokyo.carbon_intensity - 3745) < 1e-6);
    const many = await carbon('POST', 'batch/gpu-carbon-intensity', { data: Array.from({ length: 51 }, () => item) });
    assert.deepEqual([many.status, many.meta.code], [500, -1]);
    assert.match(many.meta.message, /[Aa]t most 50 items per request are allowed/);
    const full = await carbon('POST', 'batch/gpu-carbon-intensity', { data: Array.from({ length: 50 }, () => item) });
    assert.equal(full.data.data_cnt, 50);
    const none = await carbon('POST', 'batch/gpu-carbon-intensity', {});
    assert.deepEqual(none.data, { data_cnt: 0, data: [] });
    const bare = await carbon('POST', 'batch/gpu-carbon-intensity', { data: [item, { ...item, gpu_slug: null }] });
    assert.deepEqual([bare.status, bare.meta.code], [500, -1]);
    assert.match(bare.meta.message, /data\.1/);
  });

  await t.test('countries, default post codes, providers', async () => {
    const countries = await carbon('GET', 'country?country_name=ger');
    assert.deepEqual(countries.data, [{ country_code: 'DE', country_name: 'Germany', has_zipcodes: true }]);
    assert.equal((await carbon('GET', 'default-zipcode?country_code=de')).data, '10115');
    assert.equal((await carbon('GET', 'default-zipcode?country_code=HK')).data, '');
    assert.equal((await carbon('GET', 'default-zipcode')).status, 422);
    assert.equal((await carbon('GET', 'default-zipcode?country_code=XX')).status, 422);
    for (const path of ['providers/', 'providers']) {
      const { data } = await carbon('GET', path);
      assert.ok(data.providers.some((one: { provider: string }) => one.provider === 'aws'));
    }
    const codes = (await carbon('GET', 'providers/AWS/codes')).data;
    assert.equal(codes.provider, 'aws');
    const virginia = codes.codes.find((one: { code: string }) => one.code === 'us-east-1');
    assert.equal(virginia.carbon_region_code, 'US-MIDA-PJM');
    assert.deepEqual((await carbon('GET', 'providers/nobody/codes')).data, { provider: null, codes: null });
    assert.equal((await carbon('GET', 'providers_selection/nobody/codes')).data, null);
    assert.equal((await carbon('GET', 'providers_selection/gcp/codes')).data.provider, 'gcp');
    for (const path of ['providers_with_codes/', 'providers_with_codes']) {
      const { data } = await carbon('GET', path);
      assert.ok(data.providers.every((one: { codes: unknown[] }) => one.codes.length > 0));
    }
  });

  await t.test('34001 without an active subscription', async () => {
    const user = await makeUser(app);
    await app.context.sql`delete from subscription where customer_id = ${user.customerId}`;
    const { body } = await call(app, 'GET', '/api/data-hub/carbon/providers/', { headers: user.authorization });
    assert.equal((body as { meta: { code: number } }).meta.code, 34001);
  });
});
