import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { makeUser } from '../../support/client.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { upload, type Device } from '../jobs/upload.ts';
import { browser } from './browser-session.ts';

test('memory bandwidth is a share of what the sheet of the very device publishes; of a part, a processor or a simulated one it is none', async () => {
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
  // An H100 of 80 GB HBM3 has 3350 GB/s by its sheet: 2800 of them are 83.6 %.
  const whole = await shareOf({ memory: 2800 });
  assert.equal(whole.file, 2800 / 3350);
  assert.match(whole.page, /2,800<small>one value, no samples; 83\.6 % of the sheet/);
  assert.equal((await shareOf({ memory: 400 }, { gpu_id: 'MIG-1' })).file, null);
  assert.equal((await shareOf({ simulated: true })).file, null);
  assert.equal((await shareOf({ model: 'Xeon Platinum 8480C', vendor: 'cpu', memory: 300 })).file, null);
  const amd = { model: 'AMD Instinct MI300X', vendor: 'amd', memory: 500 } as const;
  const sliced = { details: { device: { partition: { compute: 'CPX', memory: 'NPS4' } } } };
  assert.equal((await shareOf(amd, sliced)).file, null);
  // 5.3 TB/s by its sheet.
  assert.equal((await shareOf({ ...amd, memory: 4000 })).file, 4000 / 5300);
});
