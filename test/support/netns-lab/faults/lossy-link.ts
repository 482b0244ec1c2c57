import assert from 'node:assert/strict';
import { nftables } from '../ip-batch.ts';
import type { LabNode } from '../lab-node.ts';
import { pingNode } from '../look.ts';

const PINGS = 500;
const INTERVAL_MS = 1;
/** Standard deviations that the counted loss may be off; 4: once in 16,000 */
const DEVIATIONS = 4;

/** Of all packets between the two, either way, this share gets lost by chance. */
export async function lossyLink(a: LabNode, b: LabNode, share: number): Promise<void> {
  for (const [here, there] of [
    [a, b],
    [b, a],
  ] as const) {
    await nftables(
      here.namespace,
      `table ip lab_loss_${there.number} {
        chain arriving {
          type filter hook input priority 0;
          ip saddr ${there.address} numgen random mod 1000 < ${Math.round(share * 1000)} drop
        }
      }`,
    );
  }
  const { sent, received } = await pingNode(a, b, PINGS, INTERVAL_MS);
  // A ping is lost on its way there or on its way back.
  const expected = 1 - (1 - share) ** 2;
  const deviation = Math.sqrt((expected * (1 - expected)) / sent);
  const lost = 1 - received / sent;
  assert.ok(Math.abs(lost - expected) < DEVIATIONS * deviation, `${lost} of the pings were lost, not ${expected}`);
}
