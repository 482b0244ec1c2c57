import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkGpuDrivers } from '../../../agent/setup/check-gpu-drivers.ts';
import type { DeviceEvent } from '../../../agent/kernels/runner-events.ts';
import { fileTree } from '../support/file-tree.ts';
import { deviceEvent } from '../support/device-event.ts';
import { eventsOf, exitCodeOf, hostWithRunner, summaryOf } from '../support/run-harness.ts';
import { summaryText } from '../../../agent/ui/summary-text.ts';
import type { Paint } from '../../../agent/ui/paint.ts';

const plain: Paint = (_style, text) => text;

const device = (vendor: 'nvidia' | 'amd', status: DeviceEvent['status']) =>
  deviceEvent({
    backend: vendor === 'nvidia' ? 'cuda' : 'rocm',
    vendor,
    status,
    detail: 'library not found',
    device_id: vendor,
    name: vendor,
  });
const card = (vendor: string) => ({
  'sys/bus/pci/devices/0000:17:00.0/vendor': vendor,
  'sys/bus/pci/devices/0000:17:00.0/class': '0x030200',
});
const both = [device('nvidia', 'no-driver'), device('amd', 'no-driver')];

test('without a card a missing driver needs no action', (t) => {
  assert.deepEqual(
    checkGpuDrivers(fileTree(t, {}), both, {}).map((check) => check.state),
    ['note', 'note'],
  );
});

test('for a card without a driver the remedy says how to get one, also in a container', (t) => {
  const [nvidia, amd] = checkGpuDrivers(fileTree(t, card('0x10de')), both, {});
  assert.equal(nvidia?.state, 'missing');
  assert.match(nvidia?.found ?? '', /1 card on the PCI bus, none usable: .*library not found/);
  assert.match(nvidia?.remedy ?? '', /nvidia-driver.*--gpus all/s);
  assert.equal(amd?.state, 'note');
  assert.match(checkGpuDrivers(fileTree(t, card('0x1002')), both, {})[1]?.remedy ?? '', /kfd/);
});

test('a usable card is ok', (t) => {
  const [nvidia] = checkGpuDrivers(fileTree(t, card('0x10de')), [device('nvidia', 'ok')], {});
  assert.equal(nvidia?.state, 'ok');
});

test('a card that the driver does not show beside a working one is missing, with a remedy; one that is hidden is a note', (t) => {
  const files = fileTree(t, {
    ...card('0x10de'),
    'sys/bus/pci/devices/0000:18:00.0/vendor': '0x10de',
    'sys/bus/pci/devices/0000:18:00.0/class': '0x030200',
  });
  const seen = { ...device('nvidia', 'ok'), pci_id: '0000:17:00.0' };
  const [count, lost] = checkGpuDrivers(files, [seen], {});
  assert.deepEqual([count?.state, count?.found], ['ok', '1 usable of 2 cards']);
  assert.deepEqual([lost?.state, lost?.name], ['missing', 'NVIDIA driver']);
  assert.match(lost?.found ?? '', /0000:18:00\.0\) on the PCI bus, but the driver does not show them/);
  assert.match(lost?.remedy ?? '', /dmesg/);
  const chosen = { ...seen, attributes: { visible_devices: 'CUDA_VISIBLE_DEVICES=0' } };
  const checks = checkGpuDrivers(files, [chosen], {}).filter(({ name }) => name === 'NVIDIA driver');
  assert.deepEqual(
    checks.map(({ state }) => state),
    ['ok', 'note'],
  );
});

test('a GPU without a PCI card, and one hidden by a variable, have their own cause and remedy', (t) => {
  const [wsl] = checkGpuDrivers(fileTree(t, { 'dev/dxg': '' }), both, {});
  assert.equal(wsl?.state, 'missing');
  assert.match(`${wsl?.found} ${wsl?.remedy}`, /\/dev\/dxg.*\/usr\/lib\/wsl\/lib/);
  const [hidden] = checkGpuDrivers(fileTree(t, card('0x10de')), [device('nvidia', 'no-device')], {
    CUDA_VISIBLE_DEVICES: '-1',
  });
  assert.match(hidden?.found ?? '', /1 card on the PCI bus, none usable: .*CUDA_VISIBLE_DEVICES is '-1'/);
  assert.match(hidden?.remedy ?? '', /^Unset CUDA_VISIBLE_DEVICES/);
});

test('measuring the processor of a machine without a GPU is said loudly, unless it was asked for', async (t) => {
  for (const [device, isSaid] of [
    ['auto', true],
    ['cpu', false],
  ] as const) {
    const host = hostWithRunner(t);
    assert.equal(await exitCodeOf({ ...host, system_root: host.folder }, null, { device }), 0);
    const notices = eventsOf(host).filter(({ type }) => type === 'notice');
    assert.equal(
      notices.some(({ message }) => String(message).startsWith('NO GPU: ')),
      isSaid,
    );
    assert.match(summaryText(summaryOf(host), plain), /^Measured the processor, not a GPU, in /m);
  }
});
