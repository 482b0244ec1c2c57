import assert from 'node:assert/strict';
import { nftables } from '../ip-batch.ts';
import { MEASURED } from '../lab-node.ts';
import { dialNode } from '../look.ts';
import type { Fabric } from '../make-fabric.ts';

/** A host whose firewall blocks incoming connections on the measured network; outgoing ones are allowed. */
export async function blockInbound(fabric: Fabric, number: number): Promise<void> {
  const node = fabric.node(number);
  await nftables(
    node.namespace,
    `table ip lab_inbound {
      chain arriving {
        type filter hook input priority 0;
        iifname "${MEASURED}" tcp flags & (syn | ack) == syn drop
      }
    }`,
  );
  const peer = fabric.nodes.find((other) => other.number !== number) ?? node;
  assert.equal(await dialNode(peer, node), 'timeout', 'connections to it time out');
  assert.equal(await dialNode(node, peer), 'connected', 'connections from it succeed');
}
