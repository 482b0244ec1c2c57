import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { signedIn } from './browser-session.ts';
import { listRows } from './list-rows.ts';
import { eightGpus } from './world.ts';

test('the list of a job’s nodes and its files have the order of the page that links to them: as they came, or worst first', async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const { user, it } = await signedIn(app);
  const job = await makeJob(app, user, { node_count: 4 });
  const made = Array.from({ length: 4 }, (_, n) => new Node(app, job, `machine-${n}`));
  for (const node of made) await node.register();
  // Eight devices are 40 TFLOP/s slower from one place to the next: node 1 is the slowest, node 3 has a warning.
  for (const [n, place] of [0, 2, 1, 0].entries()) {
    const node = made[n] ?? assert.fail();
    await node.results(node.result(eightGpus(node.machineUuid, place)));
    await node.complete(n === 3 ? ['GPU 3: spread of bf16 above 10 %'] : []);
  }
  const taskIds = made.map(({ taskId }) => taskId);
  for (const [query, expected] of [
    ['', [0, 1, 2, 3]],
    // Node 2 has a slow copy beside the loss that all have, node 3 a warning.
    ['?order=worst', [2, 3, 1, 0]],
  ] as const) {
    const page = await (await it.get(`/jobs/${job.id}${query}`)).text();
    const cards = [...page.matchAll(/<h3>\s*<a href="\/tasks\/(\d+)"/g)].map(([, id = '']) => taskIds.indexOf(id));
    assert.deepEqual(cards, expected, `/jobs/ID${query}`);
    for (const ending of ['', '.csv', '.json'])
      assert.ok(page.includes(`href="/jobs/${job.id}/nodes${ending}${query}"`), `${ending}${query}`);
    const { rows } = await listRows(it, `/jobs/${job.id}/nodes${query}`);
    assert.deepEqual(
      rows.map(({ node }) => node),
      expected,
      `files${query}`,
    );
    const list = await (await it.get(`/jobs/${job.id}/nodes${query}`)).text();
    const listed = [...list.matchAll(/<th scope="row"[^>]*>\s*(\d)\s*<\/th>/g)].map(([, node]) => Number(node));
    assert.deepEqual(listed, expected, `/jobs/ID/nodes${query}`);
    assert.ok(list.includes(`href="/jobs/${job.id}/nodes.csv${query}"`), `the list’s own files${query}`);
  }
});
