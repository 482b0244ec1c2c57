import { expectRates } from '../expect-healthy.ts';
import { tcBatch } from '../ip-batch.ts';
import { MEASURED } from '../lab-node.ts';
import type { Fabric } from '../make-fabric.ts';
import { tbf } from '../shaper.ts';

/** A node that sends (tx) or receives (rx) slowly on all its links; the other direction is unchanged. */
export async function slowNode(fabric: Fabric, number: number, direction: 'tx' | 'rx', mbit: number): Promise<void> {
  const node = fabric.node(number);
  const [place, port] = direction === 'tx' ? [node.namespace, MEASURED] : [node.switch_namespace, node.switch_port];
  await tcBatch(place, [`qdisc replace dev ${port} root ${tbf(mbit)}`]);
  const peer = someOther(fabric, number);
  await expectRates(fabric, direction === 'tx' ? [[number, peer]] : [[peer, number]], mbit);
  await expectRates(fabric, direction === 'tx' ? [[peer, number]] : [[number, peer]], fabric.rate_mbit);
}

const someOther = (fabric: Fabric, number: number): number => (number + 1) % fabric.nodes.length;
