import { expectRates } from '../expect-healthy.ts';
import { tcBatch } from '../ip-batch.ts';
import { MEASURED } from '../lab-node.ts';
import type { Fabric } from '../make-fabric.ts';
import { htbRate } from '../shaper.ts';

/** A link that is slow in one direction only; what `from` sends to other nodes keeps its rate. */
export async function slowLink(fabric: Fabric, from: number, to: number, mbit: number): Promise<void> {
  const [source, target] = [fabric.node(from), fabric.node(to)];
  await tcBatch(source.namespace, [
    `qdisc replace dev ${MEASURED} root handle 1: htb default 20`,
    `class add dev ${MEASURED} parent 1: classid 1:10 ${htbRate(mbit)}`,
    `class add dev ${MEASURED} parent 1: classid 1:20 ${htbRate(source.rate_mbit)}`,
    `filter add dev ${MEASURED} parent 1: protocol ip prio 1 u32 match ip dst ${target.address}/32 flowid 1:10`,
  ]);
  const other = fabric.nodes.find(({ number }) => number !== from && number !== to)?.number;
  await expectRates(fabric, [[from, to]], mbit);
  await expectRates(fabric, [[to, from]], source.rate_mbit);
  if (other !== undefined) await expectRates(fabric, [[from, other]], source.rate_mbit);
}
