import type { ControlNetwork } from './control-network.ts';
import { expectHealthy } from './expect-healthy.ts';
import { ipBatch, tcBatch } from './ip-batch.ts';
import { MEASURED, nodeProcesses, type LabNode } from './lab-node.ts';
import { removeNamespaces } from './namespaces.ts';
import { tbf } from './shaper.ts';

export interface FabricOptions {
  nodes: number;
  /** rate of each node's cable in each direction */
  rate_mbit: number;
  /** Two racks instead of one switch, the first half of the nodes in one, the rest in the other, connected at this rate. */
  uplink_mbit?: number;
}

export interface Fabric {
  namespace: string;
  nodes: LabNode[];
  rate_mbit: number;
  /** node numbers of each rack */
  racks: number[][];
  uplink_mbit: number | null;
  node: (number: number) => LabNode;
  /** Ends the fabric's processes and removes it without closing the lab. */
  remove: () => Promise<void>;
}

/**
 * Nodes (a namespace each, `eth0` measured and shaped in both directions, `ctl` to the coordinator, no other route) around
 * a bridge in its own namespace. All fabrics use the same 10.77 addresses, since they are not connected. Verified before it
 * is returned: every node reaches every other one at the requested rate.
 */
export async function makeFabric(
  name: string,
  control: ControlNetwork,
  firstControl: number,
  options: FabricOptions,
): Promise<Fabric> {
  const nodes = Array.from({ length: options.nodes }, (_, number) => describeNode(name, number, options.rate_mbit));
  const half = Math.ceil(options.nodes / 2);
  const rackOf = (number: number): number => (options.uplink_mbit !== undefined && number >= half ? 1 : 0);
  await ipBatch(
    '',
    [name, ...nodes.map(({ namespace }) => namespace)].map((namespace) => `netns add ${namespace}`),
  );
  await makeSwitch(name, options.uplink_mbit);
  await ipBatch(
    name,
    nodes.flatMap((node) => cable(node.namespace, node.switch_port, MEASURED, `br${rackOf(node.number)}`)),
  );
  await ipBatch(
    control.namespace,
    nodes.flatMap((node) => cable(node.namespace, `n${firstControl + node.number}`, 'ctl', 'br0')),
  );
  await tcBatch(
    name,
    nodes.map((node) => `qdisc replace dev ${node.switch_port} root ${tbf(node.rate_mbit)}`),
  );
  for (const node of nodes) {
    await ipBatch(node.namespace, [
      'link set lo up',
      `addr add ${node.address}/16 dev ${MEASURED}`,
      `addr add ${control.addressOf(firstControl + node.number)}/22 dev ctl`,
      `link set ${MEASURED} up`,
      'link set ctl up',
    ]);
    await tcBatch(node.namespace, [`qdisc replace dev ${MEASURED} root ${tbf(node.rate_mbit)}`]);
  }
  const racks = [0, 1].map((rack) => nodes.map(({ number }) => number).filter((number) => rackOf(number) === rack));
  const fabric: Fabric = {
    namespace: name,
    nodes,
    rate_mbit: options.rate_mbit,
    racks: racks.filter((rack) => rack.length > 0),
    uplink_mbit: options.uplink_mbit ?? null,
    node: (number) => nodes[number] ?? fail(`no node ${number}`),
    remove: async () => {
      await Promise.all(nodes.map((node) => node.endProcesses()));
      await removeNamespaces([...nodes.map(({ namespace }) => namespace), name]);
    },
  };
  await expectHealthy(fabric);
  return fabric;
}

function describeNode(fabric: string, number: number, rate_mbit: number): LabNode {
  const namespace = `${fabric}n${number}`;
  return {
    number,
    namespace,
    address: `10.77.${(number + 1) >> 8}.${(number + 1) & 255}`,
    switch_namespace: fabric,
    switch_port: `m${number}`,
    rate_mbit,
    ...nodeProcesses(namespace),
  };
}

/** Commands for a cable from a node to a bridge in the namespace that executes them. */
const cable = (namespace: string, port: string, interface_: string, bridge: string): string[] => [
  `link add ${port} type veth peer name ${interface_} netns ${namespace}`,
  `link set ${port} master ${bridge} up`,
];

async function makeSwitch(name: string, uplink: number | undefined): Promise<void> {
  await ipBatch(name, ['link add br0 type bridge', 'link set br0 up']);
  if (uplink === undefined) return;
  await ipBatch(name, [
    'link add br1 type bridge',
    'link set br1 up',
    'link add up0 type veth peer name up1',
    'link set up0 master br0 up',
    'link set up1 master br1 up',
  ]);
  await tcBatch(
    name,
    ['up0', 'up1'].map((port) => `qdisc replace dev ${port} root ${tbf(uplink)}`),
  );
}

function fail(message: string): never {
  throw new Error(message);
}
