import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { networkPaths, type NetworkReport } from '../../../coordinator/contract/network-protocol.ts';
import { testApp } from '../../support/app.ts';
import { at, textAt, type Node } from '../../coordinator/jobs/node.ts';
import { healthyFabric } from '../../coordinator/network/fabric.ts';
import {
  agentOf,
  endJob,
  networkJob,
  networkResult,
  runAll,
  evidenceOfJob,
} from '../../coordinator/network/network-job.ts';
import type { SimulatedAgent } from '../../coordinator/network/simulated-agent.ts';

const app = await testApp({ after }, { logLevel: 'info' });

/** The first slots of an agent, waited for by its own polls. */
async function firstSlots(agent: SimulatedAgent): Promise<void> {
  while (agent.slots.size === 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

const statuses = async (jobId: string) =>
  app.platform.sql<{ source: number; target: number; status: string | null; attempt: number; phase: string }[]>`
    select source, target, status, attempt, phase from network_link where job_id = ${jobId} order by link, attempt`;

describe('faults', { concurrency: true }, () => {
  test('a pair that no dial connects is unreachable, the others are measured, and who blocks inbound dials', async () => {
    // 0 and 1 do not see each other; nobody can dial 4
    const fabric = healthyFabric({ reaches: (from, to) => to !== 4 && Math.abs(from - to) + from + to !== 2 });
    const run = await networkJob(app, 5, { fabric });
    await runAll(run);
    const job = await endJob(run);
    const results = at(networkResult(job), 'results');
    assert.equal(at(results, 'total_links_tested'), 9);
    assert.deepEqual(at(results, 'links_failed'), { unreachable: 1 });
    const rows = await statuses(run.job.id);
    assert.deepEqual(
      rows.filter(({ status }) => status !== 'ok').map(({ source, target, phase }) => [source, target, phase]),
      [[0, 1, 'preflight']],
    );
    const dialledByFour = [...(run.agents[4]?.slots.values() ?? [])].map(({ role }) => role);
    assert.deepEqual(dialledByFour, ['dial', 'dial', 'dial', 'dial']);
    assert.equal(at(job, 'state'), 'completed_with_warnings');
  });

  test('dials that fail once are repeated before anybody is judged', async () => {
    const tried = new Set<string>();
    // nobody can dial 2 at first, as where its machine is busy; the second try of each works
    const reaches = (from: number, to: number): boolean => {
      const known = tried.has(`${from} ${to}`);
      tried.add(`${from} ${to}`);
      return to !== 2 || known;
    };
    const run = await networkJob(app, 4, { fabric: healthyFabric({ reaches }) });
    await runAll(run);
    const results = at(networkResult(await endJob(run)), 'results');
    assert.deepEqual(at(results, 'bad_nodes'), []);
    assert.deepEqual(at(results, 'one_way_pairs'), []);
    assert.equal(at(results, 'total_links_tested'), 6);
    const dialled = run.agents.map(({ plans }) =>
      plans.flatMap((plan) => (plan.kind === 'preflight' ? plan.dials.map(({ id }) => id) : [])),
    );
    assert.deepEqual(dialled[0], ['p.0.1', 'p.0.2', 'p.0.3', 'p2.0.2'], 'only what had failed, under an id of its own');
    assert.deepEqual(dialled[2], ['p.2.0', 'p.2.1', 'p.2.3']);
  });

  test('two halves that do not see each other are two partitions', async () => {
    const fabric = healthyFabric({ reaches: (from, to) => from < 2 === to < 2 });
    const run = await networkJob(app, 4, { fabric });
    await runAll(run);
    const job = await endJob(run);
    const partitions = at(networkResult(job), 'results', 'partitions');
    assert.deepEqual(
      (partitions as number[][]).toSorted(([a = 0], [b = 0]) => a - b),
      [
        [0, 1],
        [2, 3],
      ],
    );
    assert.match((await evidenceOfJob(run)).join(' '), /2 groups that do not reach each other/);
  });

  test('the links of a node that dies are node_lost, no other suffers, and the run ends', async () => {
    const run = await networkJob(app, 6);
    const [victim] = run.agents as [SimulatedAgent];
    const others = run.agents.slice(1);
    const running = runAll(run);
    await firstSlots(victim);
    victim.kill();
    await running;
    for (const agent of others) assert.equal(agent.ended?.outcome, 'completed');
    const rows = await statuses(run.job.id);
    assert.equal(rows.filter(({ attempt }) => attempt === 1).length, 15);
    for (const { source, target, status } of rows.filter(({ attempt }) => attempt === 1))
      assert.equal(status, source === 0 || target === 0 ? 'node_lost' : 'ok', `${source}-${target}`);
    const job = await endJob(run);
    assert.match(JSON.stringify(at(networkResult(job), 'results', 'bad_nodes')), /"lost"/);
    assert.equal(at(job, 'state'), 'completed_with_warnings');
  });

  test('a report counts once however often it is repeated, also if it is late; a stranger’s is refused', async () => {
    const run = await networkJob(app, 3);
    const [a, b, c] = run.agents as [SimulatedAgent, SimulatedAgent, SimulatedAgent];
    const running = runAll(run);
    await firstSlots(a);
    const [slot] = [...a.slots.values()];
    assert.ok(slot);
    const stranger = [a, b, c].find((agent) => agent.node !== a.node && agent.node !== slot.node);
    assert.ok(stranger);
    const asked = async (agent: SimulatedAgent, report: NetworkReport) =>
      (await agent.call(networkPaths.report, { reports: [report] })).body;
    const foreign = await asked(stranger, stranger.measured(slot));
    assert.deepEqual(foreign, { acked: [], refused: [{ id: slot.id, reason: 'no slot of this node has that id' }] });
    const unknown = await asked(a, { ...a.measured(slot), id: '2.9' });
    assert.equal((unknown as { acked: string[] }).acked.length, 0);
    const first = a.measured(slot);
    assert.deepEqual(await asked(a, first), { acked: [slot.id], refused: [] });
    const altered = { ...first, received: { gbps: 1, bytes: 1, window_ms: 1 } };
    assert.deepEqual(await asked(a, altered as NetworkReport), { acked: [slot.id], refused: [] });
    await running;
    const [row] = await app.platform.sql<{ own: number; rows: number }[]>`
      select (case when source = ${a.node} then source_report else target_report end -> 'received' ->> 'gbps')::float8 as own,
        (select count(*)::int from network_link l where l.job_id = network_link.job_id) as rows
      from network_link where job_id = ${run.job.id} and link || '.' || attempt = ${slot.id}`;
    assert.deepEqual(row, { own: run.fabric.gbps(slot.node, a.node, 1), rows: 3 });
    // the run has ended: acknowledged, so that the agent may forget it, and nothing changes
    assert.deepEqual(await asked(a, altered as NetworkReport), { acked: [slot.id], refused: [] });
  });

  test('a link that is slow with others and good alone is contended; one that stays slow is bad', async () => {
    const slow = (from: number, to: number, pair: [number, number]) => from === pair[0] && to === pair[1];
    const fabric = healthyFabric({
      gbps: (from, to, attempt) => (slow(from, to, [1, 4]) ? 3 : slow(from, to, [0, 5]) && attempt === 1 ? 4 : 10),
    });
    const run = await networkJob(app, 8, { fabric });
    await runAll(run);
    const results = at(networkResult(await endJob(run)), 'results');
    assert.deepEqual(
      (at(results, 'bad_links') as { source_node: number; target_node: number; verdict: string }[]).map(
        ({ source_node, target_node, verdict }) => [source_node, target_node, verdict],
      ),
      [[1, 4, 'slow']],
    );
    assert.equal((at(results, 'contended_links') as number[]).length, 1);
    assert.deepEqual(at(results, 'bad_nodes'), []);
    const alone = (await statuses(run.job.id)).filter(({ phase }) => phase === 'retests');
    assert.deepEqual(
      alone.map(({ source, target, attempt }) => [source, target, attempt]),
      [
        [0, 5, 2],
        [0, 5, 3],
        [1, 4, 2],
        [1, 4, 3],
      ],
    );
  });

  test('clocks that are wrong by days start their slots at the planned time', async () => {
    const day = 86_400_000;
    const run = await networkJob(app, 4);
    const aheads = [-day, -5000, 300_000, day];
    const agents = run.nodes.map((node, at) => agentWithClock(node, run.fabric, aheads[at] ?? 0));
    await runAll({ agents });
    const errors = agents.flatMap((agent) => agent.startErrors);
    assert.equal(errors.length, 12);
    // A machine that is busy starts some late; a clock that is believed is wrong for all, by 5 s at least.
    for (const { startErrors } of agents)
      assert.ok(Math.min(...startErrors.map(Math.abs)) < 2500, `start errors: ${startErrors.join(', ')} ms`);
  });

  test('time that is over leaves links unmeasured and says so', async () => {
    const run = await networkJob(app, 5, { config: { timeout: 10, graph: 'full' } });
    await runAll(run);
    const results = at(networkResult(await endJob(run)), 'results');
    assert.ok(Number(at(results, 'total_links_tested')) < 10);
    assert.ok(Number(at(results, 'total_links_tested')) > 0);
    assert.match(JSON.stringify(at(results, 'notes')), /unmeasured/);
  });

  test('every node with the same library: its id comes from the first node and reaches all; the figures stand in the result, with what the host bounded', async () => {
    const collective = { library: 'nccl', version: '2.30.1', devices: 2, simulated: true };
    const run = await networkJob(app, 2, {
      config: { collective: 'auto', timeout: 120 },
      agent: { capabilities: { collective } },
    });
    await runAll(run);
    const job = await endJob(run);
    const results = at(networkResult(job), 'results');
    assert.equal(at(results, 'allreduce_bandwidth_gbs'), 1.5);
    assert.equal(at(results, 'collective', 'ranks'), 4);
    const heldOf = (kind: string, ...sizes: number[]) =>
      sizes.map((place) => at(results, 'collective', kind, place, 'held_until_enqueued'));
    assert.deepEqual([heldOf('all_reduce', 0), heldOf('broadcast', 0, 1)], [[true], [false, undefined]]);
    const plans = run.agents.map((agent) => agent.plans.filter(({ kind }) => kind === 'collective').length);
    assert.deepEqual(
      plans.toSorted((x, y) => x - y),
      [1, 2],
    );
  });

  test('an explicit transport that nodes do not offer fails the run with the reason', async () => {
    const run = await networkJob(app, 2, { config: { transport: 'rdma_host' } });
    await runAll(run);
    assert.equal(run.agents[0]?.ended?.outcome, 'failed');
    assert.match(
      textAt(networkResult(await endJob(run)), 'error_message'),
      /asks for rdma_host, which .* do not offer/,
    );
  });

  test('RDMA that all offer and one pair does not prove is left for TCP, with a note', async () => {
    const device = { device: 'mlx5_0', port: 1, link_layer: 'InfiniBand', rate_gbps: 400, gid_index: null };
    const rdma = { perftest_version: '6.25', gpu_memory: false, json: true, devices: [{ ...device, numa_node: null }] };
    const run = await networkJob(app, 3, { agent: { capabilities: { rdma } } });
    const bad = run.agents[2] as SimulatedAgent;
    const measured = bad.measured.bind(bad);
    bad.measured = (slot, startedAt) =>
      slot.check_only
        ? ({ ...measured(slot, startedAt), status: 'transport_error' } as NetworkReport)
        : measured(slot, startedAt);
    await runAll(run);
    const results = at(networkResult(await endJob(run)), 'results');
    assert.equal(at(results, 'transport'), 'tcp');
    assert.match(
      textAt(results, 'transport_note'),
      /rdma_host was not used: its check failed between .*transport_error/,
    );
    assert.equal(at(results, 'total_links_tested'), 3);
    const ring = (await statuses(run.job.id)).filter(({ phase }) => phase === 'ring');
    assert.equal(ring.length, 3);
  });
});

const agentWithClock = (node: Node, fabric: ReturnType<typeof healthyFabric>, clockAheadMs: number) =>
  agentOf(node, fabric, { clockAheadMs });

test('the live matrix shows every link once it is known, and after that only what is new', async () => {
  const run = await networkJob(app, 3);
  await runAll(run);
  const [agent] = run.agents as [SimulatedAgent];
  type Matrix = { version: number; nodes: unknown[]; cells: { status: string; forward_gbps: number }[] };
  const ask = async (since: number) => (await agent.call(networkPaths.matrix, { since })).body as Matrix;
  const whole = await ask(0);
  assert.equal(whole.cells.length, 3);
  assert.equal(whole.nodes.length, 3);
  assert.ok(whole.cells.every(({ status, forward_gbps }) => status === 'ok' && forward_gbps > 9));
  assert.deepEqual((await ask(whole.version)).cells, []);
});
