import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { z } from 'zod';
import { quickMarkResults, type QuickMarkResults } from '../../../coordinator/contract/quick-mark.ts';
import { judgeResults } from '../../../coordinator/figures/judge-results.ts';
import { eventsOf, exitCodeOf, hostWithRunner, summaryOf } from '../support/run-harness.ts';
import { type Content, configSpace, folders, healthy, machineTree, QUIET_LOG } from './support/machine-tree.ts';

const gpus = [
  { id: 'GPU-0', pci_id: '0000:19:00.0' },
  { id: 'GPU-1', pci_id: '0000:1a:00.0' },
];
/** The links of both cards under load. */
const fast = Object.fromEntries(
  [folders.gpu, folders.otherGpu, folders.downstream, folders.downstream.replace('17:00.0', '17:01.0')].map(
    (folder) => [`${folder}/current_link_speed`, '32.0 GT/s PCIe\n'],
  ),
);

/** A run of the agent on a machine with this fault. */
async function runOn(t: TestContext, fault: Record<string, Content>) {
  const host = hostWithRunner(t, { gpus });
  host.system_root = machineTree(t, { ...healthy, ...fast, ...fault }).root;
  const code = await exitCodeOf(host, null);
  const event = eventsOf(host).find(({ type }) => type === 'measurement');
  const { quick_mark: results } = z.object({ quick_mark: quickMarkResults }).parse(event?.['results']);
  return { code, results, warnings: summaryOf(host).warnings };
}

/** `place: rule severity` of every finding. */
const findingsOf = ({ test_results, node_health }: QuickMarkResults): string[] =>
  [
    ...test_results.map(({ gpu_id, health }) => ({ place: gpu_id, health })),
    { place: 'machine', health: node_health },
  ].flatMap(({ place, health = [] }) => health.map(({ rule, severity }) => `${place}: ${rule} ${severity}`));

const xid = (address: string, number: number): string =>
  `${QUIET_LOG}4,900,9000000000,-;NVRM: Xid (PCI:${address}): ${number}, pid=1, name=x, y\n`;
const { gpu, otherGpu, downstream, ib } = folders;

const ONE_LANE = ['machine: ib_port_one_lane warning', 'machine: ib_port_slow info'];

const faults: [string, Record<string, Content>, string[]][] = [
  ['nothing', {}, []],
  ['an Xid 79 in the kernel log', { 'dev/kmsg': xid('0000:1a:00', 79) }, ['GPU-1: xid_79_before_run warning']],
  [
    'an Xid of a card that is not measured',
    { 'dev/kmsg': xid('0000:c3:00', 79) },
    ['machine: xid_79_before_run warning'],
  ],
  [
    'an SXid',
    {
      'dev/kmsg': `${QUIET_LOG}4,900,9000000000,-;nvidia-nvswitch0: SXid (PCI:0000:05:00.0): 24007, Fatal, Link 30 sourcetrack timeout error\n`,
    },
    ['machine: sxid_before_run info'],
  ],
  [
    'fatal PCIe errors',
    { [`${gpu}/aer_dev_fatal`]: 'DLP 2\nTOTAL_ERR_FATAL 2\n' },
    ['GPU-0: pcie_fatal_errors_before_run warning'],
  ],
  ['half of the lanes', { [`${otherGpu}/current_link_width`]: '8\n' }, ['GPU-1: pcie_width_reduced warning']],
  [
    'two PCIe generations less',
    { [`${gpu}/current_link_speed`]: '8.0 GT/s PCIe\n' },
    ['GPU-0: pcie_generation_reduced warning'],
  ],
  ['redirected peers', { [`${downstream}/config`]: configSpace(0x1d) }, ['machine: acs_redirects_peer_copies info']],
  ['a translating IOMMU', { [`${gpu}/iommu_group/type`]: 'DMA\n' }, ['machine: iommu_translates info']],
  ['a port without its subnet manager', { [`${ib}/state`]: '2: INIT\n' }, ['machine: ib_port_down warning']],
  ['an NDR card on an HDR switch', { [`${ib}/rate`]: '200 Gb/sec (4X HDR)\n' }, ['machine: ib_port_slow info']],
  ['a port with one lane left', { [`${ib}/rate`]: '100 Gb/sec (1X NDR)\n' }, ONE_LANE],
  ['a 400G interface on a 100G switch', { 'sys/class/net/eth0/speed': '100000\n' }, ['machine: net_port_slow info']],
  [
    'a governor that saves power on some processors',
    { 'sys/devices/system/cpu/cpufreq/policy1/scaling_governor': 'powersave\n' },
    ['machine: cpu_governor_saves_power info'],
  ],
  [
    'a limit of memory below what copies to two cards take',
    { 'sys/fs/cgroup/memory.max': `${2 ** 30}\n` },
    ['machine: memory_limit_low info'],
  ],
  [
    'a cable that is not in',
    { [`${ib}/state`]: '1: DOWN\n', [`${ib}/phys_state`]: '3: Disabled\n', [`${ib}/rate`]: '10 Gb/sec (4X SDR)\n' },
    [],
  ],
  ['a foreign partition', { [`${ib}/pkeys/0`]: '0x8021\n' }, ['machine: ib_pkey_not_default info']],
  ['a quota of one core', { 'sys/fs/cgroup/cpu.max': '100000 100000\n' }, ['machine: cpu_quota info']],
  [
    'huge pages that are off',
    { 'sys/kernel/mm/transparent_hugepage/enabled': 'always madvise [never]\n' },
    ['machine: huge_pages_off info'],
  ],
  ['a machine check', { 'proc/sys/kernel/tainted': '12305\n' }, ['machine: kernel_machine_check warning']],
  ['an oops', { 'proc/sys/kernel/tainted': '12417\n' }, ['machine: kernel_oops warning']],
];
for (const [name, fault, expected] of faults)
  test(`${name}: the agent finds ${expected.join(', ') || 'nothing'}, and so does the coordinator`, async (t) => {
    const { code, results, warnings } = await runOn(t, fault);
    assert.deepEqual(findingsOf(results), expected);
    assert.deepEqual(findingsOf(judgeResults(results)), expected);
    const isGrave = expected.some((words) => words.endsWith('warning'));
    assert.equal(code, isGrave ? 3 : 0, warnings.join('\n'));
    assert.equal(warnings.length > 0, isGrave, warnings.join());
  });
