import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { setCongestionControl } from '../../support/netns-lab/faults/congestion-control.ts';
import { delayNode } from '../../support/netns-lab/faults/delay-node.ts';
import { fullPacketsLost } from '../../support/netns-lab/faults/full-packets-lost.ts';
import { lossyLink } from '../../support/netns-lab/faults/lossy-link.ts';
import { slowLink } from '../../support/netns-lab/faults/slow-link.ts';
import { slowNode } from '../../support/netns-lab/faults/slow-node.ts';
import { whyNoLab } from '../../support/netns-lab/why-no-lab.ts';
import { useSite } from './cluster-site.ts';
import {
  assertFactor,
  assertLinks,
  assertNobodyNamed,
  isBetween,
  linkFactor,
  nodeFactor,
  assertFindings,
} from './findings.ts';
import { labTest } from './lab-test.ts';
import { startCluster } from './start-cluster.ts';

/** Cables that are slow, late or lossy: each is named with its direction and factor, and nothing else is. */
const RUN_MS = 150_000;
const skip = (await whyNoLab()) ?? false;

describe('cables with faults', { skip, concurrency: 3 }, () => {
  const site = useSite();

  labTest(
    '8 nodes, half under bbr, half under cubic: slow sender, slow receiver, slow link one way, loss of 8 % one way under both, a node 3 ms away',
    async (t) => {
      const fabric = await site().lab.addFabric({ nodes: 8, rate_mbit: 20 });
      const [even, odd] = [fabric.nodes.filter((_, at) => at % 2 === 0), fabric.nodes.filter((_, at) => at % 2 === 1)];
      await setCongestionControl(even, 'bbr');
      await setCongestionControl(odd, 'cubic');
      await slowNode(fabric, 1, 'tx', 8);
      await slowNode(fabric, 2, 'rx', 10);
      await slowLink(fabric, 4, 3, 6);
      await delayNode(fabric, 5, 3);
      await lossyLink(fabric.node(6), fabric.node(7), 0.08);
      await lossyLink(fabric.node(3), fabric.node(6), 0.08);
      const result = await (await startCluster(t, site(), fabric)).result(RUN_MS);
      assertFindings(result, {
        nodes: [
          { node: 1, reason: 'slow', direction: 'tx' },
          { node: 2, reason: 'slow', direction: 'rx' },
          { node: 5, reason: 'latency', direction: null },
        ],
        links: [
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
      const bad = new Set(['4-3', '6-7', '7-6', '3-6', '6-3']);
      assertLinks(result, fabric, (from, to) => from !== 1 && to !== 2 && !bad.has(`${from}-${to}`));
    },
  );

  labTest('5 nodes: a slow sender, a slow link and one that loses all full packets are told apart', async (t) => {
    const fabric = await site().lab.addFabric({ nodes: 5, rate_mbit: 20 });
    await slowNode(fabric, 2, 'tx', 10);
    await slowLink(fabric, 0, 4, 8);
    await fullPacketsLost(fabric, 1, 3);
    await fullPacketsLost(fabric, 3, 1);
    const result = await (await startCluster(t, site(), fabric)).result(RUN_MS);
    assertFindings(result, {
      nodes: [{ node: 2, reason: 'slow', direction: 'tx' }],
      links: [
        { from: 0, to: 4, verdict: 'slow' },
        { from: 1, to: 3, verdict: 'unreachable' },
      ],
    });
    assertFactor(nodeFactor(result, 2), 10 / 20, 'slow sender');
    assertFactor(linkFactor(result, 0, 4), 8 / 20, 'slow link');
    const silent = result.network.bad_links.find((link) => isBetween(result, link, 1, 3));
    assert.match(silent?.message ?? '', /Short messages passed, full packets did not: compare the MTU/);
  });

  labTest('3 nodes, one slow: its figures show it, nobody is accused', async (t) => {
    const fabric = await site().lab.addFabric({ nodes: 3, rate_mbit: 20 });
    await slowNode(fabric, 1, 'tx', 8);
    const result = await (await startCluster(t, site(), fabric)).result(RUN_MS);
    assertNobodyNamed(result);
    assertLinks(result, fabric, (from) => from !== 1);
    const slow = result.network.nodes.find(({ node }) => result.fabricNumber(node) === 1);
    assertFactor((slow?.tx_gbps ?? 0) / (slow?.rx_gbps ?? 1), 8 / 20, 'its own figures');
  });

  labTest('2 nodes, one slow to send: the link is named with its direction, no node is', async (t) => {
    const fabric = await site().lab.addFabric({ nodes: 2, rate_mbit: 20 });
    await slowNode(fabric, 0, 'tx', 8);
    const result = await (await startCluster(t, site(), fabric)).result(RUN_MS);
    assertFindings(result, { nodes: [], links: [{ from: 0, to: 1, verdict: 'slow' }] });
    assertFactor(linkFactor(result, 0, 1), 8 / 20, 'slow direction');
    assertLinks(result, fabric, (from) => from === 1);
  });
});
