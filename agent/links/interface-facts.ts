import type { NetworkEndpoint } from '../../coordinator/contract/network-protocol.ts';
import type { SystemFiles } from '../inventory/system-files.ts';

export interface InterfaceFacts {
  name: string;
  is_up: boolean;
  /** hardware: backed by a bus device, directly or as a member of a bond, a bridge or a VLAN */
  kind: 'hardware' | 'virtual' | 'container bridge';
  /** Null if unknown: the number that virtual devices report is made up by the driver. */
  speed_mbps: number | null;
  mtu: number | null;
  connection_type: NetworkEndpoint['connection_type'];
}

/** Bridges and dummy devices created by Docker, libvirt, Podman, LXC and the usual Kubernetes networks. */
const CONTAINER_NAMES =
  /^(docker|podman|cni|virbr|lxcbr|lxdbr|br-[0-9a-f]{12}$|flannel|cali|cilium|kube-|nodelocaldns)/;
/** VLAN on bond on port; loops are impossible, so this only bounds the reads. */
const LAYERS_MAX = 4;
/** SPEED_UNKNOWN of linux/ethtool.h in 32 bits. */
const UNSIGNED_UNKNOWN = 4_294_967_295;
/** ARPHRD_ETHER, ARPHRD_INFINIBAND of linux/if_arp.h. */
const TYPES: Readonly<Record<string, InterfaceFacts['connection_type']>> = { '1': 'ethernet', '32': 'infiniband' };

/**
 * Facts about an interface from /sys/class/net. Without an entry there the interface is assumed to be virtual and up.
 */
export function readInterfaceFacts(files: SystemFiles, name: string): InterfaceFacts {
  const folder = `/sys/class/net/${name}`;
  const isHardware = hasHardware(files, name, LAYERS_MAX);
  const isBridge = files.names(`${folder}/bridge`).length > 0;
  const state = files.text(`${folder}/operstate`);
  return {
    name,
    // `unknown`: drivers that do not report a state, such as tun and loopback.
    is_up: state === null || state === 'up' || state === 'unknown',
    kind: isHardware ? 'hardware' : isBridge || CONTAINER_NAMES.test(name) ? 'container bridge' : 'virtual',
    speed_mbps: isHardware ? (positive(files.text(`${folder}/speed`)) ?? infinibandRate(files, folder)) : null,
    mtu: positive(files.text(`${folder}/mtu`)),
    connection_type: TYPES[files.text(`${folder}/type`) ?? ''] ?? 'unknown',
  };
}

function hasHardware(files: SystemFiles, name: string, layers: number): boolean {
  const names = files.names(`/sys/class/net/${name}`);
  if (names.includes('device')) return true;
  const lower = names.filter((entry) => entry.startsWith('lower_')).map((entry) => entry.slice('lower_'.length));
  return layers > 0 && lower.some((below) => hasHardware(files, below, layers - 1));
}

/** `100 Gb/sec (4X EDR)`, if IP over InfiniBand does not report its speed itself. */
function infinibandRate(files: SystemFiles, folder: string): number | null {
  const [device] = files.names(`${folder}/device/infiniband`);
  if (device === undefined) return null;
  const rate = /^([\d.]+) Gb\/sec/.exec(files.text(`${folder}/device/infiniband/${device}/ports/1/rate`) ?? '');
  return rate === null ? null : positive(String(Number(rate[1]) * 1000));
}

/** Drivers report -1 for unknown, older ones as an unsigned number. */
function positive(text: string | null): number | null {
  const value = Number(text ?? Number.NaN);
  return Number.isFinite(value) && value > 0 && value < UNSIGNED_UNKNOWN ? value : null;
}
