import assert from 'node:assert/strict';
import { nftables } from '../ip-batch.ts';
import type { LabNode } from '../lab-node.ts';
import { pingNode } from '../look.ts';

const PINGS = 500;
const INTERVAL_MS = 1;
/** Standard deviations by which the measured loss may be off; 4 is exceeded once in 16,000 times. */
const DEVIATIONS = 4;

/** Drops this share of the packets from `from` to `to` at random; the reverse direction is healthy. */
export async function lossyLink(from: LabNode, to: LabNode, share: number): Promise<void> {
  await nftables(
    to.namespace,
    `table ip lab_loss_${from.number} {
      chain arriving {
        type filter hook input priority 0;
        ip saddr ${from.address} numgen random mod 1000 < ${Math.round(share * 1000)} drop
      }
    }`,
  );
  const { sent, received } = await pingNode(from, to, PINGS, INTERVAL_MS);
  const deviation = Math.sqrt((share * (1 - share)) / sent);
  const lost = 1 - received / sent;
  assert.ok(Math.abs(lost - share) < DEVIATIONS * deviation, `${lost} of the pings were lost, not ${share}`);
}
