import { pickGidIndex } from './pick-gid.ts';
import type { RdmaPort } from './read-ports.ts';

/** IBTA node type of a channel adapter, which InfiniBand and RoCE have; iWARP (4) and others need a connection manager. */
const CHANNEL_ADAPTER = 1;
/** Full membership of a partition; two limited members cannot talk to each other. */
const FULL_MEMBER = 0x8000;

/**
 * The ports over which links are measured: active, accessible, and of the node's highest rate. A slower port belongs to
 * another network, for storage or management, and would make the sum meaningless.
 * @returns the rails in the order of their devices' numbers, and why each other port is excluded
 */
export function chooseRails(ports: readonly RdmaPort[]): { rails: RdmaPort[]; notes: string[] } {
  const openable = new Set(ports.filter(({ can_open }) => can_open).map(({ device }) => device));
  const judged = ports.map((port) => ({ port, flaw: flawOf(port, openable) }));
  const sound = judged.filter(({ flaw }) => flaw === null).map(({ port }) => port);
  const best = Math.max(0, ...sound.map(({ rate_gbps }) => rate_gbps ?? 0));
  const rails = sound.filter(({ rate_gbps }) => (rate_gbps ?? 0) === best);
  const slower = sound.filter((port) => !rails.includes(port));
  const limited = rails.filter(({ partition_key }) => partition_key !== null && (partition_key & FULL_MEMBER) === 0);
  return {
    rails,
    notes: [
      ...judged.flatMap(({ port, flaw }) => (flaw === null ? [] : [`${nameOf(port)} ${flaw}`])),
      ...slower.map(
        (port) => `${nameOf(port)} has ${port.rate_gbps ?? 'no known'} Gb/s, the rails have ${best}: not used`,
      ),
      ...limited.map((port) => `${nameOf(port)} is a limited member of its partition: it reaches full members only`),
    ],
  };
}

function flawOf(port: RdmaPort, openable: ReadonlySet<string>): string | null {
  if (port.state !== 'ACTIVE') return `is ${port.state ?? 'in no known state'}, not ACTIVE`;
  if (port.node_type !== null && port.node_type !== CHANNEL_ADAPTER) return 'is not an InfiniBand or RoCE adapter';
  if (port.link_layer !== 'InfiniBand' && port.link_layer !== 'Ethernet')
    return `has the link layer ${port.link_layer ?? 'unknown'}`;
  if (!port.can_open) return 'is not in /dev/infiniband: not given to this container, or ib_uverbs is not loaded';
  // Both share one cable, which would be counted twice and compete with itself.
  if (port.parent_device !== null && openable.has(port.parent_device))
    return `is a virtual function of ${port.parent_device}`;
  if (port.link_layer === 'Ethernet' && pickGidIndex(port) === null)
    return 'has no routable RoCE v2 address in its GID table';
  return null;
}

const nameOf = ({ device, port }: RdmaPort): string => `${device} port ${port}`;

/** Description of a rail, sent to the other end. */
export interface RailName {
  device: string;
  port: number;
  link_layer: 'InfiniBand' | 'Ethernet';
}

/** Indices of a rail's two devices in the lists of the two ends. */
interface RailPair {
  dialer: number;
  listener: number;
}

/**
 * Pairs the devices of the two ends. If the ends share at least half of their names, devices are paired by name, so
 * that a dead port does not shift all that follow; otherwise by index. Ports of different kinds are never paired. Both
 * ends compute the same result.
 */
export function pairRails(dialer: readonly RailName[], listener: readonly RailName[]): RailPair[] {
  const byName = dialer.flatMap((rail, place) => {
    const other = listener.findIndex(({ device, port }) => device === rail.device && port === rail.port);
    return other === -1 ? [] : [{ dialer: place, listener: other }];
  });
  const fewer = Math.min(dialer.length, listener.length);
  const byPlace = Array.from({ length: fewer }, (_, place) => ({ dialer: place, listener: place }));
  const pairs = byName.length * 2 >= fewer ? byName : byPlace;
  return pairs.filter((pair) => dialer[pair.dialer]?.link_layer === listener[pair.listener]?.link_layer);
}
