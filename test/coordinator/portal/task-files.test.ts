import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { call, makeUser } from '../../support/client.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { browser } from './browser-session.ts';
import { eightGpus } from './world.ts';

test('what a task’s page shows has files: copies and inventory; only its owner can download the complete result as uploaded', async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const user = await makeUser(app);
  const it = browser(app);
  await it.signIn(user.email, user.password);
  const other = browser(app);
  const stranger = await makeUser(app);
  await other.signIn(stranger.email, stranger.password);
  // The second result is too large for the API's answers, so it is kept as a file.
  for (const padding of ['', 'x'.repeat(9000)]) {
    const node = new Node(app, await makeJob(app, user));
    await node.register();
    const payload = eightGpus(node.machineUuid, 1);
    const sent = payload.benchmark_results['quick_mark'] as { test_results: { details: object }[] };
    for (const device of sent.test_results) Object.assign(device.details, { device: { padding } });
    await node.results(node.result(payload));
    await node.complete();
    const here = `/tasks/${node.taskId}`;
    const rows = async (name: string): Promise<Record<string, unknown>[]> =>
      ((await (await it.get(`${here}/${name}.json`)).json()) as { results: Record<string, unknown>[] }).results;
    const copies = await rows('copies');
    assert.equal(copies.length, 56, 'ordered pairs of eight');
    assert.deepEqual(
      copies.find(({ verdict }) => verdict === 'bad'),
      {
        from_gpu: 2,
        to_gpu: 5,
        connection_type: 'NVLink x18',
        simplex_gbs: 210,
        simplex_samples: 29,
        duplex_gbs: 400,
        duplex_samples: 17,
        // Its agent said `warn`; half of what the other pairs copy is more than that.
        verdict: 'bad',
      },
    );
    const api = await call(app, 'GET', `/api/gpu-mark/v1/tasks/${node.taskId}`, { headers: user.authorization });
    const { inventory } = api.body as { inventory: { gpu: Record<string, unknown> } };
    const reported = (await rows('inventory')).filter(({ part }) => part === 'gpu');
    // The ids of the devices, which its owner alone sees, stand beside what the agent reported of them.
    const ids = Array.from({ length: 8 }, (_, index) => `id of GPU ${index}`);
    assert.deepEqual(
      reported.map(({ name }) => String(name)).toSorted(),
      [...Object.keys(inventory.gpu), ...ids].toSorted(),
    );
    const page = await (await it.get(here)).text();
    for (const path of ['copies.csv', 'inventory.csv', 'result.json']) {
      assert.ok(page.includes(`href="${here}/${path}"`), path);
      assert.deepEqual([path, (await other.get(`${here}/${path}`)).status], [path, 404]);
    }
    const { test_results } = (await (await it.get(`${here}/result.json`)).json()) as typeof sent;
    assert.deepEqual(
      test_results.map(({ details }) => details),
      sent.test_results.map(({ details }) => details),
    );
  }
});
