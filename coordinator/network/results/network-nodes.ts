import type { NetworkNode } from '../../contract/cluster-network.ts';
import type { NetworkEndpoint } from '../../contract/network-protocol.ts';
import type { FirstAttempt, RunInput, RunNode } from './run-input.ts';

/** The nodes of a run by seat: interface, rates, and number of working links. */
export function networkNodes({ nodes, judgement, reach }: RunInput, first: readonly FirstAttempt[]): NetworkNode[] {
  const ends = linksByNode(first);
  const unreachable = new Set(reach?.unreachable);
  return nodes.map((node) => {
    const own = ends.get(node.node) ?? { addresses: [], ok: 0, failed: 0 };
    const endpoint = endpointOf(node, own.addresses);
    const judged = judgement?.nodes[node.node];
    return {
      node: node.node,
      task_id: node.task_id,
      machine_uuid: node.machine_uuid,
      name: nodeName(node),
      address: endpoint?.address ?? mostFrequent(own.addresses),
      interface: endpoint?.interface ?? null,
      speed_gbps: endpoint?.speed_mbps == null ? null : endpoint.speed_mbps / 1000,
      state: node.state === 'lost' ? 'lost' : unreachable.has(node.node) ? 'unreachable' : 'measured',
      tx_gbps: judged?.tx_gbps ?? null,
      rx_gbps: judged?.rx_gbps ?? null,
      latency_us: judged?.latency_us ?? null,
      links_ok: own.ok,
      links_failed: own.failed,
    };
  });
}

/** Host name, or the beginning of the machine's UUID. */
export const nodeName = ({ hostname, machine_uuid }: Pick<RunNode, 'hostname' | 'machine_uuid'>): string =>
  hostname !== null && hostname.trim() !== '' ? hostname : machine_uuid.slice(0, 8);

interface Ends {
  /** its own address on each link that has one */
  addresses: string[];
  ok: number;
  failed: number;
}

function linksByNode(first: readonly FirstAttempt[]): Map<number, Ends> {
  const ends = new Map<number, Ends>();
  for (const { row, merged } of first) {
    for (const node of [row.source, row.target]) {
      const own = ends.get(node) ?? { addresses: [], ok: 0, failed: 0 };
      const address = row.dialer === null ? null : row.dialer === node ? row.dialer_address : row.address;
      if (address !== null) own.addresses.push(address);
      if (merged.status === 'ok') own.ok += 1;
      else own.failed += 1;
      ends.set(node, own);
    }
  }
  return ends;
}

/** The endpoint that most of the node's links used; without links, its preferred one. */
function endpointOf(node: RunNode, addresses: readonly string[]): NetworkEndpoint | undefined {
  const address = mostFrequent(addresses);
  return address === null ? node.endpoints[0] : node.endpoints.find((endpoint) => endpoint.address === address);
}

function mostFrequent(values: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: string | null = null;
  for (const [value, count] of counts) if (best === null || count > (counts.get(best) ?? 0)) best = value;
  return best;
}
