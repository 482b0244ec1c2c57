import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Content, configSpace, folders, healthy, machineTree } from './support/machine-tree.ts';
import { differences, rowsOf, signalsOfRun } from './support/run-of-node.ts';

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
    'ib_port_lanes mlx5_0/1 = 4',
    'ib_pkey_default mlx5_0/1 = true',
    ...['roce_out_of_sequence', 'roce_packet_seq_err', 'roce_cnp_handled', 'roce_ecn_marked'].map(
      (name) => `${name} mlx5_1/1 = 0 +0`,
    ),
    'net_carrier_changes eth0 = 2 +0',
    'net_crc_errors eth0 = 0 +0',
    'net_rx_errors eth0 = 0 +0',
    'net_speed_mbps eth0 = 400000',
    'net_speed_max_mbps eth0 = 400000',
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
      'ib_port_lanes mlx5_0/1': { value: null, not_read: 'the port is INIT' },
    },
  ],
  [
    'a port that trains',
    { [`${ib}/phys_state`]: '7: Phy Test\n' },
    { 'ib_port_physical_state mlx5_0/1': level('Phy Test') },
  ],
  ['a slow port', { [`${ib}/rate`]: '200 Gb/sec (4X HDR)\n' }, { 'ib_port_rate_gbps mlx5_0/1': level(200) }],
  [
    'a port that has lost three of its lanes',
    { [`${ib}/rate`]: '100 Gb/sec (1X NDR)\n' },
    { 'ib_port_rate_gbps mlx5_0/1': level(100), 'ib_port_lanes mlx5_0/1': level(1) },
  ],
  ['an interface on a slower switch', { [`${net}/speed`]: '100000\n' }, { 'net_speed_mbps eth0': level(100_000) }],
  [
    'an interface of a card with RDMA',
    { [`${folders.ethernet}/infiniband/mlx5_1/node_type`]: '1: CA\n' },
    { 'net_speed_max_mbps eth0': { value: null, not_read: 'the port is judged by its RDMA device' } },
  ],
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
