import { lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { SystemFiles } from '../../../../agent/inventory/system-files.ts';

/** What a path holds: text, bytes, or a symbolic link; null: nothing is there. */
export type Content = string | Buffer | { link: string } | null;

export interface MachineTree {
  root: string;
  files: SystemFiles;
  put: (path: string, content: Content) => void;
}

/** A tree of /sys, /proc and /dev of the test's own. */
export function machineTree(t: TestContext, contents: Record<string, Content>): MachineTree {
  const root = mkdtempSync(join(tmpdir(), 'gpumark-machine-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const put = (path: string, content: Content): void => {
    const target = join(root, path);
    if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) rmSync(target, { recursive: true });
    if (content === null) return;
    mkdirSync(dirname(target), { recursive: true });
    if (typeof content === 'object' && 'link' in content) symlinkSync(content.link, target);
    else writeFileSync(target, content);
  };
  for (const [path, content] of Object.entries(contents)) put(path, content);
  return { root, files: new SystemFiles(root), put };
}

/** Configuration space with one extended capability: access control services with this control register. */
export function configSpace(control: number): Buffer {
  const bytes = Buffer.alloc(4096);
  // Advanced error reporting, next at 0x148; then ACS as the last.
  bytes.writeUInt32LE(0x148_2_0001, 0x100);
  bytes.writeUInt32LE(0x000_1_000d, 0x148);
  bytes.writeUInt16LE(0x005f, 0x14c);
  bytes.writeUInt16LE(control, 0x14e);
  return bytes;
}

/** Vital product data: the identifier string, then a read-only section. */
export function productData(name: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16LE(name.length);
  return Buffer.concat([Buffer.from([0x82]), length, Buffer.from(`${name}\u0090\u0000\u0000x`, 'latin1')]);
}

/** Bridges of the switch above the cards: root port, its upstream port, then a downstream port for each. */
const ABOVE = 'sys/devices/pci0000:15/0000:15:01.0/0000:16:00.0';
export const folders = {
  port: 'sys/devices/pci0000:15/0000:15:01.0',
  upstream: ABOVE,
  downstream: `${ABOVE}/0000:17:00.0`,
  gpu: `${ABOVE}/0000:17:00.0/0000:19:00.0`,
  otherGpu: `${ABOVE}/0000:17:01.0/0000:1a:00.0`,
  adapter: `${ABOVE}/0000:17:02.0/0000:1b:00.0`,
  ethernet: 'sys/devices/pci0000:97/0000:97:01.0/0000:9a:00.0',
  nvswitch: 'sys/devices/pci0000:00/0000:05:00.0',
  ib: 'sys/class/infiniband/mlx5_0/ports/1',
  roce: 'sys/class/infiniband/mlx5_1/ports/1',
  net: 'sys/class/net/eth0',
} as const;

const bridges = [folders.port, folders.upstream, folders.downstream, `${ABOVE}/0000:17:01.0`, `${ABOVE}/0000:17:02.0`];
const cards = [folders.gpu, folders.otherGpu];

const zeros = (names: string, total: string): string =>
  `${names
    .split(' ')
    .map((name) => `${name} 0\n`)
    .join('')}${total} 0\n`;
const CORRECTABLE = 'RxErr BadTLP BadDLLP Rollover Timeout NonFatalErr CorrIntErr HeaderOF';
const UNCORRECTABLE =
  'Undefined DLP SDES TLP FCP CmpltTO CmpltAbrt UnxCmplt RxOF MalfTLP ECRC UnsupReq ACSViol UncorrIntErr BlockedTLP AtomicOpBlocked TLPBlockedErr PoisonTLPBlocked';

const below = (folder: string, files: Record<string, Content>): Record<string, Content> =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [`${folder}/${name}`, content]));

function pciDevice(folder: string, files: Record<string, Content>): Record<string, Content> {
  const address = folder.split('/').at(-1) ?? '';
  return {
    ...below(folder, {
      aer_dev_correctable: zeros(CORRECTABLE, 'TOTAL_ERR_COR'),
      aer_dev_nonfatal: zeros(UNCORRECTABLE, 'TOTAL_ERR_NONFATAL'),
      aer_dev_fatal: zeros(UNCORRECTABLE, 'TOTAL_ERR_FATAL'),
      numa_node: '0\n',
      ...files,
    }),
    [`sys/bus/pci/devices/${address}`]: { link: `../../../${folder.slice('sys/'.length)}` },
  };
}

const link = (speed: string, width: string): Record<string, Content> => ({
  current_link_speed: `${speed}\n`,
  max_link_speed: '32.0 GT/s PCIe\n',
  current_link_width: `${width}\n`,
  max_link_width: '16\n',
});

const counters = [
  'symbol_error',
  'link_error_recovery',
  'link_downed',
  'port_rcv_errors',
  'local_link_integrity_errors',
  'excessive_buffer_overrun_errors',
  'port_xmit_discards',
];
const roceCounters = ['out_of_sequence', 'packet_seq_err', 'rp_cnp_handled', 'np_ecn_marked_roce_packets'];
const atZero = (folder: string, names: readonly string[]): Record<string, Content> =>
  Object.fromEntries(names.map((name) => [`${folder}/${name}`, '0\n']));

