import assert from 'node:assert/strict';
import { nftables } from '../ip-batch.ts';
import { silentPairs } from '../look.ts';
import type { Fabric } from '../make-fabric.ts';

/** Nothing passes between any of the one and any of the other group, neither way; everything else does. */
export async function partition(fabric: Fabric, ones: readonly number[], others: readonly number[]): Promise<void> {
  const before = new Set((await silentPairs(fabric.nodes, 'faulty')).map(String));
  for (const [here, there] of [
    [ones, others],
    [others, ones],
  ] as const) {
    for (const number of here) {
      const addresses = there.map((peer) => fabric.node(peer).address).join(', ');
      await nftables(
        fabric.node(number).namespace,
        `table ip lab_partition_${there.join('_')} {
          chain arriving { type filter hook prerouting priority -300; ip saddr { ${addresses} } drop; }
        }`,
      );
    }
  }
  const cut = ones.flatMap((one) =>
    others.flatMap((other) => [
      [one, other],
      [other, one],
    ]),
  );
  const silent = new Set((await silentPairs(fabric.nodes, 'faulty')).map(String));
  assert.deepEqual(silent, new Set([...before, ...cut.map(String)]), 'exactly these pairs are silent');
}
