import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { watchNode } from '../../../agent/health/watch-node.ts';
import type { RunnerEvent } from '../../../agent/kernels/runner-events.ts';
import { nodeSignals, type NodeSignal } from '../../../coordinator/contract/health.ts';
import {
  type Content,
  folders,
  healthy,
  type MachineTree,
  machineTree,
  configSpace,
  productData,
  twoCards,
} from './support/machine-tree.ts';

const clock = { elapsed: () => 0 };

/** The first sample of the copies between a card and its host. */
const copying = (device_id: string): RunnerEvent => ({
  schema: 'gpumark.native/1',
  t_ms: 1,
  event: 'sample',
  device_id,
  benchmark: 'link',
  metric: 'host_to_device_bandwidth_gbs',
  value: 55,
  unit: 'GB/s',
  index: 0,
});

const FAST = '32.0 GT/s PCIe\n';
const links = [folders.gpu, folders.otherGpu, folders.downstream, folders.downstream.replace('17:00.0', '17:01.0')];

/** The signals of a run: the links of the cards are fast while these copy, then `change` happens. */
async function signalsOfRun(
  tree: MachineTree,
  change: Record<string, Content> = {},
  busy: Record<string, Content> = {},
) {
  const watch = await watchNode({ files: tree.files, devices: twoCards, clock });
  for (const folder of links) tree.put(`${folder}/current_link_speed`, FAST);
  for (const [path, content] of Object.entries(busy)) tree.put(path, content);
  for (const { device_id } of twoCards) watch.onEvent(copying(device_id));
  for (const folder of links) tree.put(`${folder}/current_link_speed`, '2.5 GT/s PCIe\n');
  for (const [path, content] of Object.entries(change)) tree.put(path, content);
  return nodeSignals.parse(await watch.end());
}

/** `signal of: value` -> the rest of the row. */
const rowsOf = (signals: readonly NodeSignal[]): Record<string, Omit<NodeSignal, 'signal' | 'of'>> =>
  Object.fromEntries(signals.map(({ signal, of, ...rest }) => [of === undefined ? signal : `${signal} ${of}`, rest]));

/** Rows that differ from those of the healthy machine. */
async function differences(
  t: TestContext,
  before: Record<string, Content>,
  change: Record<string, Content> = {},
  busy: Record<string, Content> = {},
) {
  const usual = rowsOf(await signalsOfRun(machineTree(t, healthy)));
  const found = rowsOf(await signalsOfRun(machineTree(t, { ...healthy, ...before }), change, busy));
  const names = [...new Set([...Object.keys(usual), ...Object.keys(found)])];
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(found[name]) !== JSON.stringify(usual[name]))
      .map((name) => [name, found[name]]),
  );
}

test('a healthy machine tells every signal that it has, and none is a fault', async (t) => {
  const rows = rowsOf(await signalsOfRun(machineTree(t, healthy)));
  const values = Object.entries(rows).map(
    ([name, { value, during_run: change }]) => `${name} = ${value}${change === undefined ? '' : ` +${change}`}`,
  );
  const bridges = ['0000:15:01.0', '0000:16:00.0', '0000:17:00.0', '0000:17:01.0'];
  const cards = ['0000:19:00.0', '0000:1a:00.0'];
  const onLinks = [...cards, ...bridges];
  const ports = ['mlx5_0/1', 'mlx5_1/1'];
  const expected = [
    'kernel_xid = none +0',
    'kernel_sxid = none +0',
    'kernel_pcie_aer = 0 +0',
    ...onLinks.flatMap((of) => ['aer_correctable', 'aer_nonfatal', 'aer_fatal'].map((name) => `${name} ${of} = 0 +0`)),
    ...onLinks.flatMap((of) => [
      `pcie_generation ${of} = 5`,
      `pcie_width ${of} = 16`,
      `pcie_generation_max ${of} = 5`,
      `pcie_width_max ${of} = 16`,
    ]),
    ...bridges.map((of) => `acs_redirect ${of} = false`),
    'iommu_mode = passthrough',
    ...cards.flatMap((of) => [`gpu_numa_node ${of} = 0`, `pinned_to_numa_node ${of} = true`]),
    'nic_numa_node 0000:1b:00.0 = 0',
    'nic_numa_node 0000:9a:00.0 = 1',
    ...ports.flatMap((of) => [
      `ib_port_state ${of} = ACTIVE`,
      `ib_port_physical_state ${of} = LinkUp`,
      `ib_port_rate_gbps ${of} = 400`,
      `ib_port_rate_max_gbps ${of} = 400`,
      ...[
        'ib_symbol_error',
        'ib_link_error_recovery',
        'ib_link_downed',
        'ib_port_rcv_errors',
        'ib_local_link_integrity_errors',
        'ib_excessive_buffer_overrun_errors',
        'ib_port_xmit_discards',
      ].map((name) => `${name} ${of} = 0 +0`),
    ]),
    'ib_pkey_default mlx5_0/1 = true',
    ...['roce_out_of_sequence', 'roce_packet_seq_err', 'roce_cnp_handled', 'roce_ecn_marked'].map(
      (name) => `${name} mlx5_1/1 = 0 +0`,
    ),
    'net_carrier_changes eth0 = 2 +0',
    'net_crc_errors eth0 = 0 +0',
    'net_rx_errors eth0 = 0 +0',
    'net_speed_mbps eth0 = 400000',
    'transparent_hugepages = madvise',
    'cpu_governor = performance',
    'cpu_quota_cores = none',
    'memory_limit_bytes = none',
    // 12289 = 1 + 4096 + 8192: proprietary, out of tree, unsigned, as NVIDIA's own module makes it.
    'kernel_taint = POE',
    'nvidia_fabricmanager = running',
    'gpu_driver_version = 580.159.04',
  ];
  assert.deepEqual(values.toSorted(), expected.toSorted());
});

