import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { call, makeUser } from '../../support/client.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { browser } from './browser-session.ts';
import { eightGpus } from './world.ts';

test('task and machine pages show the figures that the API has; another customer gets 404', async () => {
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
  assert.match(shown, /700 TFLOP\/s/);
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

test('runs are compared by URL: differences beside both spreads, why some are not comparable, nothing of others', async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const user = await makeUser(app);
  const first = new Node(app, await makeJob(app, user, { name: 'old driver' }));
  await first.register();
  await first.results(first.result(eightGpus(first.machineUuid)));
  await first.complete();
  const job = await makeJob(app, user, { name: 'few samples' });
  const second = new Node(app, job);
  await second.run([{ bf16: 650 }]);
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
  assert.match(text, /708 TFLOP\/s/);
  assert.match(text, /not comparable because the number of samples is not known/);
  assert.match(await (await it.get('/compare?items=job:x')).text(), /must be job:ID or task:ID/);
  const stranger = await makeUser(app);
  const other = browser(app);
  await other.signIn(stranger.email, stranger.password);
  for (const path of [`/compare?items=${items}`, `/compare.csv?items=job:${job.id}`])
    assert.deepEqual([path, (await other.get(path)).status], [path, 404]);
});
