import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { makeUser } from '../../support/client.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { browser } from './browser-session.ts';
import { eightGpus } from './world.ts';

test('the tables of a job are lists with files: nodes, each device alone and with all, copies; the task has its own matrix and doubts', async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const user = await makeUser(app);
  const job = await makeJob(app, user, { node_count: 2 });
  const made = [new Node(app, job), new Node(app, job)];
  for (const node of made) await node.register();
  for (const [place, node] of made.entries()) {
    const payload = eightGpus(node.machineUuid, place);
    const { test_results } = payload.benchmark_results['quick_mark'] as { test_results: object[] };
    const doubt = { bf16_tflops: { verdict: 'warn', rule: 'spread: 14 % is above 10 %' } };
    for (const device of test_results.slice(2, 4)) Object.assign(device, { verdicts: doubt });
    await node.results(node.result(payload));
  }
  for (const node of made) await node.complete();
  const it = browser(app);
  await it.signIn(user.email, user.password);
  const text = async (path: string): Promise<string> => (await it.get(path)).text();
  const rows = async (path: string): Promise<Record<string, unknown>[]> =>
    (JSON.parse(await text(path)) as { results: Record<string, unknown>[] }).results;
  const copies = await rows(`/jobs/${job.id}/copies.json`);
  // 8 x 7 ordered pairs on each of two nodes.
  assert.equal(copies.length, 112);
  const [worst] = copies.toSorted((a, b) => Number(a['simplex_gbs']) - Number(b['simplex_gbs']));
  assert.deepEqual([worst?.['node'], worst?.['from_gpu'], worst?.['to_gpu'], worst?.['simplex_gbs']], [1, 2, 5, 210]);
  const together = await rows(`/jobs/${job.id}/together.json`);
  // Two figures of eight devices on two nodes.
  assert.equal(together.length, 32);
  assert.deepEqual([...new Set(together.map((row) => row['change_share']))], [-0.14, -0.01]);
  const nodes = await rows(`/jobs/${job.id}/nodes.json`);
  // 715, 713 .. 701 of the first node's eight devices.
  assert.equal(nodes.find(({ node }) => node === 0)?.['bf16_tflops'], 5664);
  const page = await text(`/jobs/${job.id}`);
  for (const name of ['nodes', 'together', 'copies'])
    assert.match(page, new RegExp(`href="/jobs/${job.id}/${name}.csv"`));
  const task = await text(`/tasks/${made[1]?.taskId ?? ''}`);
  assert.match(task, /GPU 2 → GPU 5, 210 GB\/s/);
  // One rule, told once for both of its devices, with what to do, before the figures.
  assert.match(task, /bf16 of GPU-2, GPU-3: spread: 14 % is above 10 %/);
  assert.ok(task.indexOf('in doubt, worst first') < task.indexOf('Figures by device'));
  assert.match(task, /<b>Do:<\/b>\s+Stop other work on the machine/);
});
