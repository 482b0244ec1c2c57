import assert from 'node:assert/strict';
import { blockInbound } from '../../support/netns-lab/faults/block-inbound.ts';
import { partition } from '../../support/netns-lab/faults/partition.ts';
import { unplug } from '../../support/netns-lab/faults/unplug.ts';
import { assertFindings, assertLinks, findings } from './findings.ts';
import type { Scenario, Stage } from './scenario.ts';
import { startCluster, type ClusterResult } from './start-cluster.ts';

/** Nodes that cannot be reached or that stop: the run still ends, names them and keeps what was measured. */
export const cutOffAndDead: Scenario = {
  title:
    '8 nodes: a pair cut off from each other, a host that accepts no connections, and in mid-run one node killed, one stopped, one unplugged: the rest is measured, every fault is named',
  run: async (stage) => {
    const { fabric, result } = await struckInMidRun(stage);
    assertFindings(result, {
      nodes: [
        { node: 2, reason: 'inbound_blocked', direction: 'rx' },
        { node: 5, reason: 'lost', direction: null },
        { node: 6, reason: 'lost', direction: null },
        { node: 7, reason: 'failing', direction: null },
      ],
      links: [{ from: 0, to: 1, verdict: 'unreachable' }],
    });
    assertDialsFromOnly(result, 2);
    assertLinks(result, fabric, (from, to) => from < 5 && to < 5 && from + to !== 1);
  },
};

async function struckInMidRun(stage: Stage) {
  const fabric = await stage.site.lab.addFabric({ nodes: 8, rate_mbit: 20 });
  await partition(fabric, [0], [1]);
  await blockInbound(fabric, 2);
  const run = await startCluster(stage, fabric);
  await run.untilEvent(({ state }) => state === 'rounds');
  run.agents.get(5)?.signal('SIGKILL');
  run.agents.get(6)?.signal('SIGSTOP');
  await unplug(fabric, 7);
  return { fabric, result: await run.result() };
}

export const cutOffGroups: Scenario = {
  title: '8 nodes: a pair cut off from each other, a group cut off from a node, and a host that accepts no connections',
  run: async (stage) => {
    const fabric = await stage.site.lab.addFabric({ nodes: 8, rate_mbit: 20 });
    await partition(fabric, [0], [1]);
    await partition(fabric, [2, 3], [4]);
    await blockInbound(fabric, 6);
    const result = await (await startCluster(stage, fabric)).result();
    assertFindings(result, {
      nodes: [{ node: 6, reason: 'inbound_blocked', direction: 'rx' }],
      links: [
        { from: 0, to: 1, verdict: 'unreachable' },
        { from: 2, to: 4, verdict: 'unreachable' },
        { from: 3, to: 4, verdict: 'unreachable' },
      ],
    });
    const cut = new Set(['0-1', '1-0', '2-4', '4-2', '3-4', '4-3']);
    assertLinks(result, fabric, (from, to) => !cut.has(`${from}-${to}`));
    assertDialsFromOnly(result, 6);
    assert.equal(result.network.partitions.length, 1, 'every node is still connected through others');
  },
};

function assertDialsFromOnly({ network, job, fabricNumber }: ClusterResult, node: number): void {
  const oneWay = network.one_way_pairs.map(({ from, to }) => [from, to].map(fabricNumber));
  const others = Array.from({ length: job.node_count }, (_, number) => number).filter((number) => number !== node);
  assert.deepEqual(
    oneWay.toSorted(([, a = 0], [, b = 0]) => a - b),
    others.map((peer) => [node, peer]),
    'connections to the other nodes can only be made from it',
  );
}

const MOST_SKEW_MS = 50;

export const twoParts: Scenario = {
  title:
    '7 nodes in two parts with clocks days apart: the parts are listed, no node is blamed, every slot starts within 50 ms',
  run: async (stage) => {
    const fabric = await stage.site.lab.addFabric({ nodes: 7, rate_mbit: 20 });
    const parts = [
      [0, 1, 2],
      [3, 4, 5, 6],
    ] as const;
    await partition(fabric, ...parts);
    const ahead = [0, 86_400, 3 * 86_400, 300, 40 * 86_400, 60, 7 * 86_400];
    const run = await startCluster(stage, fabric, { clockAhead: (number) => ahead[number] ?? 0 });
    const result = await run.result();
    const listed = result.network.partitions.map((part) => part.map(result.fabricNumber).toSorted((a, b) => a - b));
    assert.deepEqual(
      listed.toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0)),
      parts,
    );
    assert.deepEqual(findings(result).nodes, []);
    const isLeft = (number: number): boolean => number < 3;
    assertLinks(result, fabric, (from, to) => isLeft(from) === isLeft(to));
    assertSkews(result);
  },
};

function assertSkews({ network, fabricNumber }: ClusterResult): void {
  const skews = network.measurements.flatMap(({ status, start_skew_ms, source_node, target_node }) => {
    const skew = Math.abs(start_skew_ms ?? Number.NaN);
    return status === 'ok' ? [source_node, target_node].map((node) => ({ node: fabricNumber(node), skew })) : [];
  });
  const ofNodes = Map.groupBy(skews, ({ node }) => node);
  assert.equal(ofNodes.size, network.node_count, 'every node has at least one link that is ok');
  for (const [node, slots] of ofNodes) {
    const all = slots.map(({ skew }) => skew);
    assert.ok(Math.max(...all) < MOST_SKEW_MS, `node ${node}: start skews ${all.join(' ')} ms`);
  }
}

export const threeNodesOneKilled: Scenario = {
  title: '3 nodes, one killed in mid-run: the link between the others is ok, and every link has a result',
  run: async (stage) => {
    const fabric = await stage.site.lab.addFabric({ nodes: 3, rate_mbit: 20 });
    const run = await startCluster(stage, fabric, { config: { slot_seconds: 3 } });
    await run.untilEvent(({ state }) => state === 'rounds');
    run.agents.get(2)?.signal('SIGKILL');
    const result = await run.result();
    assertLinks(result, fabric, (from, to) => from < 2 && to < 2);
    const named = findings(result).nodes.filter(({ node, reason }) => node !== 2 || reason !== 'lost');
    assert.deepEqual(named, [], 'no other node is named');
  },
};
