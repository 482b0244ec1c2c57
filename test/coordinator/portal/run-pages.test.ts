import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MOST_POINTS } from '../../../coordinator/contract/sensor-series.ts';
import { testApp } from '../../support/app.ts';
import { call, makeUser } from '../../support/client.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { upload, type Device } from '../jobs/upload.ts';
import { browser } from './browser-session.ts';
import { eightGpus, ofTier, sensorReadings } from './world.ts';

test('task and machine pages show the same figures as the API; another customer gets 404', async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const user = await makeUser(app);
  const node = new Node(app, await makeJob(app, user));
  await node.run([{ bf16: 700 }]);
  const it = browser(app);
  await it.signIn(user.email, user.password);
  const task = await call(app, 'GET', `/api/gpu-mark/v1/tasks/${node.taskId}`, { headers: user.authorization });
  assert.match(JSON.stringify(task.body), /"bf16_tflops":700/);
  const found = await it.get(`/tasks/${node.taskId}.json`);
  assert.equal(found.status, 200);
  const { results } = (await found.json()) as { results: { metric: string; value: number | null }[] };
  assert.equal(results.find(({ metric }) => metric === 'bf16_tflops')?.value, 700);
  const shown = await (await it.get(`/tasks/${node.taskId}`)).text();
  assert.match(shown, /bf16, TFLOP\/s<\/th><td class="r">700</);
  const machine = await (await it.get(`/machines/${node.machineUuid}.json?metric=bf16_tflops`)).json();
  assert.deepEqual(
    (machine as { results: { value: number }[] }).results.map(({ value }) => value),
    [700],
  );
  assert.match(await (await it.get('/machines')).text(), new RegExp(node.machineUuid));
  const stranger = await makeUser(app);
  const other = browser(app);
  await other.signIn(stranger.email, stranger.password);
  for (const path of [`/tasks/${node.taskId}`, `/tasks/${node.taskId}.csv`, `/machines/${node.machineUuid}`])
    assert.deepEqual([path, (await other.get(path)).status], [path, 404]);
  assert.doesNotMatch(await (await other.get('/machines')).text(), new RegExp(node.machineUuid));
});

test('matrix products beyond the fields of the API are on the task’s page and in the job’s result', async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const user = await makeUser(app);
  const job = await makeJob(app, user);
  const node = new Node(app, job);
  await node.register();
  const payload = upload(node.machineUuid, [{}]);
  const [device] = payload.benchmark_results.quick_mark.test_results;
  assert.ok(device);
  Object.assign(device, { tf32_tflops: 402, mxfp4_tflops: null });
  device.unavailable = { ...device.unavailable, mxfp4_tflops: 'no unit multiplies 4-bit numbers' };
  await node.results(node.result(payload));
  await node.complete();
  const it = browser(app);
  await it.signIn(user.email, user.password);
  const shown = await (await it.get(`/tasks/${node.taskId}`)).text();
  assert.match(shown, /TF32, TFLOP\/s<\/th><td class="r">402</);
  assert.match(shown, /MXFP4 \(no unit multiplies 4-bit numbers\)/);
  assert.doesNotMatch(shown, /NVFP4/, 'not reported by this agent');
  const whole = await call(app, 'GET', `/api/gpu-mark/v1/jobs/${job.id}`, { headers: user.authorization });
  assert.match(
    JSON.stringify(whole.body),
    /"test_results":\[{"gemm":.*?"gpu_id":"GPU-0".*?"tf32_tflops":402,"machine_uuid":"[^"]*","mxfp4_tflops":null/,
  );
});

test('runs are compared by URL: differences with both spreads, why some are not comparable, nothing of other customers', async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const user = await makeUser(app);
  const first = new Node(app, await makeJob(app, user, { name: 'old driver' }));
  await first.register();
  await first.results(first.result(ofTier(eightGpus(first.machineUuid))));
  await first.complete();
  const job = await makeJob(app, user, { name: 'few samples' });
  const second = new Node(app, job);
  await second.register();
  await second.results(second.result(ofTier(upload(second.machineUuid, [{ bf16: 650 }]))));
  await second.complete();
  const it = browser(app);
  await it.signIn(user.email, user.password);
  const items = `task:${first.taskId},job:${job.id}`;
  const { results } = (await (await it.get(`/compare.json?items=${items}`)).json()) as {
    results: { metric: string; item: string; value: number | null; finding: string; because: string | null }[];
  };
  const bf16 = results.filter(({ metric }) => metric === 'bf16_tflops');
  // 715, 713 .. 701 of eight devices: their mean is 708.
  assert.deepEqual(
    bf16.map(({ item, value, finding }) => [item, value, finding]),
    [
      [`task:${first.taskId}`, 708, 'base'],
      [`job:${job.id}`, 650, 'not comparable'],
    ],
  );
  assert.match(bf16[1]?.because ?? '', /samples/);
  const text = await (await it.get(`/compare?items=${items}`)).text();
  assert.match(text, /bf16, TFLOP\/s<\/th><td class="r">708/);
  assert.match(
    text.replaceAll(/\s+/g, ' '),
    /Not comparable with the base:<\/b> run 2, [^:]*: the number of samples is not known/,
  );
  assert.match(await (await it.get('/compare?items=job:x')).text(), /must be job:ID or task:ID/);
  const stranger = await makeUser(app);
  const other = browser(app);
  await other.signIn(stranger.email, stranger.password);
  for (const path of [`/compare?items=${items}`, `/compare.csv?items=job:${job.id}`])
    assert.deepEqual([path, (await other.get(path)).status], [path, 404]);
});

