import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MachineInventory } from '../../../../coordinator/contract/inventory.ts';
import { inventoryOnWire } from '../../../../coordinator/jobs/tasks/inventory-on-wire.ts';

type Disk = MachineInventory['disk_info'][number];

const technologyOf = (disk: Pick<Disk, 'name' | 'type' | 'rota'>): unknown => {
  const machine = {
    cpu_info: {},
    ram_info: {},
    network_info: {},
    gpu_info: [],
    disk_info: [{ model: null, size: 1e12, mountpoints: [], read_speed: null, write_speed: null, ...disk }],
  };
  return inventoryOnWire(machine as unknown as MachineInventory, null).disk['technology'];
};

test('a disk is what it is, and a virtual one no more than that: its kernel calls each of them a rotating one', () => {
  assert.equal(technologyOf({ name: 'vda', type: 'virtio', rota: true }), 'virtio');
  assert.equal(technologyOf({ name: 'sda', type: 'HDD', rota: true }), 'HDD');
  assert.equal(technologyOf({ name: 'sda', type: 'SSD', rota: false }), 'SSD');
  assert.equal(technologyOf({ name: 'nvme0n1', type: 'NVMe', rota: false }), 'NVMe SSD');
});
