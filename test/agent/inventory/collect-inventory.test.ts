import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { machineInventory } from '../../../coordinator/contract/inventory.ts';
import { collectInventory } from '../../../agent/inventory/collect-inventory.ts';
import { measureDiskSpeed } from '../../../agent/inventory/disk-speed.ts';
import { foundCard } from '../../../agent/inventory/found-card.ts';
import { probeSystem } from '../../../agent/inventory/library-probes.ts';
import { probe } from '../../../agent/inventory/probe.ts';
import type { DeviceEvent } from '../../../agent/kernels/runner-events.ts';
import { SystemFiles } from '../../../agent/inventory/system-files.ts';
import { fakeNvidiaSmi } from '../support/fake-nvidia-smi.ts';
import { fileTree } from '../support/file-tree.ts';
import { testHost } from '../support/test-host.ts';

const h100: DeviceEvent = {
  schema: 'gpumark.native/1',
  event: 'device',
  t_ms: 0,
  backend: 'cuda',
  vendor: 'nvidia',
  status: 'ok',
  detail: '',
  device_id: 'GPU-1',
  pci_id: '0000:17:00.0',
  name: 'NVIDIA H100 80GB HBM3',
  memory_bytes: 84_987_740_160,
  simulated: false,
  attributes: {},
};

test('the inventory of this machine follows the contract and leaves no file behind', async (t) => {
  const folder = mkdtempSync(join(import.meta.dirname, '.disk-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const inventory = await collectInventory({
    files: new SystemFiles('/'),
    machine_uuid: 'm',
    location: null,
    machine_ip: null,
    gpu_vendor: 'cpu',
    gpu_count: 1,
    cards: [],
    measureDisk: () => measureDiskSpeed(folder, testHost(t).clock),
    probeSystem,
  });
  machineInventory.parse(inventory);
  assert.ok((inventory.cpu_info.cpu_count ?? 0) > 0);
  assert.match(inventory.network_info.open_ports ?? '', /^\d+$/);
  assert.equal(inventory.network_info.download_speed_mbps, null);
  assert.deepEqual(readdirSync(folder), []);
  for (const disk of inventory.disk_info)
    if (disk.read_speed !== null) assert.ok(disk.read_speed > 1 && disk.read_speed < 100_000);
});

test('a machine without information gives nulls, not invented values', async (t) => {
  const host = testHost(t);
  const inventory = await collectInventory({
    files: fileTree(t, {}),
    machine_uuid: 'm',
    location: null,
    machine_ip: null,
    gpu_vendor: 'cpu',
    gpu_count: 1,
    cards: [],
    measureDisk: () => host.measureDisk(host.folder),
    probeSystem: () => host.probeSystem(),
  });
  machineInventory.parse(inventory);
  assert.deepEqual(
    [
      inventory.cpu_info.os,
      inventory.cpu_info.hardware_vendor,
      inventory.ram_info.total_memory,
      inventory.network_info.open_ports,
    ],
    [null, null, null, null],
  );
  assert.deepEqual(inventory.disk_info, []);
});

test('the configuration does not depend on whether nvidia-smi answered', async (t) => {
  const host = testHost(t);
  const input = {
    files: fileTree(t, {}),
    machine_uuid: 'm',
    location: null,
    machine_ip: null,
    gpu_vendor: 'nvidia' as const,
    gpu_count: 1,
    cards: [
      {
        device_id: 'GPU-1',
        vendor: 'nvidia',
        name: 'H100',
        pci_id: null,
        memory_bytes: 84_987_740_160,
        driver_version: null,
        cuda_version: null,
      },
    ],
    measureDisk: () => host.measureDisk(host.folder),
    probeSystem: () => host.probeSystem(),
  };
  const row =
    'GPU-1, 00000000:17:00.0, NVIDIA H100 80GB HBM3, 81559, 580.65.06, 5, 1, 16, 16, 96.00, 1650523000001, Enabled, 700.00';
  fakeNvidiaSmi(t, `case "$1" in -q) echo warning >&2;; *) echo '${row}';; esac`);
  const told = await collectInventory(input);
  fakeNvidiaSmi(t, 'exit 127');
  const untold = await collectInventory(input);
  assert.deepEqual([told.gpu_info[0]?.name, untold.gpu_info[0]?.name], ['NVIDIA H100 80GB HBM3', 'H100']);
  assert.equal(told.config_id, untold.config_id);
});

test('a serial number is listed with its card and does not change the configuration', async (t) => {
  const host = testHost(t);
  fakeNvidiaSmi(t, 'exit 127');
  const inventoryOf = (serial: string) =>
    collectInventory({
      files: fileTree(t, {}),
      machine_uuid: 'm',
      location: null,
      machine_ip: null,
      gpu_vendor: 'nvidia',
      gpu_count: 1,
      cards: [foundCard({ ...h100, attributes: { serial, telemetry: 'NVML' } })],
      measureDisk: () => host.measureDisk(host.folder),
      probeSystem: () => host.probeSystem(),
    });
  const [one, other] = [await inventoryOf('1650523000001'), await inventoryOf('1650523000002')];
  assert.deepEqual([one.gpu_info[0]?.serial, other.gpu_info[0]?.serial], ['1650523000001', '1650523000002']);
  assert.equal(one.config_id, other.config_id);
  machineInventory.parse(one);
});

test('a file system without its own disk is reported as such, and nothing is written', async (t) => {
  // /proc has an anonymous device number, as btrfs, overlay and tmpfs have.
  const measured = await measureDiskSpeed('/proc', testHost(t).clock);
  assert.match(measured.device, /^0:/);
  assert.deepEqual(measured.speed, { read_speed: null, write_speed: null });
  assert.match(measured.reason ?? '', /names no disk/);
});

test('a probe that hangs or throws ends at its timeout with a reason', async () => {
  const hanging = await probe('sick card', 50, () => new Promise(() => undefined));
  assert.deepEqual(hanging, { value: null, reason: 'sick card did not answer within 50 ms' });
  const failing = await probe('tool', 50, () => Promise.reject(new Error('no such tool')));
  assert.deepEqual(failing, { value: null, reason: 'tool: no such tool' });
});
