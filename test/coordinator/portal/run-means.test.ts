import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readJointMeans, readRunMeans } from '../../../coordinator/portal/pages/run-means.ts';
import { selectResultIds } from '../../../coordinator/portal/queries/node-results.ts';
import { testApp } from '../../support/app.ts';
import { makeUser } from '../../support/client.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { eightGpus } from './world.ts';

test('a run of several nodes is one mean device, mixed if they differ, and a process reads its results only once', async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const { sql } = app.platform;
  const user = await makeUser(app);
  const job = await makeJob(app, user, { node_count: 2 });
  for (const [place, tier] of ['quick', 'soak'].entries()) {
    const node = new Node(app, job, `machine-${place}`);
    await node.register();
    const payload = eightGpus(node.machineUuid, place);
    Object.assign(payload.benchmark_results['quick_mark'] as object, { tier });
    await node.results(node.result(payload));
    await node.complete();
  }
  const ids = (await selectResultIds(sql, { jobId: job.id, customerId: user.customerId }))
    .map(({ result_id }) => result_id)
    .toSorted();
  let statements = 0;
  const counted = new Proxy(sql, {
    apply: (target, self, given) => {
      statements += 1;
      return Reflect.apply(target, self, given) as unknown;
    },
  });
  const joint = await readJointMeans(counted, ids);
  // 715, 713 .. 701 TFLOP/s on one node, 5 less on the other.
  assert.equal(joint.figures.get('bf16_tflops')?.value, (708 + 703) / 2);
  assert.match(joint.hardware, /^16 x /);
  assert.equal(joint.run.tier, 'mixed');
  assert.equal(statements, 1);
  assert.equal(await readJointMeans(counted, ids), joint);
  assert.equal(statements, 1);
  const each = await readRunMeans(counted, ids);
  assert.deepEqual(
    ids.map((id) => [each.get(id)?.run.tier, each.get(id)?.figures.get('bf16_tflops')?.value]),
    [
      ['quick', 708],
      ['soak', 703],
    ],
  );
  // A node that one page has read is cached for the other.
  statements = 0;
  assert.equal(await readJointMeans(counted, ids.slice(0, 1)), each.get(ids[0] ?? ''));
  assert.equal(statements, 0);
  assert.deepEqual((await readJointMeans(sql, [])).figures.size, 0);
});