const { gpu, downstream, port, ib, roce, net } = folders;
const aer = (total: string, count: number): string => `RxErr ${count}\nBadTLP 0\n${total} ${count}\n`;
const level = (value: unknown) => ({ value });

/** What is wrong before the run, and the one row that says so. */
const faults: [string, Record<string, Content>, Record<string, unknown>][] = [
  [
    'corrected PCIe errors',
    { [`${gpu}/aer_dev_correctable`]: aer('TOTAL_ERR_COR', 4000) },
    { 'aer_correctable 0000:19:00.0': { value: 4000, during_run: 0 } },
  ],
  [
    'uncorrected PCIe errors at the port above',
    { [`${downstream}/aer_dev_nonfatal`]: aer('TOTAL_ERR_NONFATAL', 3) },
    { 'aer_nonfatal 0000:17:00.0': { value: 3, during_run: 0 } },
  ],
  [
    'fatal PCIe errors',
    { [`${gpu}/aer_dev_fatal`]: aer('TOTAL_ERR_FATAL', 1) },
    { 'aer_fatal 0000:19:00.0': { value: 1, during_run: 0 } },
  ],
  [
    'lost lanes',
    { [`${gpu}/current_link_width`]: '8\n', [`${downstream}/current_link_width`]: '8\n' },
    { 'pcie_width 0000:19:00.0': level(8), 'pcie_width 0000:17:00.0': level(8) },
  ],
  [
    'a slow link above the switch',
    {
      [`${port}/current_link_speed`]: '8.0 GT/s PCIe\n',
      [`${folders.upstream}/current_link_speed`]: '8.0 GT/s PCIe\n',
    },
    { 'pcie_generation 0000:15:01.0': level(3), 'pcie_generation 0000:16:00.0': level(3) },
  ],
  // Request redirect and completion redirect, as the kernel sets them for an IOMMU: SV | RR | CR | UF.
  ['redirected peers', { [`${downstream}/config`]: configSpace(0x1d) }, { 'acs_redirect 0000:17:00.0': level(true) }],
  ['a translating IOMMU', { [`${gpu}/iommu_group/type`]: 'DMA-FQ\n' }, { iommu_mode: level('translated') }],
  [
    'a cgroup without the processors of a card',
    { 'proc/self/status': 'Cpus_allowed_list:\t32-63\n' },
    { 'pinned_to_numa_node 0000:19:00.0': level(false), 'pinned_to_numa_node 0000:1a:00.0': level(false) },
  ],
  [
    'a port without its subnet manager',
    { [`${ib}/state`]: '2: INIT\n' },
    {
      'ib_port_state mlx5_0/1': level('INIT'),
      'ib_port_rate_gbps mlx5_0/1': { value: null, not_read: 'the port is INIT' },
    },
  ],
  [
    'a port that trains',
    { [`${ib}/phys_state`]: '7: Phy Test\n' },
    { 'ib_port_physical_state mlx5_0/1': level('Phy Test') },
  ],
  ['a slow port', { [`${ib}/rate`]: '200 Gb/sec (4X HDR)\n' }, { 'ib_port_rate_gbps mlx5_0/1': level(200) }],
  ['a foreign partition', { [`${ib}/pkeys/0`]: '0x8021\n' }, { 'ib_pkey_default mlx5_0/1': level(false) }],
  [
    'symbol errors',
    { [`${ib}/counters/symbol_error`]: '77\n' },
    { 'ib_symbol_error mlx5_0/1': { value: 77, during_run: 0 } },
  ],
  [
    'a counter at its end',
    { [`${ib}/counters/link_downed`]: '255\n' },
    { 'ib_link_downed mlx5_0/1': { value: 255, during_run: null } },
  ],
  [
    'lost packets on RoCE',
    { [`${roce}/hw_counters/out_of_sequence`]: '12\n' },
    { 'roce_out_of_sequence mlx5_1/1': { value: 12, during_run: 0 } },
  ],
  [
    'checksum errors',
    { [`${net}/statistics/rx_crc_errors`]: '9\n' },
    { 'net_crc_errors eth0': { value: 9, during_run: 0 } },
  ],
  [
    'huge pages that are off',
    { 'sys/kernel/mm/transparent_hugepage/enabled': 'always madvise [never]\n' },
    { transparent_hugepages: level('never') },
  ],
  [
    'a governor that saves power',
    {
      'sys/devices/system/cpu/cpufreq/policy0/scaling_governor': 'powersave\n',
      'sys/devices/system/cpu/cpufreq/policy1/scaling_governor': 'powersave\n',
    },
    { cpu_governor: level('powersave') },
  ],
  [
    'governors that differ',
    {
      'sys/devices/system/cpu/cpufreq/policy1/scaling_governor': 'powersave\n',
      'sys/devices/system/cpu/cpufreq/policy2/scaling_governor': 'powersave\n',
    },
    { cpu_governor: level('powersave (2), performance (1)') },
  ],
  ['a CPU quota', { 'sys/fs/cgroup/cpu.max': '350000 100000\n' }, { cpu_quota_cores: level(3.5) }],
  ['a limit of memory', { 'sys/fs/cgroup/memory.max': '68719476736\n' }, { memory_limit_bytes: level(68_719_476_736) }],
  // 12289 + 16 (machine check) + 128 (oops)
  ['a machine check and an oops', { 'proc/sys/kernel/tainted': '12433\n' }, { kernel_taint: level('PMDOE') }],
  [
    'a fabric manager that has died',
    { 'proc/4711/comm': 'sleep\n', 'usr/bin/nv-fabricmanager': '' },
    { nvidia_fabricmanager: level('not running') },
  ],
  ['no fabric manager', { 'proc/4711/comm': null }, { nvidia_fabricmanager: level('not installed') }],
];
for (const [name, before, expected] of faults)
  test(`${name}: one signal says so, and no other`, async (t) => {
    assert.deepEqual(await differences(t, before), expected);
  });

