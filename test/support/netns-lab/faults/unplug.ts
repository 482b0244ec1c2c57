import assert from 'node:assert/strict';
import { ipBatch } from '../ip-batch.ts';
import { pingNode } from '../look.ts';
import type { Fabric } from '../make-fabric.ts';

/** Unplugs the measured cable of a node: no carrier at either end. The node still reaches the coordinator. */
export async function unplug(fabric: Fabric, number: number): Promise<void> {
  const node = fabric.node(number);
  await ipBatch(node.switch_namespace, [`link set ${node.switch_port} down`]);
  const peer = fabric.nodes.find((other) => other.number !== number) ?? node;
  const { received } = await pingNode(peer, node, 3, 5);
  assert.equal(received, 0, 'no answer from a node whose cable is unplugged');
}