test('runs of another tier, another engine or simulated devices are not compared, and the page says why', async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const user = await makeUser(app);
  const run = async (device: Device, tier: string): Promise<string> => {
    const node = new Node(app, await makeJob(app, user));
    await node.register();
    const payload = eightGpus(node.machineUuid, 0, device);
    Object.assign(payload.benchmark_results['quick_mark'] as object, { tier });
    await node.results(node.result(payload));
    await node.complete();
    return `task:${node.taskId}`;
  };
  const items = [
    await run({}, 'quick'),
    await run({ bf16: 650 }, 'quick'),
    await run({}, 'soak'),
    await run({ engine: 'vendor' }, 'quick'),
    await run({ simulated: true }, 'quick'),
  ];
  const it = browser(app);
  await it.signIn(user.email, user.password);
  const { results } = (await (await it.get(`/compare.json?items=${items.join(',')}`)).json()) as {
    results: { metric: string; item: string; finding: string; because: string | null; difference: number | null }[];
  };
  const bf16 = items.map((item) => results.find((row) => row.metric === 'bf16_tflops' && row.item === item));
  assert.deepEqual(
    bf16.map((row) => row?.because ?? row?.finding),
    [
      'base',
      'different',
      'measured for different times: tier soak here, tier quick there',
      'computed by different engines: vendor here, own there',
      'one is simulated and the other is not',
    ],
  );
  // 715, 713 .. 701 of eight devices: their mean is 708.
  assert.equal(bf16[1]?.difference?.toFixed(4), (650 / 708 - 1).toFixed(4));
  const page = await (await it.get(`/compare?items=${items.join(',')}`)).text();
  assert.match(page, /bf16 differs most: −8\.2 % in run 2/);
  assert.match(page, /<line class="whisker"/);
  assert.match(
    await (await it.get(`/compare?items=${[...items, 'job:1', 'job:2'].join(',')}`)).text(),
    /at most 6 jobs or tasks/,
  );
});

test('sensor samples are for their owner only: on the page, as CSV and JSON, also for results stored in a file', async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const user = await makeUser(app);
  const deliver = async (padding: string): Promise<string> => {
    const node = new Node(app, await makeJob(app, user));
    await node.register();
    const payload = eightGpus(node.machineUuid);
    const { test_results } = payload.benchmark_results['quick_mark'] as { test_results: { details: object }[] };
    for (const device of test_results) Object.assign(device.details, { device: { padding } });
    // One card gets too hot.
    Object.assign(test_results[3]?.details ?? {}, { readings: sensorReadings(true) });
    await node.results(node.result(payload));
    await node.complete();
    return node.taskId;
  };
  const it = browser(app);
  await it.signIn(user.email, user.password);
  const stranger = await makeUser(app);
  const other = browser(app);
  await other.signIn(stranger.email, stranger.password);
  const { power_watts, throttled } = sensorReadings(true);
  // The second result is too large for the API's answers: only its file has the samples.
  for (const padding of ['', 'x'.repeat(9000)]) {
    const here = `/tasks/${await deliver(padding)}`;
    const answer = (await (await it.get(`${here}/samples.json?device=GPU%203`)).json()) as {
      results: { device: string; power_watts: number; temperature_celsius: number | null; throttle: string }[];
    };
    assert.deepEqual(
      answer.results.map((row) => row.power_watts),
      power_watts,
    );
    assert.deepEqual(
      [answer.results[0]?.temperature_celsius, answer.results[99]?.throttle],
      [null, 'sw_power_cap hw_thermal'],
    );
    assert.equal((await (await it.get(`${here}/samples.csv`)).text()).trim().split('\r\n').length, 1 + 8 * MOST_POINTS);
    const ofFigures = /There are no samples of figures to download.*?href="([^"]+)">CSV/s;
    const [, csv = ''] = ofFigures.exec(await (await it.get(`${here}/samples`)).text()) ?? [];
    assert.match(await (await it.get(csv)).text(), /^metric,unit,device,value,p5,p95,n,/, 'the figures of the task');
    const page = await (await it.get(`${here}?device=GPU%203`)).text();
    // From the 64th point at 12.8 s to the last at 51 s.
    assert.equal(throttled[1]?.first, 64);
    assert.match(
      page,
      /GPU 3: up to 646 W, up to 92 °C, 1,200 to 1,980 MHz, held back for 38\.2 s by its power cap, hardware thermal slowdown/,
    );
    assert.match(page, /<rect class="held"/);
    for (const path of [`${here}/samples`, `${here}/samples.csv`, `${here}/samples.json?device=GPU%203`])
      assert.deepEqual([path, (await other.get(path)).status], [path, 404]);
  }
});
