import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
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

test('cards hidden by a variable or a container are reported, but are not a warning', (t) => {
  const attributes = { visible_devices: 'CUDA_VISIBLE_DEVICES=0' };
  const hidden = findMissingCards([device('A', '0000:17:00.0', { attributes })], 'auto', bus(t, both), {});
  assert.deepEqual(messages(hidden), []);
  assert.match(hidden.remarks[0] ?? '', /0000:18:00\.0\) not measured: CUDA_VISIBLE_DEVICES=0 hides them/);
  const env = { NVIDIA_VISIBLE_DEVICES: '0' };
  const contained = findMissingCards([device('A', '0000:17:00.0')], 'auto', bus(t, both), env);
  assert.deepEqual([messages(contained), contained.remarks.length], [[], 1]);
  const docker = fileTree(t, { ...contentOf(both), '.dockerenv': 'x' });
  assert.deepEqual(messages(findMissingCards([device('A', '0000:17:00.0')], 'auto', docker, {})), []);
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
