import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { createApp } from '../../../coordinator/app.ts';
import { networkPaths } from '../../../coordinator/contract/network-protocol.ts';
import { testApp, type TestApp } from '../../support/app.ts';
import { at, Node } from '../../coordinator/jobs/node.ts';
import { agentOf, endJob, networkJob, networkResult, runAll } from '../../coordinator/network/network-job.ts';
import type { SimulatedAgent } from '../../coordinator/network/simulated-agent.ts';

const app = await testApp({ after }, { logLevel: 'info' });

/** Another coordinator on the same database: everything of a process but the process. */
const replica = (): TestApp => ({
  ...app,
  app: createApp(app.platform, { processMetrics: false, isDraining: () => false }),
});

const plansOf = (agents: readonly SimulatedAgent[]) => agents.flatMap((agent) => [...agent.slots.keys()]);

describe('several coordinators on one database', { concurrency: true }, () => {
  test('two serve one run at the same time: every slot is planned once, and no epoch is late', async () => {
    const run = await networkJob(app, 8);
    const other = replica();
    const nodes = run.nodes.map((node, place) => (place % 2 === 0 ? node : moved(node, other)));
    const agents = nodes.map((node) => agentOf(node, run.fabric));
    await runAll({ agents });
    assert.equal(plansOf(agents).length, 56, 'both ends of 28 links');
    const starts = [...new Set(agents.flatMap((agent) => [...agent.slots.values()].map((slot) => slot.starts_at_ms)))];
    const gaps = starts.toSorted((a, b) => a - b).map((start, place, all) => start - (all[place - 1] ?? start));
    assert.deepEqual(gaps, [0, 2000, 2000, 2000, 2000, 2000, 2000], 'rounds follow without a gap');
    assert.equal(at(networkResult(await endJob(run)), 'results', 'total_links_tested'), 28);
  });

  test('one that takes over in mid-run plans on from what is stored, and loses nobody', async () => {
    const run = await networkJob(app, 8);
    let serving = app;
    const nodes = run.nodes.map((node) => steered(node, () => serving));
    const agents = nodes.map((node) => agentOf(node, run.fabric));
    const running = runAll({ agents });
    while (agents.some((agent) => agent.slots.size === 0)) await new Promise((resolve) => setTimeout(resolve, 50));
    serving = replica();
    await running;
    assert.deepEqual(
      agents.map((agent) => [agent.slots.size, agent.acked.size - 7]),
      // 7 slots and 7 dials each
      agents.map(() => [7, 7]),
    );
    const rows = await app.platform.sql<{ rows: number; ok: number; lost: number }[]>`
      select count(*)::int as rows, (count(*) filter (where status = 'ok'))::int as ok,
        (select count(*)::int from network_node n where n.job_id = ${run.job.id} and state = 'lost') as lost
      from network_link where job_id = ${run.job.id} and attempt = 1`;
    assert.deepEqual({ ...rows[0] }, { rows: 28, ok: 28, lost: 0 });
  });

  test('a node that comes back as a new process gets what remains on its old seat', async () => {
    const run = await networkJob(app, 8);
    const [first] = run.agents as [SimulatedAgent];
    const [node] = run.nodes as [Node];
    const running = runAll(run);
    while (first.slots.size === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    first.kill();
    run.fabric.dead.delete(first.node);
    await app.platform
      .sql`update task_lease set expires_at = now() - interval '1 minute' where task_id = ${node.taskId}`;
    node.sessionId = randomUUID();
    assert.equal((await node.register()).status, 200);
    const second = agentOf(node, run.fabric);
    await Promise.all([running, second.run()]);
    assert.equal(second.node, first.node);
    const rows = await app.platform.sql<{ status: string }[]>`
      select distinct status from network_link where job_id = ${run.job.id} and attempt = 1
        and (source = ${first.node} or target = ${first.node})`;
    assert.ok(rows.some(({ status }) => status === 'ok'));
    const stale = await first.call(networkPaths.poll, { have: 0 });
    assert.equal(stale.status, 409);
  });
});

/** The same node, asking another coordinator. */
function moved(node: Node, test: TestApp): Node {
  const copy = new Node(test, node.job, node.machineUuid);
  copy.taskId = node.taskId;
  copy.epoch = node.epoch;
  copy.taskSecret = node.taskSecret;
  return copy;
}

/** Each call goes to one of the replicas that serve at that moment. */
function steered(node: Node, serving: () => TestApp): Node {
  const copy = moved(node, app);
  copy.post = (path, body) => moved(node, serving()).post(path, body);
  return copy;
}
