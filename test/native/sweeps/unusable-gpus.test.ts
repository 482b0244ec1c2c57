import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeviceEvent } from '../../../agent/kernels/runner-events.ts';
import { ExitError } from '../../../agent/run/exit-error.ts';
import { findMissingCards } from '../../../agent/setup/find-missing-cards.ts';
import { selectDevices } from '../../../agent/setup/select-devices.ts';
import { fileTree } from '../../agent/support/file-tree.ts';
import { runOn, type Machine } from '../simulated-gpus.ts';

const VARIABLES = ['CUDA_VISIBLE_DEVICES', 'ROCR_VISIBLE_DEVICES', 'HIP_VISIBLE_DEVICES'];

/** The devices of a simulated machine. */
const listed = async (machine: Machine): Promise<DeviceEvent[]> => (await runOn(machine, ['--list'])).devices;

/** The refusal of `--device auto`: exit code, message and remedy in one text. */
function refusal(devices: DeviceEvent[], env: Record<string, string>, files = fileTree(testContext, {})): string {
  try {
    selectDevices(devices, 'auto', files, env);
  } catch (error) {
    assert.ok(error instanceof ExitError);
    return `${error.code}: ${error.message}\n${error.remedy}`;
  }
  return assert.fail('the processor would be measured instead of the cards');
}
let testContext: Parameters<typeof fileTree>[0];

test('a variable that hides every card of a driver is named with its value, and no driver is to be installed', async (t) => {
  testContext = t;
  for (const [vendor, name, values] of [
    ['nvidia', 'CUDA_VISIBLE_DEVICES', ['', '-1', 'NoDevFiles', 'GPU-dead', 'MIG-dead', '0,0']],
    ['amd', 'ROCR_VISIBLE_DEVICES', ['', '-1', 'GPU-dead']],
    ['amd', 'HIP_VISIBLE_DEVICES', ['', '-1']],
  ] as const)
    for (const value of values) {
      const env = { [name]: value };
      const devices = await listed({ drivers: [vendor], sim: env });
      assert.equal(devices.find((device) => device.vendor === vendor)?.status, 'no-device');
      const words = refusal(devices, env, fileTree(t, { 'dev/kfd': '', 'dev/dri/renderD128': '' }));
      assert.match(words, new RegExp(`^5: .*${name} ${value === '' ? 'is set, but empty' : `is '${value}'`}`));
      assert.match(words, new RegExp(`\nUnset ${name}, `));
      assert.doesNotMatch(words, /[Ii]nstall the/);
    }
  assert.ok(VARIABLES.every((name) => process.env[name] === undefined));
});

test('MIG without instances is named for each card, with what creates them, and no card is measured as another', async (t) => {
  testContext = t;
  const devices = await listed({ drivers: ['nvidia'], sim: { DEVICES: '2', FAULT: 'mig-empty' } });
  const cards = devices.filter((device) => device.vendor === 'nvidia');
  assert.deepEqual(
    cards.map(({ status, detail }) => `${status}: ${detail}`),
    Array.from({ length: 2 }, () => 'error: MIG is enabled on this card, but it has no MIG instance'),
  );
  assert.equal(new Set(cards.map(({ pci_id }) => pci_id)).size, 2);
  const words = refusal(devices, {});
  assert.match(words, /^5: .*GPU-01.*MIG is enabled.*GPU-02/);
  assert.match(words, /\nCreate instances \(nvidia-smi mig -lgip/);
});

test('a card with MIG and no instance beside a working one is a warning with its own remedy', async (t) => {
  const devices = await listed({ drivers: ['nvidia'], sim: { DEVICES: '2', FAULT: 'mig-empty@1' } });
  const files = fileTree(t, {});
  assert.deepEqual(
    selectDevices(devices, 'auto', files, {}).map(({ device_id }) => device_id.slice(0, 6)),
    ['GPU-01'],
  );
  const { warnings } = findMissingCards(devices, 'auto', files, {});
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]?.message ?? '', /^GPU-02.* is not measured: error \(MIG is enabled on this card/);
  assert.match(warnings[0]?.remedy ?? '', /nvidia-smi mig -cgi/);
});

test('libraries and a kernel module of different versions ask for a reboot, by the error number of the driver', async (t) => {
  testContext = t;
  const version = 'NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.86.10  Tue Jan 14 2025';
  const devices = await listed({ drivers: ['nvidia'], sim: { FAULT: 'old-driver' } });
  assert.equal(devices.find((device) => device.vendor === 'nvidia')?.attributes['driver_code'], 803);
  const words = refusal(devices, {}, fileTree(t, { 'proc/driver/nvidia/version': version }));
  assert.match(words, /^5: .*kernel module \(570\.86\.10\) and the driver's libraries are of different versions/);
  assert.match(words, /\nReboot, /);
});

test('a driver’s library or device file without a device is a GPU that cannot be used, and is not measured as a processor', async (t) => {
  testContext = t;
  for (const vendor of ['nvidia', 'amd'] as const) {
    const devices = await listed({ drivers: [vendor], sim: { FAULT: 'no-device' } });
    const words = refusal(devices, {}, fileTree(t, vendor === 'amd' ? { 'dev/kfd': '' } : {}));
    const sign = vendor === 'nvidia' ? 'a driver library that is installed' : '/dev/kfd';
    assert.match(words, new RegExp(`^5: this machine has a GPU that cannot be measured: .*${sign}`));
    assert.deepEqual(
      selectDevices(devices, 'cpu', fileTree(t, {}), {}).map((chosen) => chosen.vendor),
      ['cpu'],
    );
  }
});
