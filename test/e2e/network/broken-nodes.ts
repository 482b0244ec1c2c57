import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { blockInbound } from '../../support/netns-lab/faults/block-inbound.ts';
import { partition } from '../../support/netns-lab/faults/partition.ts';
import { slowLink } from '../../support/netns-lab/faults/slow-link.ts';
import { unplug } from '../../support/netns-lab/faults/unplug.ts';
import { whyNoLab } from '../../support/netns-lab/why-no-lab.ts';
import { useSite } from './cluster-site.ts';
import {
  assertFactor,
  assertLinks,
  findings,
  firstAttempts,
  isBetween,
  linkFactor,
  assertFindings,
} from './findings.ts';
import { labTest } from './lab-test.ts';
import { startCluster } from './start-cluster.ts';

/** Nodes that cannot be reached, or stop: the run ends in time, says who, and keeps what was measured. */
const RUN_MS = 150_000;
const skip = (await whyNoLab()) ?? false;

describe('nodes that are cut off or die', { skip, concurrency: 3 }, () => {
  const site = useSite();

  labTest(
    'two racks of 4 under a 4:1 uplink with one bad cable: that one is confirmed, the others are contended',
    async (t) => {
      const fabric = await site().lab.addFabric({ nodes: 8, rate_mbit: 20, uplink_mbit: 20 });
      await slowLink(fabric, 1, 6, 6);
      const result = await (await startCluster(t, site(), fabric, { config: { slot_seconds: 2 } })).result(RUN_MS);
      assertFindings(result, { nodes: [], links: [{ from: 1, to: 6, verdict: 'slow' }] });
      assertFactor(linkFactor(result, 1, 6), 6 / 20, 'bad cable');
      const contended = firstAttempts(result).filter(({ link_id }) => result.network.contended_links.includes(link_id));
      assert.ok(contended.length > 0, 'the uplink was the limit for some');
      const rack = (number: number): number => (number < 4 ? 0 : 1);
      for (const link of contended) {
        const [source, target] = [link.source_node, link.target_node].map(result.fabricNumber);
        assert.notEqual(rack(source ?? 0), rack(target ?? 0), 'only links between the racks are');
        assert.ok(!isBetween(result, link, 1, 6));
      }
    },
  );

  labTest(
    '8 nodes: a pair and a group that do not reach each other, and a host that nobody may connect to',
    async (t) => {
      const fabric = await site().lab.addFabric({ nodes: 8, rate_mbit: 20 });
      await partition(fabric, [0], [1]);
      await partition(fabric, [2, 3], [4]);
      await blockInbound(fabric, 6);
      const result = await (await startCluster(t, site(), fabric)).result(RUN_MS);
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
      const oneWay = result.network.one_way_pairs.map(({ from, to }) => [from, to].map(result.fabricNumber));
      assert.deepEqual(
        oneWay.toSorted(([, a = 0], [, b = 0]) => a - b),
        [0, 1, 2, 3, 4, 5, 7].map((peer) => [6, peer]),
        'dials work from it only',
      );
      assert.equal(result.network.partitions.length, 1, 'all are joined by others');
    },
  );

  labTest('5 nodes in two parts: the parts are listed, nobody is accused', async (t) => {
    const fabric = await site().lab.addFabric({ nodes: 5, rate_mbit: 20 });
    await partition(fabric, [0, 1], [2, 3, 4]);
    const result = await (await startCluster(t, site(), fabric)).result(RUN_MS);
    const parts = result.network.partitions.map((part) => part.map(result.fabricNumber).toSorted((a, b) => a - b));
    assert.deepEqual(
      parts.toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0)),
      [
        [0, 1],
        [2, 3, 4],
      ],
    );
    assert.deepEqual(findings(result).nodes, []);
    const left = (number: number): boolean => number < 2;
    assertLinks(result, fabric, (from, to) => left(from) === left(to));
  });

  labTest(
    '8 nodes, of which one is killed, one stopped and one unplugged in mid-run: the rest is measured, the three are named',
    async (t) => {
      const fabric = await site().lab.addFabric({ nodes: 8, rate_mbit: 20 });
      const run = await startCluster(t, site(), fabric, { config: { slot_seconds: 3 } });
      await run.untilEvent(({ state }) => state === 'rounds', 60_000);
      run.agents.get(5)?.signal('SIGKILL');
      run.agents.get(6)?.signal('SIGSTOP');
      await unplug(fabric, 7);
      const result = await run.result(RUN_MS);
      const named = findings(result);
      assert.deepEqual(
        named.nodes.map(({ node }) => node),
        [5, 6, 7],
      );
      assert.deepEqual(
        named.nodes.filter(({ node }) => node < 7).map(({ reason }) => reason),
        ['lost', 'lost'],
      );
      assert.deepEqual(named.links, []);
      assertLinks(result, fabric, (from, to) => from < 5 && to < 5);
    },
  );

  labTest('3 nodes, one killed in mid-run: the link of the others is ok, no link is left without a word', async (t) => {
    const fabric = await site().lab.addFabric({ nodes: 3, rate_mbit: 20 });
    const run = await startCluster(t, site(), fabric, { config: { slot_seconds: 3 } });
    await run.untilEvent(({ state }) => state === 'rounds', 60_000);
    run.agents.get(2)?.signal('SIGKILL');
    const result = await run.result(RUN_MS);
    assertLinks(result, fabric, (from, to) => from < 2 && to < 2);
    const named = findings(result).nodes.filter(({ node, reason }) => node !== 2 || reason !== 'lost');
    assert.deepEqual(named, [], 'nobody else is named');
  });
});
