import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkGpuDrivers } from '../../../agent/setup/check-gpu-drivers.ts';
import type { DeviceEvent } from '../../../agent/kernels/runner-events.ts';
import { fileTree } from '../support/file-tree.ts';
import { deviceEvent } from '../support/device-event.ts';

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
    checkGpuDrivers(fileTree(t, {}), both).map((check) => check.state),
    ['note', 'note'],
  );
});

test('for a card without a driver the remedy says how to get one, also in a container', (t) => {
  const [nvidia, amd] = checkGpuDrivers(fileTree(t, card('0x10de')), both);
  assert.equal(nvidia?.state, 'missing');
  assert.match(nvidia?.found ?? '', /1 cards on the PCI bus.*library not found/);
  assert.match(nvidia?.remedy ?? '', /nvidia-driver.*--gpus all/s);
  assert.equal(amd?.state, 'note');
  assert.match(checkGpuDrivers(fileTree(t, card('0x1002')), both)[1]?.remedy ?? '', /kfd/);
});

test('for unusable device files the remedy mentions permissions', (t) => {
  const [nvidia] = checkGpuDrivers(fileTree(t, { ...card('0x10de'), 'dev/nvidia0': '' }), both);
  assert.match(nvidia?.remedy ?? '', /may open the device files/);
});

test('a usable card is ok', (t) => {
  const [nvidia] = checkGpuDrivers(fileTree(t, card('0x10de')), [device('nvidia', 'ok')]);
  assert.equal(nvidia?.state, 'ok');
});
