import { blockInbound } from '../../support/netns-lab/faults/block-inbound.ts';
import { delayNode } from '../../support/netns-lab/faults/delay-node.ts';
import { lossyLink } from '../../support/netns-lab/faults/lossy-link.ts';
import { partition } from '../../support/netns-lab/faults/partition.ts';
import { slowLink } from '../../support/netns-lab/faults/slow-link.ts';
import { slowNode } from '../../support/netns-lab/faults/slow-node.ts';
import { unplug } from '../../support/netns-lab/faults/unplug.ts';
import type { Fabric } from '../../support/netns-lab/make-fabric.ts';
import type { Cluster } from '../../e2e/network/start-cluster.ts';

/** Faults of cables and hosts that exist from the start; rates are shares of the fabric's rate. */
export async function shapeFaults(fabric: Fabric): Promise<void> {
  const mbit = (share: number): number => share * fabric.rate_mbit;
  await slowNode(fabric, 5, 'tx', mbit(0.4));
  await slowNode(fabric, 11, 'rx', mbit(0.5));
  await slowLink(fabric, 20, 21, mbit(0.3));
  await lossyLink(fabric.node(30), fabric.node(31), 0.08);
  await delayNode(fabric, 7, 3);
  await partition(fabric, [40], [41]);
  await partition(fabric, [50, 51, 52], [53]);
  await blockInbound(fabric, 45);
}

/** Faults that occur in mid-run. */
export async function breakNodes(fabric: Fabric, run: Cluster): Promise<void> {
  run.agents.get(60)?.signal('SIGKILL');
  run.agents.get(33)?.signal('SIGSTOP');
  await unplug(fabric, 22);
}

export const expectedNodes = [
  { node: 5, reason: 'slow', direction: 'tx', factor: 0.4 },
  { node: 7, reason: 'latency', direction: null },
  { node: 11, reason: 'slow', direction: 'rx', factor: 0.5 },
  { node: 22, reason: 'failing', direction: null },
  { node: 33, reason: 'lost', direction: null },
  { node: 45, reason: 'inbound_blocked', direction: 'rx' },
  { node: 60, reason: 'lost', direction: null },
] as const;

/** A sample of the links finds only the faults on the links that it drives. */
export const expectedLinks = [
  { from: 20, to: 21, verdict: 'slow', factor: 0.3 },
  { from: 30, to: 31, verdict: 'lossy' },
  { from: 40, to: 41, verdict: 'unreachable' },
  { from: 50, to: 53, verdict: 'unreachable' },
  { from: 51, to: 53, verdict: 'unreachable' },
  { from: 52, to: 53, verdict: 'unreachable' },
] as const;
