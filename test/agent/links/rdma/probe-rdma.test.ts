import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { rdmaCapability } from '../../../../coordinator/contract/network-protocol.ts';
import { probeRdma } from '../../../../agent/links/rdma/probe-rdma.ts';
import { startProgram } from '../../../../agent/links/rdma/run-program.ts';
import { fileTree } from '../../support/file-tree.ts';
import { fakeTools, recorded } from './support/fake-tools.ts';
import type { FakeConfig } from './support/fake-tools.ts';
import { infinibandFiles, roceGids } from './support/sysfs-trees.ts';
import type { FakePort } from './support/sysfs-trees.ts';

const cuda = { version: '6.24', help: recorded('ib_write_bw-6.24-cuda-help.txt') };
const up = { 'sys/class/net/eth0/operstate': 'up\n', 'sys/class/net/eth1/operstate': 'down\n' };

async function probe(
  t: TestContext,
  devices: Record<string, FakePort>,
  files: Record<string, string> = {},
  tools: Partial<FakeConfig> = {},
) {
  const found = await probeRdma(
    fileTree(t, { ...infinibandFiles(devices), ...up, ...files }),
    startProgram,
    fakeTools(t, { ...tools, devices: {} }).tools,
  );
  if (found.capability !== null) rdmaCapability.parse(found.capability);
  return found;
}

test('eight InfiniBand rails are listed in the order of their device numbers, with rate, NUMA node and GID 0', async (t) => {
  const names = Array.from({ length: 8 }, (_, place) => `mlx5_${place + 4}`);
  const { capability, notes } = await probe(
    t,
    Object.fromEntries(names.map((name, place) => [name, { numa_node: String(place >> 2) }])),
  );
  assert.deepEqual(
    capability?.devices.map(({ device }) => device),
    names,
  );
  assert.deepEqual(capability?.devices[7], {
    device: 'mlx5_11',
    port: 1,
    link_layer: 'InfiniBand',
    rate_gbps: 400,
    gid_index: 0,
    numa_node: 1,
  });
  assert.deepEqual([capability?.perftest_version, capability?.json, capability?.gpu_memory], ['6.06', true, false]);
  assert.deepEqual(notes, ['no GPU on the PCI bus']);
});

test('RoCE uses version 2 of the IPv4 address, not the link-local entries before it', async (t) => {
  const { capability } = await probe(t, {
    rocep1s0: { link_layer: 'Ethernet', rate: '100 Gb/sec (2X HDR)', gids: roceGids('eth0') },
  });
  assert.deepEqual(capability?.devices[0], {
    device: 'rocep1s0',
    port: 1,
    link_layer: 'Ethernet',
    rate_gbps: 100,
    gid_index: 3,
    numa_node: 0,
  });
});

test('of several routable entries the one whose interface is up is used, IPv4 before IPv6', async (t) => {
  const global = 'fd00:0000:0000:0000:0000:0000:0000:0001';
  const gids = [
    ...roceGids('eth1').slice(0, 4),
    { address: global, type: 'RoCE v2', interface: 'eth0' },
    { address: '0000:0000:0000:0000:0000:ffff:0a01:0001', type: 'RoCE v2', interface: 'eth0' },
  ];
  const { capability } = await probe(t, { rocep1s0: { link_layer: 'Ethernet', gids } });
  assert.equal(capability?.devices[0]?.gid_index, 5);
  const without = await probe(t, { rocep1s0: { link_layer: 'Ethernet', gids: gids.slice(0, 5) } });
  assert.equal(
    without.capability?.devices[0]?.gid_index,
    4,
    'IPv6 of an interface that is up before IPv4 of one that is down',
  );
});

test('a RoCE port with link-local addresses only is not a rail, and the reason is reported', async (t) => {
  const { capability, notes } = await probe(t, {
    rocep1s0: { link_layer: 'Ethernet', gids: roceGids('eth0').slice(0, 2) },
  });
  assert.equal(capability, null);
  assert.deepEqual(notes, [
    'no RDMA port can be used',
    'rocep1s0 port 1 has no routable RoCE v2 address in its GID table',
  ]);
});

test('ports that are down, slow, iWARP, virtual or inaccessible are not rails; each has a reason', async (t) => {
  const { capability, notes } = await probe(t, {
    mlx5_0: {},
    mlx5_1: { state: '1: DOWN' },
    mlx5_2: { link_layer: 'Ethernet', rate: '25 Gb/sec (1X EDR)', gids: roceGids('eth0') },
    mlx5_3: { parent: 'mlx5_0' },
    mlx5_4: { given: false },
    cxgb4_0: { link_layer: 'Ethernet', node_type: '4: RNIC' },
  });
  assert.deepEqual(
    capability?.devices.map(({ device }) => device),
    ['mlx5_0'],
  );
  assert.deepEqual(notes, [
    'cxgb4_0 port 1 is not an InfiniBand or RoCE adapter',
    'mlx5_1 port 1 is DOWN, not ACTIVE',
    'mlx5_3 port 1 is a virtual function of mlx5_0',
    'mlx5_4 port 1 is not in /dev/infiniband: not given to this container, or ib_uverbs is not loaded',
    'mlx5_2 port 1 has 25 Gb/s, the rails have 400: not used',
    'no GPU on the PCI bus',
  ]);
});

test('a virtual function is a rail if its parent is not accessible in this container', async (t) => {
  const { capability } = await probe(t, { mlx5_0: { given: false }, mlx5_3: { parent: 'mlx5_0' } });
  assert.deepEqual(
    capability?.devices.map(({ device }) => device),
    ['mlx5_3'],
  );
});