/** What happens during the run, and the rows that say so. */
const changes: [string, Record<string, Content>, Record<string, unknown>][] = [
  [
    'PCIe errors',
    { [`${gpu}/aer_dev_correctable`]: aer('TOTAL_ERR_COR', 31) },
    { 'aer_correctable 0000:19:00.0': { value: 0, during_run: 31 } },
  ],
  [
    'a link that goes down and comes up',
    { [`${ib}/counters/link_downed`]: '1\n', [`${net}/carrier_changes`]: '4\n' },
    { 'ib_link_downed mlx5_0/1': { value: 0, during_run: 1 }, 'net_carrier_changes eth0': { value: 2, during_run: 2 } },
  ],
  [
    'a port that goes down and stays',
    { [`${ib}/state`]: '1: DOWN\n', [`${ib}/phys_state`]: '2: Polling\n', [`${ib}/rate`]: '10 Gb/sec (4X SDR)\n' },
    {
      'ib_port_state mlx5_0/1': level('DOWN'),
      'ib_port_physical_state mlx5_0/1': level('Polling'),
      'ib_port_rate_gbps mlx5_0/1': { value: null, not_read: 'the port is DOWN; before the run: 400' },
    },
  ],
  [
    'a counter that is set back',
    { [`${net}/carrier_changes`]: '0\n' },
    { 'net_carrier_changes eth0': { value: 0, during_run: null } },
  ],
  [
    'a manager that dies',
    { 'proc/4711/comm': null, 'usr/bin/nv-fabricmanager': '' },
    { nvidia_fabricmanager: level('not running') },
  ],
];
for (const [name, change, expected] of changes)
  test(`${name} during the run: the change is told`, async (t) => {
    assert.deepEqual(await differences(t, {}, change), expected);
  });

