import { nftables } from '../ip-batch.ts';
import { silentPairs } from '../look.ts';
import { lookUntil } from '../look-until.ts';
import type { Fabric } from '../make-fabric.ts';

/** Blocks all traffic between the two groups in both directions; all other traffic passes. */
export async function partition(fabric: Fabric, ones: readonly number[], others: readonly number[]): Promise<void> {
  // 65 nodes that have never communicated must resolve 4,160 addresses, so a healthy fabric is given time for it
  const before = new Set((await silentPairs(fabric.nodes)).map(String));
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
  const expected = new Set([...before, ...cut.map(String)]);
  await lookUntil(async () => {
    const silent = new Set((await silentPairs(fabric.nodes, 'faulty')).map(String));
    const wrong = silent.symmetricDifference(expected);
    return wrong.size === 0
      ? null
      : `exactly ${expected.size} pairs should get no answer; unexpected: ${[...wrong].slice(0, 20).join(' ')}`;
  });
}