test('a limited member of a partition is a rail with a note', async (t) => {
  const { capability, notes } = await probe(t, { mlx5_0: { pkey: '0x7fff' } });
  assert.equal(capability?.devices.length, 1);
  assert.match(notes.join(), /mlx5_0 port 1 is a limited member of its partition/);
});

test('a machine without devices, and one without perftest, have no RDMA and report which is missing', async (t) => {
  assert.deepEqual(await probeRdma(fileTree(t, {}), startProgram), {
    capability: null,
    setup: null,
    notes: ['no RDMA device in /sys/class/infiniband'],
  });
  const files = fileTree(t, infinibandFiles({ mlx5_0: {} }));
  const missing = await probeRdma(files, startProgram, {
    write_bw: '/nonexistent/ib_write_bw',
    write_lat: '/nonexistent/ib_write_lat',
  });
  assert.deepEqual([missing.capability, missing.notes], [null, ['ib_write_bw cannot be run: install perftest']]);
});

test('too little lockable memory is a reason, unless the process may lock any amount', async (t) => {
  const limits =
    'Limit                     Soft Limit           Hard Limit           Units\nMax locked memory         65536                65536                bytes     \n';
  const low = await probe(t, { mlx5_0: {} }, { 'proc/self/limits': limits });
  assert.deepEqual([low.capability, low.notes], [null, ['RDMA needs 4096 KiB of locked memory, ulimit -l is 64']]);
  const root = {
    'proc/self/limits': limits,
    'proc/self/status': 'CapEff:\t000001ffffffffff\n',
    'proc/self/uid_map': '         0          0 4294967295\n',
  };
  assert.notEqual((await probe(t, { mlx5_0: {} }, root)).capability, null);
  const container = { ...root, 'proc/self/uid_map': '         0     100000      65536\n' };
  assert.equal(
    (await probe(t, { mlx5_0: {} }, container)).capability,
    null,
    'root of a namespace of its own has no such right',
  );
});

const gpu = (address: string): Record<string, string> => ({
  [`sys/bus/pci/devices/${address}/class`]: '0x030200\n',
  [`sys/bus/pci/devices/${address}/vendor`]: '0x10de\n',
});

test('GPU memory needs a perftest with CUDA and a driver that exposes it', async (t) => {
  const debian = await probe(t, { mlx5_0: {} }, gpu('0000:17:00.0'));
  assert.equal(debian.capability?.gpu_memory, false);
  assert.deepEqual(debian.notes, ['perftest 6.06 is built without CUDA (no --use_cuda): GPU memory is not measured']);
  const alone = await probe(t, { mlx5_0: {} }, gpu('0000:17:00.0'), cuda);
  assert.match(alone.notes.join(), /GPU memory cannot be registered: no module nvidia_peermem, and no dma-buf/);
  const peer = await probe(
    t,
    { mlx5_0: {} },
    { ...gpu('0000:17:00.0'), 'sys/module/nvidia_peermem/version': '570\n' },
    cuda,
  );
  assert.deepEqual(
    [peer.capability?.gpu_memory, peer.setup?.gpus?.[0]?.args],
    [true, ['--use_cuda_bus_id=0000:17:00.0']],
  );
  const open = 'NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.00\n';
  const dmabuf = await probe(t, { mlx5_0: {} }, { ...gpu('0000:17:00.0'), 'proc/driver/nvidia/version': open }, cuda);
  assert.deepEqual(dmabuf.setup?.gpus?.[0]?.args, ['--use_cuda_bus_id=0000:17:00.0', '--use_cuda_dmabuf']);
});

test('each rail gets the GPU with which it shares the longest PCI path', async (t) => {
  const files = fileTree(t, {
    ...infinibandFiles({ mlx5_0: {}, mlx5_1: {} }),
    'sys/module/nvidia_peermem/version': '570\n',
    ...Object.fromEntries(
      [
        ['pci0000:00/0000:01:00.0', '0x030200'],
        ['pci0000:80/0000:81:00.0', '0x030200'],
      ].flatMap(([path, kind]) => [
        [`sys/devices/${path}/class`, `${kind}\n`],
        [`sys/devices/${path}/vendor`, '0x10de\n'],
      ]),
    ),
  });
  const link = (from: string, to: string): void => {
    mkdirSync(dirname(join(files.root, from)), { recursive: true });
    symlinkSync(join(files.root, to), join(files.root, from));
  };
  link('sys/bus/pci/devices/0000:01:00.0', 'sys/devices/pci0000:00/0000:01:00.0');
  link('sys/bus/pci/devices/0000:81:00.0', 'sys/devices/pci0000:80/0000:81:00.0');
  // The first rail is beside the second GPU.
  for (const [device, path] of [
    ['mlx5_2', 'pci0000:80/0000:82:00.0'],
    ['mlx5_3', 'pci0000:00/0000:02:00.0'],
  ] as const) {
    const tree = infinibandFiles({ [device]: {} });
    for (const [name, content] of Object.entries(tree)) {
      if (!name.includes('/device/')) write(join(files.root, name), content);
    }
    write(join(files.root, `sys/devices/${path}/infiniband_verbs/uverbs0/dev`), '231:192\n');
    link(`sys/class/infiniband/${device}/device`, `sys/devices/${path}`);
  }
  const { setup } = await probeRdma(files, startProgram, fakeTools(t, { ...cuda, devices: {} }).tools);
  const place = (device: string): number => setup?.capability.devices.findIndex((rail) => rail.device === device) ?? -1;
  assert.deepEqual(setup?.gpus?.[place('mlx5_2')]?.args, ['--use_cuda_bus_id=0000:81:00.0']);
  assert.deepEqual(setup?.gpus?.[place('mlx5_3')]?.args, ['--use_cuda_bus_id=0000:01:00.0']);
});

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
