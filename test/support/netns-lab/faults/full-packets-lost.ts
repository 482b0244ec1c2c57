import assert from 'node:assert/strict';
import { nftables } from '../ip-batch.ts';
import { measureRates, pingNode } from '../look.ts';
import type { Fabric } from '../make-fabric.ts';

/** In bytes, including the IP header: a handshake passes, a full-size packet does not. */
const LONGEST = 600;

/** Simulates a switch with a smaller MTU than its nodes: longer packets from `from` to `to` are dropped without notice. */
export async function fullPacketsLost(fabric: Fabric, from: number, to: number): Promise<void> {
  const [sender, receiver] = [fabric.node(from), fabric.node(to)];
  await nftables(
    receiver.namespace,
    `table ip lab_mtu_${from} {
      chain arriving {
        type filter hook input priority 0;
        ip saddr ${sender.address} meta length > ${LONGEST} drop
      }
    }`,
  );
  const [mbps = 0] = await measureRates(fabric, [[from, to]]);
  const pings = await pingNode(sender, receiver, 20, 5);
  assert.ok(mbps === 0 && pings.received === pings.sent, `full packets: ${mbps} Mb/s, pings: ${pings.received} of 20`);
}
