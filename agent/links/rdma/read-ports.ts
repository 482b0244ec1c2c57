import type { SystemFiles } from '../../inventory/system-files.ts';

const DEVICES = 'sys/class/infiniband';

export interface Gid {
  index: number;
  /** eight groups of four hex digits, as the kernel writes it */
  address: string;
  /** `IB/RoCE v1` or `RoCE v2`; null if unknown */
  type: string | null;
  interface: string | null;
  interface_is_up: boolean;
}

/** One port of one RDMA device, from sysfs. */
export interface RdmaPort {
  device: string;
  port: number;
  /** `ACTIVE`, `DOWN`, `INIT`...; null if unknown */
  state: string | null;
  link_layer: string | null;
  rate_gbps: number | null;
  /** the key at index 0; bit 15 means full membership of the partition */
  partition_key: number | null;
  numa_node: number | null;
  /** `1` channel adapter (InfiniBand, RoCE), `4` iWARP; null if unknown */
  node_type: number | null;
  /** device of which this one is a virtual function; null if it is not one, or the parent is not visible here */
  parent_device: string | null;
  /**
   * whether it is in /dev/infiniband: a container sees all devices of its host, but may open only those assigned to it
   */
  can_open: boolean;
  gids: Gid[];
}

/** Every port of every device, in the order of the devices' numbers: mlx5_9 before mlx5_10. */
export function readPorts(files: SystemFiles): RdmaPort[] {
  const devices = files.names(DEVICES).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return devices.flatMap((device) => {
    const ports = files.names(`${DEVICES}/${device}/ports`).map(Number);
    return ports.filter(Number.isInteger).map((port) => readPort(files, device, port));
  });
}

function readPort(files: SystemFiles, device: string, port: number): RdmaPort {
  const root = `${DEVICES}/${device}`;
  const own = `${root}/ports/${port}`;
  const numa = integer(files.text(`${root}/device/numa_node`));
  const parents = files.names(`${root}/device/physfn/infiniband`);
  const given = new Set(files.names('dev/infiniband'));
  return {
    device,
    port,
    state: /^\d+: (\w+)/.exec(files.text(`${own}/state`) ?? '')?.[1] ?? null,
    link_layer: files.text(`${own}/link_layer`),
    rate_gbps: rateOf(files.text(`${own}/rate`)),
    partition_key: integer(files.text(`${own}/pkeys/0`)),
    numa_node: numa !== null && numa >= 0 ? numa : null,
    node_type: integer(/^(\d+):/.exec(files.text(`${root}/node_type`) ?? '')?.[1] ?? null),
    parent_device: parents[0] ?? null,
    can_open: files.names(`${root}/device/infiniband_verbs`).some((name) => given.has(name)),
    gids: readGids(files, own),
  };
}

/** `400 Gb/sec (4X NDR)`: signalling rate without coding overhead, in 1e9 bits per second. */
function rateOf(text: string | null): number | null {
  const rate = Number(/^(\d+(?:\.\d+)?) Gb\/sec/.exec(text ?? '')?.[1] ?? Number.NaN);
  return rate > 0 ? rate : null;
}

function readGids(files: SystemFiles, port: string): Gid[] {
  const indices = files.names(`${port}/gids`).map(Number).filter(Number.isInteger);
  return indices
    .toSorted((a, b) => a - b)
    .flatMap((index) => {
      const address = files.text(`${port}/gids/${index}`);
      // Free entries of the table are all zero, and reading their type is an error.
      if (address === null || /^[0:]*$/.test(address)) return [];
      const name = files.text(`${port}/gid_attrs/ndevs/${index}`);
      const operation = name === null ? null : files.text(`sys/class/net/${name}/operstate`);
      const type = files.text(`${port}/gid_attrs/types/${index}`);
      return [{ index, address, type, interface: name, interface_is_up: operation === 'up' }];
    });
}

function integer(text: string | null): number | null {
  const value = text === null ? Number.NaN : Number(text);
  return Number.isInteger(value) ? value : null;
}
