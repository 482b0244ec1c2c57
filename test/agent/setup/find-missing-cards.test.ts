import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { findMissingCards } from '../../../agent/setup/find-missing-cards.ts';
import type { SystemFiles } from '../../../agent/inventory/system-files.ts';
import { fileTree } from '../support/file-tree.ts';
import { exitCodeOf, hostWithRunner, summaryOf } from '../support/run-harness.ts';

const device = (id: string, pci: string | null, rest: object = {}) => ({
  device_id: id,
  backend: 'cuda',
  vendor: 'nvidia',
  status: 'ok',
  detail: 'why',
  name: 'N',
  pci_id: pci,
  attributes: {},
  ...rest,
});
const contentOf = (addresses: string[], vendor = '0x10de'): Record<string, string> =>
  Object.fromEntries(
    addresses.flatMap((address) => [
      [`sys/bus/pci/devices/${address}/vendor`, vendor],
      [`sys/bus/pci/devices/${address}/class`, '0x030200'],
    ]),
  );
const bus = (t: TestContext, addresses: string[]): SystemFiles => fileTree(t, contentOf(addresses));
const both = ['0000:17:00.0', '0000:18:00.0'];
const messages = ({ warnings }: ReturnType<typeof findMissingCards>): string[] => warnings.map((one) => one.message);
const remarks = (found: ReturnType<typeof findMissingCards>): string[] => found.remarks.map((one) => one.message);

test('a card in an error state beside working ones is a warning with its reason', (t) => {
  const devices = [device('A', both[0] ?? ''), device('B', both[1] ?? '', { status: 'error' })];
  for (const wanted of ['auto', 'cuda']) {
    const found = findMissingCards(devices, wanted, bus(t, both), {});
    assert.deepEqual(messages(found), ['B is not measured: error (why)']);
    assert.match(found.warnings[0]?.remedy ?? '', /nvidia-smi/);
  }
  // Naming the working one means measuring just that.
  assert.deepEqual(messages(findMissingCards(devices, 'A', bus(t, both), {})), []);
});

test('a card on the bus that the driver does not show is a warning with its address', (t) => {
  const found = findMissingCards([device('A', '00000000:17:00.0')], 'auto', bus(t, both), {});
  assert.equal(found.warnings.length, 1);
  assert.match(messages(found)[0] ?? '', /^1 NVIDIA card of this machine \(0000:18:00\.0\) on the PCI bus/);
});

test('cards hidden by a variable are reported, but are not a warning', (t) => {
  const attributes = { visible_devices: 'CUDA_VISIBLE_DEVICES=0' };
  const hidden = findMissingCards([device('A', '0000:17:00.0', { attributes })], 'auto', bus(t, both), {});
  assert.deepEqual(messages(hidden), []);
  assert.match(remarks(hidden)[0] ?? '', /0000:18:00\.0\) not measured: CUDA_VISIBLE_DEVICES=0 hides them/);
});

test('a variable that names more cards than the driver shows hides none of them: one is lost', (t) => {
  for (const [visible, isLost] of [
    ['CUDA_VISIBLE_DEVICES=0,1', true],
    ['CUDA_VISIBLE_DEVICES=GPU-01, GPU-02', true],
    ['CUDA_VISIBLE_DEVICES=1', false],
    ['CUDA_VISIBLE_DEVICES=0,0', false],
    // Instances of one card.
    ['CUDA_VISIBLE_DEVICES=MIG-1,MIG-2', false],
  ] as const) {
    const device1 = device('A', '0000:17:00.0', { attributes: { visible_devices: visible } });
    const found = findMissingCards([device1], 'auto', bus(t, both), {});
    assert.deepEqual([found.warnings.length, found.remarks.length], isLost ? [1, 0] : [0, 1], visible);
    if (isLost)
      assert.match(messages(found)[0] ?? '', /names 2 NVIDIA cards, but the driver shows 1: not all are measured$/);
  }
});

