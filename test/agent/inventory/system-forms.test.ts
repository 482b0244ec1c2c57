import assert from 'node:assert/strict';
import { cpus } from 'node:os';
import { test } from 'node:test';
import { collectInventory, prettyName } from '../../../agent/inventory/collect-inventory.ts';
import { configId } from '../../../agent/inventory/config-id.ts';
import { cardAddresses, linkOfKernel } from '../../../agent/inventory/pci-cards.ts';
import { word } from '../../../agent/inventory/read-answer.ts';
import { readInterfaceFacts } from '../../../agent/links/interface-facts.ts';
import { cgroupMemory, cgroupMemoryLeft, cgroupTasks } from '../../../agent/run/cgroup.ts';
import { fileTree } from '../support/file-tree.ts';
import { testHost } from '../support/test-host.ts';

const dmi = (names: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(names).map(([name, text]) => [`sys/class/dmi/id/${name}`, text]));
const meminfo = 'MemTotal:       2113929216 kB\nMemFree: 1 kB\n';
const v2 = {
  'proc/self/cgroup': '0::/kubepods.slice/pod1/container\n',
  'proc/self/mountinfo': '30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n',
  'sys/fs/cgroup/kubepods.slice/memory.max': 'max\n',
  'sys/fs/cgroup/kubepods.slice/pod1/memory.max': '64000000000\n',
  'sys/fs/cgroup/kubepods.slice/pod1/container/memory.max': '68719476736\n',
  'sys/fs/cgroup/kubepods.slice/pod1/memory.current': '10000000000\n',
  'sys/fs/cgroup/kubepods.slice/pod1/memory.stat': 'anon 5\ninactive_file 4000000000\n',
  'sys/fs/cgroup/kubepods.slice/pod1/pids.max': '128\n',
};
/** Version 1 in a container: the mount begins at its group, the path counts from the host's root. */
const v1 = {
  'proc/self/cgroup': '9:memory:/docker/abc\n5:cpu,cpuacct:/docker/abc\n0::/\n',
  'proc/self/mountinfo':
    '35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n36 31 0:33 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n',
  'sys/fs/cgroup/memory/memory.limit_in_bytes': '32000000000\n',
  'sys/fs/cgroup/memory/memory.usage_in_bytes': '1000000000\n',
};
/** No limit, as version 1 writes it. */
const v1Unlimited = { ...v1, 'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n' };

test('the limits of a cgroup are the least of the own one and its ancestors, in both versions', (t) => {
  const of = (tree: Record<string, string>): unknown[] => {
    const files = fileTree(t, tree);
    const read = (path: string): string | null => files.text(path);
    return [cgroupMemory(read), cgroupMemoryLeft(read), cgroupTasks(read)];
  };
  assert.deepEqual(of(v2), [64e9, 58e9, 128]);
  assert.deepEqual(of(v1), [32e9, 31e9, null]);
  assert.deepEqual(of({}), [null, null, null]);
});

test('in a cgroup the memory is what it may use, with a note, and the configuration stays that of the machine', async (t) => {
  const host = testHost(t);
  const inventoryOf = (tree: Record<string, string>) =>
    collectInventory({
      files: fileTree(t, { 'proc/meminfo': meminfo, ...tree }),
      machine_uuid: 'm',
      location: null,
      machine_ip: null,
      gpu_vendor: 'cpu',
      gpu_count: 1,
      cards: [],
      measureDisk: () => host.measureDisk(host.folder),
      probeSystem: () => host.probeSystem(),
    });
  const all = await Promise.all([{}, v2, v1, v1Unlimited].map(inventoryOf));
  assert.deepEqual(
    all.map(({ ram_info }) => ram_info.total_memory),
    [2113929216 * 1024, 64e9, 32e9, 2113929216 * 1024],
  );
  const notes = all.map((inventory) => (inventory['unavailable'] as Record<string, string>)['memory_limit']);
  assert.deepEqual(notes, [
    undefined,
    'the machine has 2164.7 GB, of which the cgroup of this process may use 64.0 GB',
    'the machine has 2164.7 GB, of which the cgroup of this process may use 32.0 GB',
    undefined,
  ]);
  assert.equal(new Set(all.map(({ config_id }) => config_id)).size, 1);
});

test('processors that this process may not use are told in a note', async (t) => {
  const host = testHost(t);
  const count = cpus().length;
  const noteOf = async (status: string): Promise<string | undefined> => {
    const inventory = await collectInventory({
      files: fileTree(t, { 'proc/self/status': `Name:\tnode\nCpus_allowed_list:\t${status}\n` }),
      machine_uuid: 'm',
      location: null,
      machine_ip: null,
      gpu_vendor: 'cpu',
      gpu_count: 1,
      cards: [],
      measureDisk: () => host.measureDisk(host.folder),
      probeSystem: () => host.probeSystem(),
    });
    assert.equal(inventory.cpu_info.cpu_count, count);
    return (inventory['unavailable'] as Record<string, string>)['processor_limit'];
  };
  // Possible CPUs are more than there are.
  assert.equal(await noteOf('0-8191'), undefined);
  if (count === 1) return t.skip('this machine has one processor, which is always allowed');
  assert.equal(await noteOf('0'), `the machine has ${count} processors, of which this process may use 1`);
  if (count > 2) assert.match((await noteOf('0,2')) ?? '', /may use 2$/);
});

