import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { networkPaths } from '../../../coordinator/contract/network-protocol.ts';
import { testApp } from '../../support/app.ts';
import { at } from '../../coordinator/jobs/node.ts';
import { healthyFabric } from '../../coordinator/network/fabric.ts';
import { endJob, networkJob, networkResult, runAll } from '../../coordinator/network/network-job.ts';
import type { SimulatedAgent } from '../../coordinator/network/simulated-agent.ts';

const app = await testApp({ after });

interface Attempt {
  source: number;
  target: number;
  attempt: number;
  repeated: boolean;
  status: string | null;
  verdict: string | null;
  phase: string;
}

test('slots that a node missed are planned once more and their links are good; a slot missed twice is measured alone', async () => {
  // 2 gets none of its slots in time, and that with 0 not the second time either
  const fabric = healthyFabric({ misses: (node, slot) => node === 2 && (slot.endsWith('.1') || slot === '1.1r') });
  const run = await networkJob(app, 4, { fabric });
  const [late] = run.agents.slice(2) as [SimulatedAgent];
  const running = runAll(run);
  while (![...late.slots.keys()].some((id) => id.endsWith('r'))) await delay(20);
  const missed = late.slots.get('5.1');
  assert.ok(missed);
  const stale = { ...late.measured({ ...missed, id: '5.1r' }), id: '5.1' };
  const answer = await late.call(networkPaths.report, { reports: [stale] });
  assert.deepEqual(answer.body, { acked: ['5.1'], refused: [] }, 'a late report of the slot before is ignored');
  await running;
  const rows = await app.platform.sql<Attempt[]>`
    select source, target, attempt, repeated, status, verdict, phase from network_link
    where job_id = ${run.job.id} order by link, attempt`;
  const ok = { status: 'ok', verdict: 'good', attempt: 1, phase: 'rounds', repeated: false };
  const alone = { source: 0, target: 2, status: 'ok', verdict: 'unstable', repeated: false, phase: 'retests' };
  assert.deepEqual(
    [...rows],
    [
      { ...ok, source: 0, target: 1 },
      { ...ok, source: 0, target: 2, repeated: true, status: 'timeout', verdict: 'unstable' },
      { ...alone, attempt: 2 },
      { ...alone, attempt: 3 },
      { ...ok, source: 0, target: 3 },
      { ...ok, source: 1, target: 2, repeated: true },
      { ...ok, source: 1, target: 3 },
      { ...ok, source: 2, target: 3, repeated: true },
    ],
  );
  const results = at(networkResult(await endJob(run)), 'results');
  assert.deepEqual(at(results, 'bad_nodes'), []);
  assert.equal(at(results, 'total_links_tested'), 5, 'six but for the one that was missed twice');
});
