import assert from 'node:assert/strict';
import { nftables } from '../ip-batch.ts';
import type { LabNode } from '../lab-node.ts';
import { pingNode } from '../look.ts';

const PINGS = 500;
const INTERVAL_MS = 1;
/** Standard deviations that the counted loss may be off; 4: once in 16,000 */
const DEVIATIONS = 4;

/** Of what `from` sends to `to`, this share of the packets gets lost by chance; the way back is sound. */
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
