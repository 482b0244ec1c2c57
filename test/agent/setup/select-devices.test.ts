import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectDevices } from '../../../agent/setup/select-devices.ts';
import { ExitError } from '../../../agent/run/exit-error.ts';
import { SystemFiles } from '../../../agent/inventory/system-files.ts';
import { fileTree } from '../support/file-tree.ts';

const makers: Record<string, string> = { cuda: 'nvidia', rocm: 'amd', cpu: 'cpu' };
const device = (device_id: string, backend: string, status = 'ok') => ({
  device_id,
  backend,
  vendor: makers[backend] ?? '',
  status,
  detail: 'why',
  name: device_id,
  attributes: {},
});
const ids = (devices: { device_id: string }[]) => devices.map((one) => one.device_id);
const cpu = device('cpu-0', 'cpu');
const node = [device('cuda-1', 'cuda'), device('cuda-2', 'cuda'), device('cuda-3', 'cuda', 'error'), cpu];

/** Of a machine without any PCI device. */
const bare = new SystemFiles('/nonexistent');

test('auto selects every usable card, else the processor', () => {
  assert.deepEqual(ids(selectDevices(node, 'auto', bare, {})), ['cuda-1', 'cuda-2']);
  assert.deepEqual(ids(selectDevices([device('cuda', 'cuda', 'no-driver'), cpu], 'auto', bare, {})), ['cpu-0']);
});

test('auto does not measure the processor instead of a GPU that does not work', () => {
  for (const status of ['error', 'driver-too-old']) {
    const broken = [device('cuda', 'cuda', status), cpu];
    assert.throws(
      () => selectDevices(broken, 'auto', bare, {}),
      (error: ExitError) => {
        assert.equal(error.code, 5);
        assert.match(error.message, new RegExp(`cuda: ${status} \\(why\\)`));
        assert.match(error.remedy ?? '', /driver|nvidia-smi/);
        assert.match(error.remedy ?? '', /--device cpu/);
        return true;
      },
    );
    assert.deepEqual(ids(selectDevices(broken, 'cpu', bare, {})), ['cpu-0']);
  }
});

test('auto does not measure the processor if there is a card without a driver on the PCI bus', (t) => {
  const slot = 'sys/bus/pci/devices/0000:17:00.0';
  const bus = (vendor: string, kind: string) => fileTree(t, { [`${slot}/vendor`]: vendor, [`${slot}/class`]: kind });
  const chosen = (status: string, files: SystemFiles): string[] =>
    ids(selectDevices([device('cuda', 'cuda', status), device('rocm', 'rocm', status), cpu], 'auto', files, {}));
  for (const status of ['no-driver', 'no-device'])
    for (const [vendor, kind, id] of [
      ['0x10de', '0x030000', 'cuda'],
      ['0x10de', '0x030200', 'cuda'],
      ['0x1002', '0x038000', 'rocm'],
      ['0x1002', '0x120000', 'rocm'],
    ] as const)
      assert.throws(() => chosen(status, bus(vendor, kind)), new RegExp(`cannot be measured: .*${id}: ${status}`));
  // The VGA of a board's management controller, of a virtual machine, and the sound of a card.
  for (const [vendor, kind] of [
    ['0x1a03', '0x030000'],
    ['0x1af4', '0x030000'],
    ['0x10de', '0x040300'],
  ] as const)
    assert.deepEqual(chosen('no-driver', bus(vendor, kind)), ['cpu-0'], `${vendor} ${kind}`);
});

test('auto does not measure the processor if a library or a device file says that there is a GPU without a PCI card', (t) => {
  const chosen = (status: string, contents: Record<string, string>, backend = 'cuda'): string[] =>
    ids(selectDevices([device(backend, backend, status), cpu], 'auto', fileTree(t, contents), {}));
  for (const [status, contents, backend, sign, remedy] of [
    ['no-device', {}, 'cuda', 'a driver library that is installed', /--gpus all/],
    ['no-driver', { 'dev/dxg': '' }, 'cuda', '/dev/dxg', /\/usr\/lib\/wsl\/lib/],
    ['no-driver', { 'dev/nvhost-gpu': '' }, 'cuda', '/dev/nvhost-gpu', /JetPack/],
    ['no-driver', { 'dev/nvidia0': '' }, 'cuda', '/dev/nvidia0', /--gpus all/],
    ['no-driver', { 'dev/kfd': '' }, 'rocm', '/dev/kfd', /libamdhip64/],
    ['no-driver', { 'proc/driver/nvidia/version': 'NVRM' }, 'cuda', "NVIDIA's kernel module", /--gpus all/],
  ] as const)
    assert.throws(
      () => chosen(status, contents, backend),
      (error: ExitError) => {
        assert.deepEqual([error.code, error.message.includes(sign)], [5, true], error.message);
        assert.match(error.remedy ?? '', remedy);
        assert.match(error.remedy ?? '', /To measure the processor on purpose: --device cpu$/);
        return true;
      },
    );
  assert.deepEqual(chosen('no-driver', { 'dev/nvram': '', 'dev/dri/card0': '' }), ['cpu-0']);
  // The HIP runtime comes with other packages and does not belong to the driver.
  assert.deepEqual(chosen('no-device', {}, 'rocm'), ['cpu-0']);
});

test('ids and backends may be mixed and repeated; each device is measured once', () => {
  assert.deepEqual(ids(selectDevices(node, 'cuda-2, cuda,cuda-2', bare, {})), ['cuda-1', 'cuda-2']);
});

test('an unknown id is a usage error that lists the devices; a broken device is no_device with the reason', () => {
  const thrown = (wanted: string): ExitError => {
    try {
      selectDevices(node, wanted, bare, {});
    } catch (error) {
      if (error instanceof ExitError) return error;
    }
    return assert.fail('refused');
  };
  assert.deepEqual([thrown('cuda-9').code, thrown('').code, thrown('cuda-3').code], [2, 2, 5]);
  assert.match(thrown('cuda-9').remedy ?? '', /cuda-1, cuda-2, cpu-0/);
  assert.match(thrown('cuda-3').message, /cuda-3: error \(why\)/);
});