test('what was there before the run and is not after it is not read, with what it was', async (t) => {
  const gone = 'it was there before the run and is gone after it';
  const rows = await differences(t, {}, { [net]: null, [`${ib}/counters/symbol_error`]: null });
  assert.deepEqual(rows['net_carrier_changes eth0'], { value: null, not_read: `${gone}; before the run: 2` });
  assert.deepEqual(rows['net_speed_mbps eth0'], { value: null, not_read: `${gone}; before the run: 400000` });
  assert.deepEqual(rows['ib_symbol_error mlx5_0/1'], {
    value: null,
    not_read: 'there is no such file; before the run: 0',
  });
});

test('a card that falls off the bus during the run has no signals left, and none looks healthy', async (t) => {
  const rows = await differences(t, {}, { 'sys/bus/pci/devices/0000:19:00.0': null });
  const values = Object.entries(rows).map(([name, row]) => [name, row?.value]);
  const names = ['aer_correctable', 'aer_nonfatal', 'aer_fatal', 'gpu_numa_node', 'pinned_to_numa_node'];
  // Its link was seen under load before that; the port above it is still there.
  assert.deepEqual(values.toSorted(), names.map((name) => [`${name} 0000:19:00.0`, null]).toSorted());
});

test('a link counts as it is under load, and an older card in a newer slot is healthy', async (t) => {
  const old = { [`${gpu}/max_link_speed`]: '16.0 GT/s PCIe\n' };
  const busy = {
    [`${gpu}/current_link_speed`]: '16.0 GT/s PCIe\n',
    [`${downstream}/current_link_speed`]: '16.0 GT/s PCIe\n',
  };
  const four = { value: 4 };
  assert.deepEqual(await differences(t, old, {}, busy), {
    'pcie_generation 0000:19:00.0': four,
    'pcie_generation_max 0000:19:00.0': four,
    'pcie_generation 0000:17:00.0': four,
    'pcie_generation_max 0000:17:00.0': four,
  });
});

test('a link that was not seen under load is not judged by its idle speed', async (t) => {
  const tree = machineTree(t, healthy);
  const watch = await watchNode({ files: tree.files, devices: twoCards, clock });
  const rows = rowsOf(await watch.end());
  assert.deepEqual(rows['pcie_generation 0000:19:00.0'], {
    value: null,
    not_read: 'not seen under load; 1 when idle, which may be slowed down',
  });
  assert.equal(rows['pcie_generation_max 0000:19:00.0']?.value, 5);
});

test('the rate of a port is compared with what its card is built for, by the name that the card carries', async (t) => {
  const vpd = (name: string) => ({ [`${folders.adapter}/vpd`]: productData(name) });
  const most = async (name: string) => (await differences(t, vpd(name)))['ib_port_rate_max_gbps mlx5_0/1'];
  assert.deepEqual(await most('ConnectX-6 VPI adapter card, HDR IB (200Gb/s) and 200GbE, single-port QSFP56'), {
    value: 200,
  });
  assert.deepEqual(await most('NVIDIA ConnectX-7 Ethernet adapter card, 100 GbE , Dual-port QSFP112'), { value: 100 });
  assert.match(String((await most('Nvidia ConnectX-7 4-chip VPI PCIe Gen5 Mezz Controller'))?.not_read), /no rate/);
});

test('one card has no peers: redirection and translation are left out', async (t) => {
  const tree = machineTree(t, healthy);
  const watch = await watchNode({ files: tree.files, devices: twoCards.slice(0, 1), clock });
  const names = (await watch.end()).map(({ signal }) => signal);
  assert.ok(names.includes('aer_fatal') && !names.includes('acs_redirect') && !names.includes('iommu_mode'));
});

test('without a card only ports and settings of the machine are read', async (t) => {
  const watch = await watchNode({ files: machineTree(t, healthy).files, devices: [], clock });
  const names = new Set((await watch.end()).map(({ signal }) => signal));
  assert.ok(
    names.has('ib_port_state') && names.has('cpu_governor') && !names.has('aer_fatal') && !names.has('gpu_numa_node'),
  );
});