/** The namespaces of a process of the whole machine, or of a container. */
function inNamespaces(files: SystemFiles, own: 'pid' | 'cgroup' | null): SystemFiles {
  mkdirSync(join(files.root, 'proc/self/ns'), { recursive: true });
  for (const [name, whole] of [
    ['pid', 4026531836],
    ['cgroup', 4026531835],
  ] as const)
    symlinkSync(`${name}:[${name === own ? 4026532198 : whole}]`, join(files.root, 'proc/self/ns', name));
  return files;
}
const minors = (count: number): Record<string, string> =>
  Object.fromEntries(
    both
      .slice(0, count)
      .map((address, index) => [
        `proc/driver/nvidia/gpus/${address}/information`,
        `Model: \t\t NVIDIA H200\nDevice Minor: \t ${index}\nGPU Excluded:\t No`,
      ]),
  );
const missingIn = (files: SystemFiles, env: Record<string, string> = {}) =>
  findMissingCards([device('A', '0000:17:00.0')], 'auto', files, env);

test('neither a variable nor a file left by a container makes a card of the whole machine one that is not assigned', (t) => {
  for (const [contents, env] of [
    [{}, { NVIDIA_VISIBLE_DEVICES: '0' }],
    [{}, { NVIDIA_VISIBLE_DEVICES: 'void' }],
    [{}, { container: 'podman', KUBERNETES_SERVICE_HOST: '10.0.0.1' }],
    [{ '.dockerenv': '', 'run/.containerenv': '' }, {}],
  ] as const) {
    const found = missingIn(inNamespaces(fileTree(t, { ...contentOf(both), ...contents }), null), env);
    assert.match(messages(found)[0] ?? '', /^1 NVIDIA card of this machine \(0000:18:00\.0\) on the PCI bus/);
    assert.deepEqual(found.remarks, []);
  }
});

test('in a container a card is lost if it is assigned: by NVIDIA_VISIBLE_DEVICES, its device file, or one too many of them', (t) => {
  const one = { 'dev/nvidia0': '' };
  const two = { ...one, 'dev/nvidia1': '' };
  for (const [isLost, contents, env] of [
    [true, one, { NVIDIA_VISIBLE_DEVICES: 'all' }],
    [true, one, { NVIDIA_VISIBLE_DEVICES: '0,1' }],
    [true, one, { NVIDIA_VISIBLE_DEVICES: 'GPU-0a,GPU-0b' }],
    [true, { ...minors(2), ...two }, {}],
    [true, two, { NVIDIA_VISIBLE_DEVICES: 'void' }],
    [false, one, { NVIDIA_VISIBLE_DEVICES: '1' }],
    [false, one, { NVIDIA_VISIBLE_DEVICES: 'GPU-0a' }],
    // As CDI leaves it.
    [false, one, { NVIDIA_VISIBLE_DEVICES: 'void' }],
    [false, one, {}],
    [false, { ...minors(2), ...one }, {}],
  ] as const)
    for (const own of ['pid', 'cgroup'] as const) {
      const found = missingIn(inNamespaces(fileTree(t, { ...contentOf(both), ...contents }), own), env);
      const words = JSON.stringify([contents, env, found]);
      assert.deepEqual([found.warnings.length, found.remarks.length], isLost ? [1, 0] : [0, 1], words);
      if (!isLost) assert.match(remarks(found)[0] ?? '', /0000:18:00\.0\) not measured: they are not assigned to this/);
    }
});

test('an AMD card in a container is lost if its own device file is there', (t) => {
  const amd = device('C', '0000:17:00.0', { backend: 'rocm', vendor: 'amd' });
  const drm = {
    'sys/bus/pci/devices/0000:18:00.0/drm/renderD129/dev': '',
    'sys/bus/pci/devices/0000:18:00.0/drm/card1/dev': '',
  };
  const found = (more: Record<string, string>) =>
    findMissingCards(
      [amd],
      'auto',
      inNamespaces(fileTree(t, { ...contentOf(both, '0x1002'), ...drm, ...more }), 'pid'),
      {},
    );
  assert.equal(found({ 'dev/dri/renderD129': '' }).warnings.length, 1);
  assert.equal(found({ 'dev/dri/renderD128': '' }).remarks.length, 1);
});

