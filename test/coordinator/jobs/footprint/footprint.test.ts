import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ensureCarbon } from '../../../../coordinator/carbon/store-editions.ts';
import { fillMarket } from '../../../../coordinator/commands/open-platform.ts';
import { testApp } from '../../../support/app.ts';
import { call, makeUser, type Json } from '../../../support/client.ts';
import { at, makeJob, Node, textAt } from '../node.ts';
import { upload, type Device } from '../upload.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
await fillMarket(app.context);
await ensureCarbon(app.context);
const user = await makeUser(app);

/** USD per GPU hour on demand over all countries, as of that day. */
async function price(day: string, usd: number): Promise<void> {
  await app.context.sql`
    insert into latest_price (product_id, price_type, country, day, price, price_median, provider_count, sample_size)
    select product_id, 0, '', ${day}, ${usd}, ${usd}, 7, 120 from product where slug = 'nvidia-h100-sxm-80gb'
    on conflict (product_id, price_type, country) do update set day = excluded.day, price = excluded.price`;
  await app.context.sql`update data_version set version = version + 1 where area = 'market'`;
  app.clock.advance({ seconds: 1 });
}

async function footprint(
  devices: Device[],
  change: (body: ReturnType<typeof upload>) => void = () => undefined,
): Promise<Json | undefined> {
  const node = new Node(app, await makeJob(app, user));
  await node.register();
  const body = upload(node.machineUuid, devices);
  change(body);
  assert.equal((await node.results(node.result(body))).status, 200);
  await node.complete();
  const { body: task } = await call(app, 'GET', `/api/gpu-mark/v1/tasks/${node.taskId}`, {
    headers: user.authorization,
  });
  return at(task, 'footprint');
}

const near = (actual: unknown, expected: number): void =>
  assert.ok(Math.abs(Number(actual) - expected) <= 1e-9 * expected, `${String(actual)} instead of ${expected}`);

test('two H100 in Virginia: energy, grams, per PFLOP, and what they cost', async () => {
  await price('2026-11-20', 2.5);
  const found = await footprint([{}, {}], (body) => {
    body.location = 'aws us-east-1';
  });
  const carbon = at(found, 'carbon');
  // Each counted 4.4 Wh; PJM had 418 g CO2e/kWh in 2025 (lifecycle).
  near(at(carbon, 'energy_wh'), 8.8);
  near(at(carbon, 'g_co2e'), (8.8 / 1000) * 418);
  assert.equal(at(carbon, 'carbon_region_code'), 'US-MIDA-PJM');
  assert.equal(at(carbon, 'emission_factor_type'), 'lifecycle');
  assert.equal(at(carbon, 'source_year'), 2025);
  // 1280 W do 1430 bf16 TFLOP/s: 0.895 J for a TFLOP, 895 J for a PFLOP; 3.6 MJ are a kWh. The data sheet says 700 W each.
  near(at(carbon, 'per_pflop', 'g_co2e_measured'), ((1280 / 1430) * 1000 * 418) / 3.6e6);
  near(at(carbon, 'per_pflop', 'g_co2e_at_tdp'), ((1400 / 1430) * 1000 * 418) / 3.6e6);
  const cost = at(found, 'cost');
  assert.equal(at(cost, 'product_slug'), 'nvidia-h100-sxm-80gb');
  near(at(cost, 'usd_per_hour'), 5);
  near(at(cost, 'usd_per_pflop_hour'), 5 / 1.43);
  assert.deepEqual(
    ['price_date', 'provider_count', 'sample_size'].map((field) => at(cost, field)),
    ['2026-11-20', 7, 120],
  );
});

