import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { makeUser } from '../../support/client.ts';
import { at, getJob, makeJob, Node } from './node.ts';

test('a job goes from created over a node that registers, beats, delivers and completes to completed', async (t) => {
  const app = await testApp(t, { now: new Date('2026-11-21T12:00:00Z') });
  const user = await makeUser(app);
  const job = await makeJob(app, user);
  assert.equal(at(await getJob(app, user, job.id), 'state'), 'created');

  const node = new Node(app, job);
  const registered = await node.register();
  assert.equal(registered.status, 200, JSON.stringify(registered.body));
  assert.equal(at(registered.body, 'job', 'state'), 'running', 'the only node is all nodes');
  const beat = await node.beat('measuring');
  assert.deepEqual(beat.body, {
    task_state: 'running',
    job_state: 'running',
    heartbeat_seconds: 10,
    lease_seconds: 45,
    stop: null,
  });
  app.clock.advance({ seconds: 30 });
  const delivered = await node.deliver();
  assert.equal(delivered.status, 200, JSON.stringify(delivered.body));
  assert.equal(at(delivered.body, 'task_state'), 'uploading');
  assert.deepEqual((await node.complete()).body, { task_state: 'completed', job_state: 'completed' });

  const done = await getJob(app, user, job.id);
  assert.equal(at(done, 'state'), 'completed');
  assert.equal(at(done, 'started_at'), '2026-11-21T12:00:00.000Z');
  assert.equal(at(done, 'ended_at'), '2026-11-21T12:00:30.000Z');
  assert.equal(at(done, 'current_nodes'), 1);
  assert.equal(at(done, 'tasks', 0, 'gpu_model'), 'NVIDIA H100 80GB HBM3');
  assert.equal(
    at(done, 'tasks', 0, 'benchmark_results', 'quick_mark', 'results', 'test_results', 0, 'bf16_tflops'),
    715,
  );
  assert.equal(at(done, 'benchmark_results', 'quick_mark', 'results', 'aggregate_results', 'bf16_tflops'), 715);
  assert.equal(at(done, 'token'), null, 'a job that has ended shows no token');
});