test('a card that a device rule or a virtual machine has is reported, but is not a warning', (t) => {
  const ruled = inNamespaces(
    fileTree(t, { ...contentOf(both), ...minors(2), 'dev/nvidia0': '', 'dev/nvidia1': '' }),
    null,
  );
  ruled.refusal = (path) => (path === 'dev/nvidia1' ? 'EPERM' : null);
  assert.match(remarks(missingIn(ruled))[0] ?? '', /device rule \(cgroup\) keeps this process from them/);
  const passed = inNamespaces(bus(t, both), null);
  symlinkSync('../../bus/pci/drivers/vfio-pci', join(passed.root, 'sys/bus/pci/devices/0000:18:00.0/driver'));
  assert.match(remarks(missingIn(passed))[0] ?? '', /reserved for virtual machines/);
  assert.deepEqual([missingIn(ruled).warnings, missingIn(passed).warnings], [[], []]);
});

test('instances of one card, graphics inside a processor and cards without an address are not missing', (t) => {
  const instances = [device('MIG-1', '0000:17:00.0'), device('MIG-2', '0000:17:00.0'), device('MIG-3', '0000:18:00.0')];
  assert.deepEqual(findMissingCards(instances, 'auto', bus(t, both), {}), { warnings: [], remarks: [] });
  const amd = device('C', '0000:c1:00.0', { backend: 'rocm', vendor: 'amd' });
  const withGraphics = fileTree(t, {
    ...contentOf(['0000:c1:00.0', '0000:0a:00.0'], '0x1002'),
    'sys/bus/pci/devices/0000:0a:00.0/mem_info_vram_total': '536870912',
  });
  assert.deepEqual(messages(findMissingCards([amd], 'auto', withGraphics, {})), []);
  assert.deepEqual(messages(findMissingCards([device('A', null)], 'auto', bus(t, both), {})), []);
});

test('a run beside a lost card ends with 3, also if a variable and a file of a container were left behind', async (t) => {
  const host = hostWithRunner(
    t,
    { gpus: [{ id: 'GPU-1', pci_id: '0000:17:00.0' }] },
    { NVIDIA_VISIBLE_DEVICES: 'all', container: 'docker' },
  );
  for (const [path, content] of Object.entries({ ...contentOf(both), '.dockerenv': '' })) {
    mkdirSync(dirname(join(host.folder, path)), { recursive: true });
    writeFileSync(join(host.folder, path), content);
  }
  assert.equal(await exitCodeOf({ ...host, system_root: host.folder }, null), 3);
  assert.match(summaryOf(host).warnings[0] ?? '', /0000:18:00\.0\) on the PCI bus, but the driver does not show them/);
});

test('a run with a missing card measures the others and ends with 3', async (t) => {
  const host = hostWithRunner(t, {
    gpus: [
      { id: 'GPU-1', pci_id: '0000:17:00.0' },
      { id: 'GPU-2', pci_id: '0000:18:00.0', status: 'error' },
    ],
  });
  for (const [path, content] of Object.entries(contentOf(both))) {
    mkdirSync(dirname(join(host.folder, path)), { recursive: true });
    writeFileSync(join(host.folder, path), content);
  }
  assert.equal(await exitCodeOf({ ...host, system_root: host.folder }, null), 3);
  const { devices, warnings } = summaryOf(host);
  assert.deepEqual([devices.length, devices[0]?.device_id], [1, 'GPU-1']);
  assert.deepEqual(warnings, ['GPU-2 is not measured: error (error of the test)']);
});
