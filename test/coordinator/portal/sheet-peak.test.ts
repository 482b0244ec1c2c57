import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { makeUser } from '../../support/client.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { upload, type Device } from '../jobs/upload.ts';
import { browser } from './browser-session.ts';

test('memory bandwidth is a fraction of the data sheet’s value for exactly this device; there is none for a partition, a processor or a simulated device', async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const user = await makeUser(app);
  const it = browser(app);
  await it.signIn(user.email, user.password);
  const shareOf = async (device: Device, facts: object = {}): Promise<{ file: unknown; page: string }> => {
    const node = new Node(app, await makeJob(app, user));
    await node.register();
    const payload = upload(node.machineUuid, [device]);
    const [given] = payload.benchmark_results.quick_mark.test_results;
    Object.assign(given ?? {}, facts);
    await node.results(node.result(payload));
    await node.complete();
    const { results } = (await (await it.get(`/tasks/${node.taskId}.json`)).json()) as {
      results: Record<string, unknown>[];
    };
    return {
      file: results.find(({ metric }) => metric === 'memory_bandwidth_gbs')?.['fraction_of_spec_peak'],
      page: await (await it.get(`/tasks/${node.taskId}`)).text(),
    };
  };
  // An H100 with 80 GB HBM3 has 3350 GB/s by its data sheet: 2800 are 83.6 % of that.
  const whole = await shareOf({ memory: 2800 });
  assert.equal(whole.file, 2800 / 3350);
  assert.match(whole.page, /2,800<small>83\.6 % of the sheet/);
  assert.equal(whole.page.match(/>[^<]*one value, no samples/g)?.length, 1, 'once, in the caption');
  assert.equal((await shareOf({ memory: 400 }, { gpu_id: 'MIG-1' })).file, null);
  assert.equal((await shareOf({ simulated: true })).file, null);
  assert.equal((await shareOf({ model: 'Xeon Platinum 8480C', vendor: 'cpu', memory: 300 })).file, null);
  const amd = { model: 'AMD Instinct MI300X', vendor: 'amd', memory: 500 } as const;
  const sliced = { details: { device: { partition: { compute: 'CPX', memory: 'NPS4' } } } };
  assert.equal((await shareOf(amd, sliced)).file, null);
  // 5.3 TB/s by its data sheet.
  assert.equal((await shareOf({ ...amd, memory: 4000 })).file, 4000 / 5300);
});

test('a task’s page and files have the figures without a field of their own, of small and of large results, for their owner and on shared pages', async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const user = await makeUser(app);
  const it = browser(app);
  await it.signIn(user.email, user.password);
  const stats = { n: 107, min: 47.9, max: 55, median: 52.2, p5: 48.6, p95: 54.6, cv: 0.037 };
  // The second result is too large for the API's answers, so that only its file still has the records.
  for (const padding of ['', 'x'.repeat(9000)]) {
    const node = new Node(app, await makeJob(app, user));
    await node.register();
    const payload = upload(
      node.machineUuid,
      Array.from({ length: 8 }, () => ({})),
    );
    const given = payload.benchmark_results.quick_mark.test_results;
    for (const device of given) Object.assign(device.details, { device: { padding } });
    Object.assign(given[0]?.details ?? {}, {
      fp64_tflops: { value: 52.2, stats, verified: true, path: 'cublasLt' },
      // The data sheet of an H100 SXM states 66.9 TFLOP/s, so this is 97.46 % of it.
      fma_fp32_tflops: { value: 65.2, stats: null, verified: true },
      serial_of_mine_1653: { value: 7 },
    });
    await node.results(node.result(payload));
    await node.complete();
    const page = await (await it.get(`/tasks/${node.taskId}`)).text();
    assert.match(page, /fp64, TFLOP\/s[^]*?52\.2<small>n 107, 48\.6 to 54\.6/);
    assert.match(page, /fp32 multiply-add peak, TFLOP\/s[^]*?65\.2<small>97\.5 % of the sheet/);
    assert.ok(!page.includes('serial_of_mine'), 'a name that the agent made up');
    const { results } = (await (await it.get(`/tasks/${node.taskId}.json`)).json()) as {
      results: Record<string, unknown>[];
    };
    const fp64 = results.find(({ metric }) => metric === 'fp64_tflops');
    assert.deepEqual([fp64?.['value'], fp64?.['p5'], fp64?.['n'], fp64?.['verdict']], [52.2, 48.6, 107, 'ok']);
  }
});

test('a task’s page shows only checked values: nothing outside the fields, failed checks by their verdict, each device its own', async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const user = await makeUser(app);
  const it = browser(app);
  await it.signIn(user.email, user.password);
  const node = new Node(app, await makeJob(app, user));
  await node.register();
  const payload = upload(node.machineUuid, [{ memory: 1000 }, {}]);
  const [first, second] = payload.benchmark_results.quick_mark.test_results;
  assert.ok(first && second);
  // An upload may give two devices the same name, add a field of its own, and claim a share of the sheet's peak.
  Object.assign(first, {
    gpu_id: 'GPU-0',
    fp64_tflops: 9e9,
    gemm: { memory_bandwidth_gbs: { engine: 'own', fraction_of_spec_peak: 0.99, spec_peak_tflops: null } },
    verdicts: { march_passes: { verdict: 'bad', rule: 'verification: a bit of the memory flipped' } },
  });
  Object.assign(first.details, { fp64_tflops: { value: 52, verified: true, path: 'cublasLt' } });
  Object.assign(second, { gpu_id: 'GPU-0' });
  Object.assign(second.details, { fp64_tflops: { value: 48, verified: true, path: 'cublasLt' } });
  await node.results(node.result(payload));
  await node.complete();
  const { results } = (await (await it.get(`/tasks/${node.taskId}.json`)).json()) as {
    results: Record<string, unknown>[];
  };
  const of = (metric: string) => results.filter((row) => row['metric'] === metric);
  assert.deepEqual(
    of('fp64_tflops').map(({ value }) => value),
    [52, 48],
  );
  // 3350 GB/s by its data sheet.
  assert.equal(of('memory_bandwidth_gbs')[0]?.['fraction_of_spec_peak'], 1000 / 3350);
  assert.deepEqual(
    of('march_passes').map(({ value, verdict }) => [value, verdict]),
    [
      [null, 'bad'],
      [null, null],
    ],
  );
  const page = await (await it.get(`/tasks/${node.taskId}`)).text();
  assert.match(
    page.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' '),
    /bad: GPU 0: memory march: a bit of the memory flipped/,
  );
  assert.match(page, /Memory march, passes[^]*?✗ verification</);
});
