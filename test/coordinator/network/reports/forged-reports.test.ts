import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { networkPaths } from '../../../../coordinator/contract/network-protocol.ts';
import { testApp } from '../../../support/app.ts';
import { at, type Node } from '../../jobs/node.ts';
import { ITEM, joinBody, networkJob, stateOfRun } from '../network-job.ts';

const app = await testApp({ after }, { logLevel: 'info' });

test('a node that shares the token can do nothing on another node’s seat: join, dials, slots, plans, matrix', async () => {
  const run = await networkJob(app, 3);
  const [victim, liar] = run.nodes as [Node, Node];
  for (const agent of run.agents.slice(0, 2)) await agent.join();
  const before = await stateOfRun(app, run.job.id);
  const as = { task_id: victim.taskId, epoch: victim.epoch, item: ITEM };
  const dial = { kind: 'dial', id: 'p.0.1', status: 'unreachable', stage: null, code: null, address: null };
  const bodies: [string, object][] = [
    [networkPaths.join, joinBody(victim)],
    [networkPaths.sync, {}],
    [networkPaths.poll, { have: 0 }],
    [networkPaths.report, { reports: [{ ...dial, connect_us: null }] }],
    [networkPaths.matrix, { since: 0 }],
  ];
  for (const [path, body] of bodies) {
    const answer = await liar.post(path, { ...body, ...as });
    assert.deepEqual([answer.status, at(answer.body, 'error', 'code')], [403, 'TASK_SECRET_INVALID'], path);
  }
  assert.equal(await stateOfRun(app, run.job.id), before);
});
