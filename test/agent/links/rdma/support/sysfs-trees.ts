/** One port of one device, as /sys/class/infiniband shows it; shapes by Documentation/ABI/stable/sysfs-class-infiniband. */
export interface FakePort {
  state?: string;
  link_layer?: 'InfiniBand' | 'Ethernet';
  rate?: string;
  pkey?: string;
  numa_node?: string;
  node_type?: string;
  /** device of which it is a virtual function */
  parent?: string;
  /** whether /dev/infiniband has it */
  given?: boolean;
  gids?: { address: string; type?: string; interface?: string }[];
}

/** Files of devices with one port each, for a tree of the test's own. */
export function infinibandFiles(devices: Record<string, FakePort>): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [place, [device, port]] of Object.entries(devices).entries()) {
    const root = `sys/class/infiniband/${device}`;
    const own = `${root}/ports/1`;
    files[`${root}/node_type`] = `${port.node_type ?? '1: CA'}\n`;
    files[`${root}/device/numa_node`] = `${port.numa_node ?? '0'}\n`;
    files[`${root}/device/infiniband_verbs/uverbs${place}/dev`] = `231:${192 + place}\n`;
    if (port.given !== false) files[`dev/infiniband/uverbs${place}`] = '';
    if (port.parent !== undefined) files[`${root}/device/physfn/infiniband/${port.parent}/node_type`] = '1: CA\n';
    files[`${own}/state`] = `${port.state ?? '4: ACTIVE'}\n`;
    files[`${own}/link_layer`] = `${port.link_layer ?? 'InfiniBand'}\n`;
    files[`${own}/rate`] = `${port.rate ?? '400 Gb/sec (4X NDR)'}\n`;
    files[`${own}/pkeys/0`] = `${port.pkey ?? '0xffff'}\n`;
    const gids = port.gids ?? [{ address: 'fe80:0000:0000:0000:946d:ae03:0032:0778', type: 'IB/RoCE v1' }];
    for (const [index, gid] of gids.entries()) {
      files[`${own}/gids/${index}`] = `${gid.address}\n`;
      if (gid.type !== undefined) files[`${own}/gid_attrs/types/${index}`] = `${gid.type}\n`;
      if (gid.interface !== undefined) files[`${own}/gid_attrs/ndevs/${index}`] = `${gid.interface}\n`;
    }
  }
  return files;
}

const LOCAL = 'fe80:0000:0000:0000:0a00:27ff:fe4e:66a1';
const mapped = (last: string): string => `0000:0000:0000:0000:0000:ffff:0a00:${last}`;

/** What mlx5 makes of one Ethernet port with one IPv4 address: both versions of the link-local address, then of the other. */
export const roceGids = (name: string, last = '0001'): NonNullable<FakePort['gids']> => [
  { address: LOCAL, type: 'IB/RoCE v1', interface: name },
  { address: LOCAL, type: 'RoCE v2', interface: name },
  { address: mapped(last), type: 'IB/RoCE v1', interface: name },
  { address: mapped(last), type: 'RoCE v2', interface: name },
  // Free entries.
  { address: '0000:0000:0000:0000:0000:0000:0000:0000' },
];