test('placeholders of the firmware are not shown as vendor and model; a board without firmware tables names itself; the configuration keeps both', async (t) => {
  const host = testHost(t);
  const inventoryOf = (tree: Record<string, string>) =>
    collectInventory({
      files: fileTree(t, tree),
      machine_uuid: 'm',
      location: null,
      machine_ip: null,
      gpu_vendor: 'cpu',
      gpu_count: 1,
      cards: [],
      measureDisk: () => host.measureDisk(host.folder),
      probeSystem: () => host.probeSystem(),
    });
  const names = async (tree: Record<string, string>): Promise<unknown[]> => {
    const { cpu_info } = await inventoryOf(tree);
    return [cpu_info.hardware_vendor, cpu_info.hardware_model];
  };
  assert.deepEqual(await names(dmi({ sys_vendor: 'HP', product_name: 'Z8' })), ['HP', 'Z8']);
  assert.deepEqual(await names(dmi({ sys_vendor: 'System manufacturer', product_name: 'System Product Name' })), [
    null,
    null,
  ]);
  assert.deepEqual(await names(dmi({ sys_vendor: 'To Be Filled By O.E.M.', product_name: 'Default string' })), [
    null,
    null,
  ]);
  const jetson = { 'sys/firmware/devicetree/base/model': 'NVIDIA Jetson AGX Orin Developer Kit\0' };
  assert.deepEqual(await names(jetson), [null, 'NVIDIA Jetson AGX Orin Developer Kit']);
  const { config_id, cpu_info } = await inventoryOf(dmi({ sys_vendor: 'System manufacturer' }));
  const rest = { processor: null, hardware_model: null, memory_bytes: null, cards: [] };
  const { arch, cpu_count } = cpu_info;
  assert.equal(config_id, configId({ ...rest, arch, processors: cpu_count, hardware_vendor: 'System manufacturer' }));
});

test('os-release is read in every form of its manual: double and single quotes, escapes, bare words', () => {
  for (const [text, name] of [
    ['NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n', 'Debian GNU/Linux 12 (bookworm)'],
    ["PRETTY_NAME='Alpine Linux v3.20'\n", 'Alpine Linux v3.20'],
    ['PRETTY_NAME=Slackware\n', 'Slackware'],
    ['PRETTY_NAME="A \\"quoted\\" \\$name"\nID=a', 'A "quoted" $name'],
    ['ID=debian\n', null],
  ] as const)
    assert.equal(prettyName(text), name);
  assert.equal(prettyName(null), null);
});

test('a link that sleeps, is lost or unknown has no width and no speed', (t) => {
  const folder = 'sys/bus/pci/devices/0000:17:00.0';
  const link = (speed: string, width: string): unknown =>
    linkOfKernel(
      fileTree(t, {
        [`${folder}/max_link_speed`]: '32.0 GT/s PCIe',
        [`${folder}/max_link_width`]: '16',
        [`${folder}/current_link_speed`]: speed,
        [`${folder}/current_link_width`]: width,
      }),
      '00000000:17:00.0',
    );
  const max = { generation_max: 5, link_width_max: 16 };
  assert.deepEqual(link('2.5 GT/s', '8'), { ...max, generation_current: 1, link_width_current: 8 });
  for (const width of ['0', '63', '255'])
    assert.deepEqual(link('Unknown', width), { ...max, generation_current: null, link_width_current: null });
});

test('virtual functions of a card are not cards beside it', (t) => {
  const bus = 'sys/bus/pci/devices';
  const card = (address: string): Record<string, string> => ({
    [`${bus}/${address}/class`]: '0x030200',
    [`${bus}/${address}/vendor`]: '0x10de',
  });
  const files = fileTree(t, {
    ...card('0000:17:00.0'),
    ...card('0000:17:00.4'),
    [`${bus}/0000:17:00.4/physfn/vendor`]: '0x10de',
  });
  assert.deepEqual(cardAddresses(files, 'nvidia'), ['0000:17:00.0']);
});

test('what nvidia-smi and amd-smi write for an unknown value is none', () => {
  for (const text of [
    'N/A',
    '[N/A]',
    '[Not Supported]',
    '[Unknown Error]',
    '[GPU requires reset]',
    '[Insufficient Permissions]',
    'ERR!',
    '[GPU is lost]',
    '',
  ])
    assert.equal(word(text), null, text);
  assert.equal(word('96.00.89.00.01'), '96.00.89.00.01');
});

test('the speed of an interface that does not know it is none, signed or not', (t) => {
  const of = (speed: string): number | null =>
    readInterfaceFacts(
      fileTree(t, {
        'sys/class/net/eth0/speed': speed,
        'sys/class/net/eth0/device/vendor': '0x15b3',
        'sys/class/net/eth0/operstate': 'up',
      }),
      'eth0',
    ).speed_mbps;
  assert.deepEqual(['400000', '-1', '4294967295', '0'].map(of), [400_000, null, null, null]);
});
