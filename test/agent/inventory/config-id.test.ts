import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configId } from '../../../agent/inventory/config-id.ts';

const card = (name: string, total_memory: number, driver_version: string) => ({
  name,
  total_memory,
  driver_version,
  cuda_version: null,
  pci_info: null,
});
const machine = {
  cpu_info: {
    cpu_count: 64,
    arch: 'x64',
    os: 'Debian 12',
    hardware_vendor: 'V',
    hardware_model: 'M',
    processor_brand: 'P',
    virtualization: 'none',
  },
  gpu_info: [card('A', 80e9, '550.1'), card('B', 40e9, '550.1')],
  ram_info: {
    total_memory: 540_000_000_000,
    memory_module_count: 16,
    memory_module_type: 'DDR5',
    memory_module_speed: '4800 MT/s',
  },
};

test('software, memory kept back by the kernel, what only root sees, and the order of cards change nothing', () => {
  const rebuilt = {
    cpu_info: { ...machine.cpu_info, os: 'Ubuntu 26.04', virtualization: null },
    gpu_info: [card('B', 40e9, '580.2'), card('A', 80e9, '580.2')],
    ram_info: {
      total_memory: 540_000_000_000 - 30_000_000,
      memory_module_count: null,
      memory_module_type: null,
      memory_module_speed: null,
    },
  };
  assert.equal(configId(rebuilt), configId(machine));
});

test('another processor, amount of memory or card is another configuration', () => {
  const others = [
    { ...machine, cpu_info: { ...machine.cpu_info, processor_brand: 'Q' } },
    { ...machine, ram_info: { ...machine.ram_info, total_memory: 270e9 } },
    { ...machine, gpu_info: machine.gpu_info.slice(1) },
  ];
  const ids = new Set([machine, ...others].map(configId));
  assert.equal(ids.size, 4);
});