test('a zip is direct, a country alone its average', async () => {
  const zip = await footprint([{}], (body) => {
    body.location = 'US 94105-1234';
  });
  assert.equal(at(zip, 'carbon', 'carbon_region_code'), 'CAMX');
  assert.equal(at(zip, 'carbon', 'emission_factor_type'), 'direct');
  assert.equal(at(await footprint([{}]), 'carbon', 'carbon_region_code'), 'SE');
  const country = await footprint([{}], (body) => {
    body.location = 'US';
  });
  assert.equal(at(country, 'carbon', 'resolved_by'), 'country, without a zip');
});

test('no figure where the energy, or the place, is not known; the reason is said', async () => {
  const reasonOf = async (change: (body: ReturnType<typeof upload>) => void): Promise<string> => {
    const found = await footprint([{}], change);
    assert.equal(at(found, 'carbon'), null);
    return textAt(found, 'carbon_reason');
  };
  const unmeasured = await reasonOf((body) => {
    const [device] = body.benchmark_results.quick_mark.test_results;
    if (!device) throw new Error('no device');
    device.energy_consumption_wh = null;
    device.unavailable = { ...device.unavailable, energy_consumption_wh: 'the driver has no counter' };
  });
  assert.match(unmeasured, /GPU 0 was not measured: the driver has no counter/);
  assert.match(await reasonOf((body) => void (body.location = null)), /location is unknown.*--location/);
  assert.match(await reasonOf((body) => void (body.location = 'rack 5')), /no factor is published for .*rack 5/);
  assert.match(await reasonOf((body) => void (body.location = 'AQ')), /no factor is published/);
});

test('a simulated machine has none, an old price is none, and neither has a card of no catalogue', async () => {
  assert.equal(await footprint([{ simulated: true }]), null);
  await price('2026-10-20', 2.5);
  assert.equal(at(await footprint([{}]), 'cost'), null, '32 days old');
  await price('2026-10-23', 2.5);
  assert.notEqual(at(await footprint([{}]), 'cost'), null, '29 days old');
  const unknown = await footprint([{ model: 'NVIDIA Nothing 9000' }]);
  assert.equal(at(unknown, 'cost'), null);
  assert.equal(at(unknown, 'carbon', 'per_pflop', 'g_co2e_at_tdp'), null);
  const mixed = await footprint([{}, { model: 'NVIDIA A100-SXM4-80GB' }]);
  assert.equal(at(mixed, 'cost'), null, 'two models have no one price');
  assert.equal(at(mixed, 'carbon', 'per_pflop', 'g_co2e_at_tdp'), null);
});

test('a job says the sums of its nodes, in its detail and beside its results', async () => {
  const job = await makeJob(app, user, { node_count: 3 });
  const nodes = [new Node(app, job), new Node(app, job), new Node(app, job)];
  for (const node of nodes) await node.register();
  const places = ['SE', 'US 94105', null];
  for (const [n, node] of nodes.entries()) {
    const body = upload(node.machineUuid, [{}, {}]);
    body.location = places[n] ?? null;
    await node.results(node.result(body));
    await node.complete();
  }
  const read = async (path: string): Promise<Json> =>
    (await call(app, 'GET', `/api/gpu-mark/v1/jobs/${job.id}${path}`, { headers: user.authorization })).body;
  const found = at(await read(''), 'footprint');
  assert.equal(at(found, 'nodes'), 3);
  // Two devices of 4.4 Wh each; 429.983 lb/MWh in CAMX. Sweden's is of another basis and is not added to it.
  assert.equal(at(found, 'carbon', 0, 'emission_factor_type'), 'lifecycle');
  assert.equal(at(found, 'carbon', 1, 'emission_factor_type'), 'direct');
  near(at(found, 'carbon', 1, 'g_co2e'), (8.8 / 1000) * ((429.983 * 453.59237) / 1000));
  assert.match(textAt(found, 'without_carbon', 0, 'reason'), /location is unknown/);
  near(at(found, 'cost', 'usd_per_hour'), 3 * 2 * 2.5);
  assert.deepEqual(at(await read('/results'), 'quick_mark', 'footprint'), found);
});
