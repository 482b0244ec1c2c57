import { randomInt } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { ipBatch } from './ip-batch.ts';

const TRIES = 50;

export interface ControlNetwork {
  namespace: string;
  /** this machine's own address in it */
  address: string;
  /** the node's address, `number` from 0 to 1,000 */
  addressOf: (number: number) => string;
}

/** The network over which a lab's nodes reach this machine: a bridge in a namespace, a /22, one veth pair to the host. */
export async function makeControlNetwork(namespace: string): Promise<ControlNetwork> {
  const { second, third } = freeNetwork();
  const addressAt = (host: number): string => `10.${second}.${third + (host >> 8)}.${host & 255}`;
  const here = `gml${namespace.split('-')[3] ?? ''}`;
  await ipBatch('', [`netns add ${namespace}`, `link add ${here} type veth peer name here netns ${namespace}`]);
  await ipBatch(namespace, ['link add br0 type bridge', 'link set br0 up', 'link set here master br0 up']);
  await ipBatch('', [`addr add ${addressAt(1)}/22 dev ${here}`, `link set ${here} up`]);
  return { namespace, address: addressAt(1), addressOf: (number) => addressAt(number + 2) };
}

/** A /22 within 10.192.0.0/10 whose first two bytes none of this machine's addresses (or another lab's) begins with. */
function freeNetwork(): { second: number; third: number } {
  const taken = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
  for (let left = TRIES; left > 0; left -= 1) {
    const second = randomInt(192, 256);
    if (!taken.some((address) => address.startsWith(`10.${second}.`))) return { second, third: 4 * randomInt(0, 63) };
  }
  throw new Error('no free network for the lab within 10.192.0.0/10');
}