const port = (layer: string): Record<string, Content> => ({
  state: '4: ACTIVE\n',
  phys_state: '5: LinkUp\n',
  link_layer: `${layer}\n`,
  rate: '400 Gb/sec (4X NDR)\n',
  'pkeys/0': '0xffff\n',
  ...atZero('counters', counters),
});

export const QUIET_LOG = [
  '6,1,0,-;Linux version 6.8.0-45-generic (buildd@lcy02) #45-Ubuntu SMP\n',
  '6,339,5140900,-;nvidia 0000:19:00.0: enabling device (0140 -> 0142)\n SUBSYSTEM=pci\n DEVICE=+pci:0000:19:00.0\n',
  '6,340,5690716,-;NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  580.159.04\n',
].join('');

/**
 * A healthy machine: two cards below one PCIe switch, an NVSwitch, an InfiniBand and a RoCE port, one Ethernet interface. The
 * forms are those of the kernel's Documentation/ABI and of drivers/infiniband/core/sysfs.c. The cards are idle: their links are
 * slow.
 */
export const healthy: Record<string, Content> = {
  ...Object.assign(
    {},
    ...bridges.map((folder) =>
      pciDevice(folder, {
        class: '0x060400\n',
        vendor: '0x1000\n',
        config: configSpace(0),
        ...link('32.0 GT/s PCIe', '16'),
      }),
    ),
  ),
  ...Object.assign(
    {},
    ...cards.map((folder) =>
      pciDevice(folder, {
        class: '0x030200\n',
        vendor: '0x10de\n',
        'iommu_group/type': 'identity\n',
        ...link('2.5 GT/s PCIe', '16'),
      }),
    ),
  ),
  [`${folders.downstream}/current_link_speed`]: '2.5 GT/s PCIe\n',
  [`${ABOVE}/0000:17:01.0/current_link_speed`]: '2.5 GT/s PCIe\n',
  ...pciDevice(folders.adapter, {
    class: '0x020700\n',
    vendor: '0x15b3\n',
    vpd: productData(
      'NVIDIA ConnectX-7 HHHL Adapter card, 400GbE / NDR IB (default mode), Single-port OSFP, PCIe 5.0 x16',
    ),
  }),
  ...pciDevice(folders.ethernet, {
    class: '0x020000\n',
    vendor: '0x15b3\n',
    numa_node: '1\n',
    vpd: productData(
      'NVIDIA ConnectX-7 HHHL Adapter card, 400GbE / NDR IB (default mode), Single-port OSFP, PCIe 5.0 x16',
    ),
  }),
  ...pciDevice(folders.nvswitch, { class: '0x068000\n', vendor: '0x10de\n' }),
  'sys/class/infiniband/mlx5_0/device': { link: `../../../${folders.adapter.slice('sys/'.length)}` },
  'sys/class/infiniband/mlx5_1/device': { link: `../../../${folders.ethernet.slice('sys/'.length)}` },
  ...below(folders.ib, port('InfiniBand')),
  ...below(folders.roce, { ...port('Ethernet'), ...atZero('hw_counters', roceCounters) }),
  [`${folders.net}/device`]: { link: `../../../${folders.ethernet.slice('sys/'.length)}` },
  ...below(folders.net, {
    operstate: 'up\n',
    type: '1\n',
    speed: '400000\n',
    mtu: '9000\n',
    carrier_changes: '2\n',
    'statistics/rx_crc_errors': '0\n',
    'statistics/rx_errors': '0\n',
  }),
  'sys/class/net/docker0/operstate': 'up\n',
  'sys/class/net/docker0/carrier_changes': '70\n',
  'sys/devices/system/node/has_cpu': '0-1\n',
  'sys/devices/system/node/node0/cpulist': '0-31,64-95\n',
  'sys/devices/system/node/node1/cpulist': '32-63,96-127\n',
  'sys/devices/system/cpu/cpufreq/policy0/scaling_governor': 'performance\n',
  'sys/devices/system/cpu/cpufreq/policy0/scaling_driver': 'acpi-cpufreq\n',
  'sys/devices/system/cpu/cpufreq/policy1/scaling_governor': 'performance\n',
  'sys/kernel/mm/transparent_hugepage/enabled': 'always [madvise] never\n',
  'sys/module/nvidia/version': '580.159.04\n',
  'sys/fs/cgroup/cpu.max': 'max 100000\n',
  'sys/fs/cgroup/memory.max': 'max\n',
  'proc/self/cgroup': '0::/\n',
  'proc/self/mountinfo': '30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n',
  'proc/self/status': 'Name:\tnode\nCpus_allowed_list:\t0-127\n',
  'proc/self/ns/pid': { link: 'pid:[4026531836]' },
  'proc/4711/comm': 'nv-fabricmanage\n',
  'proc/meminfo': 'MemTotal:       2113929216 kB\n',
  'proc/uptime': '10000.00 1230000.00\n',
  'proc/sys/kernel/tainted': '12289\n',
  'proc/cmdline': 'BOOT_IMAGE=/vmlinuz root=/dev/sda1 iommu=pt\n',
  'dev/kmsg': QUIET_LOG,
};

export const twoCards = [
  { device_id: 'GPU-0', vendor: 'nvidia', pci_id: '0000:19:00.0' },
  { device_id: 'GPU-1', vendor: 'nvidia', pci_id: '00000000:1A:00.0' },
] as const;
