import assert from 'node:assert/strict';
import { slowLink } from '../../support/netns-lab/faults/slow-link.ts';
import { assertFactor, assertFindings, firstAttempts, isBetween, linkFactor } from './findings.ts';
import type { Scenario } from './scenario.ts';
import { startCluster } from './start-cluster.ts';

/** Two racks joined by an uplink of one node's rate; the link from the very first node to the very last is bad. */
export const thinUplink = (inRack: number): Scenario => ({
  title: `two racks of ${inRack} with a ${inRack}:1 uplink and one bad cable: the bad cable is confirmed, the others are contended`,
  run: async (stage) => {
    const last = 2 * inRack - 1;
    const fabric = await stage.site.lab.addFabric({ nodes: 2 * inRack, rate_mbit: 20, uplink_mbit: 20 });
    await slowLink(fabric, 0, last, 6);
    const result = await (await startCluster(stage, fabric)).result();
    assertFindings(result, { nodes: [], links: [{ from: 0, to: last, verdict: 'slow' }] });
    assertFactor(linkFactor(result, 0, last), 6 / 20, 'bad cable');
    const contended = firstAttempts(result).filter(({ link_id }) => result.network.contended_links.includes(link_id));
    const isBetweenRacks = (link: (typeof contended)[number]): boolean => {
      const [source = 0, target = 0] = [link.source_node, link.target_node].map(result.fabricNumber);
      return source < inRack !== target < inRack;
    };
    const between = contended.filter(isBetweenRacks);
    assert.ok(between.length > 0, 'links across the uplink are contended');
    assert.equal(contended.length, between.length, 'no link within a rack is contended');
    assert.ok(!contended.some((link) => isBetween(result, link, 0, last)));
  },
});
