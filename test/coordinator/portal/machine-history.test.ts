import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp, type TestApp } from '../../support/app.ts';
import { makeUser, signInAgain, type TestUser } from '../../support/client.ts';
import { makeJob, Node } from '../jobs/node.ts';
import type { Device } from '../jobs/upload.ts';
import { browser } from './browser-session.ts';
import { eightGpus } from './world.ts';

const MACHINE = 'same-machine';

interface Run extends Device {
  driver?: string;
  tier?: string;
}

/** Runs of one machine, each this many hours after the previous one. */
async function measure(app: TestApp, user: TestUser, runs: readonly Run[], hours: number): Promise<void> {
  for (const { driver = '580.65.06', tier = 'quick', ...device } of runs) {
    const node = new Node(app, await makeJob(app, user), MACHINE);
    await node.register();
    const payload = eightGpus(node.machineUuid, 0, device);
    Object.assign(payload.benchmark_results['quick_mark'] as object, { tier });
    for (const card of payload.gpu_info) card.driver_version = driver;
    await node.results(node.result(payload));
    await node.complete();
    app.clock.advance({ hours });
    await signInAgain(app, user);
  }
}

const fresh = async (): Promise<{ app: TestApp; user: TestUser }> => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  return { app, user: await makeUser(app) };
};

test('a machine over its runs: the spread of each as a band, and a mark in the chart where the driver changed', async () => {
  const { app, user } = await fresh();
  const drivers = ['570.10', '570.10', '580.65.06'];
  await measure(
    app,
    user,
    drivers.map((driver, at) => ({ driver, bf16: [708, 707, 703][at] ?? 0 })),
    20,
  );
  const it = browser(app);
  await it.signIn(user.email, user.password);
  const page = await (await it.get(`/machines/${MACHINE}?metric=bf16_tflops`)).text();
  assert.match(page, /bf16: 703 TFLOP\/s, −0\.7 % over 3 runs/);
  // One band per stretch of days, in each of the two widths; the driver changed once.
  assert.equal(page.match(/<path class="band"/g)?.length, 2);
  assert.equal(page.match(/<line class="mark"/g)?.length, 2);
  assert.match(page, /driver 580\.65\.06<\/text>/);
  // The 5th and 95th percentile of the samples are in the table below the chart.
  assert.match(page, /<td\s+class="r"\s*>700<\/td><td\s+class="r"\s*>718<\/td>/);
  // The first day on the axis has its year, in both widths.
  assert.equal(page.match(/>2026-11-21<\/text>/g)?.length, 2);
});

test('the line of a machine contains only runs comparable with the newest; how many are left out, and why, is stated', async () => {
  const { app, user } = await fresh();
  const runs: Run[] = [
    { bf16: 300, tier: 'soak' },
    { bf16: 900, engine: 'vendor' },
    { bf16: 100, simulated: true },
    { bf16: 700 },
    { bf16: 703 },
  ];
  await measure(app, user, runs, 24);
  const it = browser(app);
  await it.signIn(user.email, user.password);
  const page = await (await it.get(`/machines/${MACHINE}?metric=bf16_tflops`)).text();
  // 703 / 700 - 1 = 0.43 %
  assert.match(page, /bf16: 703 TFLOP\/s, \+0\.4 % over 2 runs, 3 left out/);
  assert.match(page, /3 runs are left out as not comparable with the newest/);
  for (const reason of [
    '1: one is simulated and the other is not',
    '1: computed by different engines: vendor here, own there',
    '1: measured for different times: tier soak here, tier quick there',
  ])
    assert.ok(page.includes(reason), reason);
  const { results, total } = (await (await it.get(`/machines/${MACHINE}.json?metric=bf16_tflops`)).json()) as {
    results: { value: number; tier: string }[];
    total: number;
  };
  assert.deepEqual([total, results.map(({ value }) => value)], [5, [703, 700, 100, 900, 300]]);
});

test('the runs of a machine are paginated, fully counted and filtered by days, and driver changes without a mark are counted', async () => {
  const { app, user } = await fresh();
  const runs = Array.from({ length: 11 }, (_, at): Run => ({ bf16: 700 + at, driver: `580.${at}` }));
  await measure(app, user, runs, 24);
  const it = browser(app);
  await it.signIn(user.email, user.password);
  const text = async (query: string): Promise<string> => (await it.get(`/machines/${MACHINE}?${query}`)).text();
  const whole = await text('per_page=4&page=2');
  assert.match(whole, /11 runs with figures/);
  assert.match(whole, /5 to 8 of 11/);
  // Ten changes between eleven runs; the last run of a page counts too, although the run before it is on the next page.
  assert.match(whole, /The newest 8 of 10 changes of the driver are marked/);
  assert.equal(whole.match(/<strong>changed<\/strong>/g)?.length, 4);
  const some = (await (await it.get(`/machines/${MACHINE}.json?from=2026-11-23&to=2026-11-25`)).json()) as {
    total: number;
    results: { ended_at: string }[];
  };
  assert.deepEqual(
    [some.total, some.results.map(({ ended_at }) => ended_at.slice(0, 10))],
    [3, ['2026-11-25', '2026-11-24', '2026-11-23']],
  );
  assert.match(await text('from=2027-01-01'), /Show all days/);
  assert.equal((await it.get(`/machines/${MACHINE}?from=2026-11-25&to=2026-11-23`)).status, 422);
  assert.equal((await it.get('/machines/no-such-machine?from=2026-11-23')).status, 404);
});
