import assert from 'node:assert/strict';
import { setCongestionControl } from '../../support/netns-lab/faults/congestion-control.ts';
import { delayNode } from '../../support/netns-lab/faults/delay-node.ts';
import { fullPacketsLost } from '../../support/netns-lab/faults/full-packets-lost.ts';
import { lossyLink } from '../../support/netns-lab/faults/lossy-link.ts';
import { slowLink } from '../../support/netns-lab/faults/slow-link.ts';
import { slowNode } from '../../support/netns-lab/faults/slow-node.ts';
import {
  assertFactor,
  assertFindings,
  assertLinks,
  assertNobodyNamed,
  isBetween,
  linkFactor,
  nodeFactor,
} from './findings.ts';
import type { Scenario, Stage } from './scenario.ts';
import { startCluster } from './start-cluster.ts';

/** Cables that are slow, lossy or add latency: each is named with its direction and factor, and nothing else is named. */
export const cablesWithFaults: Scenario = {
  title:
    '8 nodes, half with bbr, half with cubic: slow sender, slow receiver, link slow in one direction, 8 % loss in one direction with each, a node 3 ms away, a link that drops all full-size packets',
  run: async (stage) => {
    const fabric = await faultyCables(stage);
    const result = await (await startCluster(stage, fabric)).result();
    assertFindings(result, {
      nodes: [
        { node: 1, reason: 'slow', direction: 'tx' },
        { node: 2, reason: 'slow', direction: 'rx' },
        { node: 5, reason: 'latency', direction: null },
      ],
      links: [
        { from: 0, to: 7, verdict: 'unreachable' },
        { from: 3, to: 6, verdict: 'lossy' },
        { from: 4, to: 3, verdict: 'slow' },
        { from: 6, to: 7, verdict: 'lossy' },
      ],
    });
    assertFactor(nodeFactor(result, 1), 8 / 20, 'slow sender');
    assertFactor(nodeFactor(result, 2), 10 / 20, 'slow receiver');
    assertFactor(linkFactor(result, 4, 3), 6 / 20, 'slow link');
    for (const [from, to] of [
      [3, 6],
      [6, 7],
    ] as const) {
      const lossy = result.network.bad_links.find((link) => isBetween(result, link, from, to));
      assert.ok((lossy?.retransmit_share ?? 0) > 0.01, `${from}-${to} retransmitted: ${lossy?.retransmit_share}`);
    }
    const silent = result.network.bad_links.find((link) => isBetween(result, link, 0, 7));
    assert.match(silent?.message ?? '', /Short messages passed, full packets did not: compare the MTU/);
    const bad = new Set(['4-3', '6-7', '7-6', '3-6', '6-3', '0-7', '7-0']);
    assertLinks(result, fabric, (from, to) => from !== 1 && to !== 2 && !bad.has(`${from}-${to}`));
  },
};

async function faultyCables({ site }: Stage) {
  const fabric = await site.lab.addFabric({ nodes: 8, rate_mbit: 20 });
  const [even, odd] = [fabric.nodes.filter((_, at) => at % 2 === 0), fabric.nodes.filter((_, at) => at % 2 === 1)];
  await setCongestionControl(even, 'bbr');
  await setCongestionControl(odd, 'cubic');
  await slowNode(fabric, 1, 'tx', 8);
  await slowNode(fabric, 2, 'rx', 10);
  await slowLink(fabric, 4, 3, 6);
  await delayNode(fabric, 5, 3);
  await lossyLink(fabric.node(6), fabric.node(7), 0.08);
  await lossyLink(fabric.node(3), fabric.node(6), 0.08);
  await fullPacketsLost(fabric, 0, 7);
  await fullPacketsLost(fabric, 7, 0);
  return fabric;
}

export const fiveNodes: Scenario = {
  title: '5 nodes: a slow sender and a slow link are distinguished',
  run: async (stage) => {
    const fabric = await stage.site.lab.addFabric({ nodes: 5, rate_mbit: 20 });
    await slowNode(fabric, 2, 'tx', 10);
    await slowLink(fabric, 0, 4, 8);
    const result = await (await startCluster(stage, fabric)).result();
    assertFindings(result, {
      nodes: [{ node: 2, reason: 'slow', direction: 'tx' }],
      links: [{ from: 0, to: 4, verdict: 'slow' }],
    });
    assertFactor(nodeFactor(result, 2), 10 / 20, 'slow sender');
    assertFactor(linkFactor(result, 0, 4), 8 / 20, 'slow link');
    assertLinks(result, fabric, (from, to) => from !== 2 && !(from === 0 && to === 4));
  },
};

export const threeNodesOneSlow: Scenario = {
  title: '3 nodes, one slow: its figures show it, no node is blamed',
  run: async (stage) => {
    const fabric = await stage.site.lab.addFabric({ nodes: 3, rate_mbit: 20 });
    await slowNode(fabric, 1, 'tx', 8);
    const result = await (await startCluster(stage, fabric)).result();
    assertNobodyNamed(result);
    assertLinks(result, fabric, (from) => from !== 1);
    const slow = result.network.nodes.find(({ node }) => result.fabricNumber(node) === 1);
    assertFactor((slow?.tx_gbps ?? 0) / (slow?.rx_gbps ?? 1), 8 / 20, 'its own figures');
  },
};

export const twoNodesOneSlow: Scenario = {
  title: '2 nodes, one sends slowly: the link is named with its direction, but no node',
  run: async (stage) => {
    const fabric = await stage.site.lab.addFabric({ nodes: 2, rate_mbit: 20 });
    await slowNode(fabric, 0, 'tx', 8);
    const result = await (await startCluster(stage, fabric)).result();
    assertFindings(result, { nodes: [], links: [{ from: 0, to: 1, verdict: 'slow' }] });
    assertFactor(linkFactor(result, 0, 1), 8 / 20, 'slow direction');
    assertLinks(result, fabric, (from) => from === 1);
  },
};
