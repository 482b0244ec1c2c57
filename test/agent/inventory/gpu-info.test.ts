import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gpuInfo } from '../../../agent/inventory/gpu-info.ts';
import { fileTree } from '../support/file-tree.ts';

const identity = {
  vbios: '96.00.89.00.01',
  serial: '1650523000001',
  ecc_mode: 'enabled' as const,
  power_cap_watts: 700,
};

const found = {
  device_id: 'GPU-1',
  vendor: 'nvidia',
  name: 'H100',
  pci_id: '0000:17:00.0',
  memory_bytes: 1,
  driver_version: null,
  cuda_version: null,
};

test('cards are matched by PCI address although nvidia-smi writes it differently', (t) => {
  const known = {
    uuid: 'other',
    pci_id: '00000000:17:00.0',
    name: 'N',
    total_memory: 2,
    driver_version: 'd',
    cuda_version: null,
    pci_info: { generation_max: 5, generation_current: 5, link_width_max: 16, link_width_current: 16 },
  };
  const [card] = gpuInfo([found], [known], fileTree(t, {}));
  assert.deepEqual([card?.name, card?.total_memory, card?.driver_version], ['N', 2, 'd']);
});

test('without nvidia-smi the PCI link comes from the kernel: 32 GT/s is generation 5', (t) => {
  const folder = 'sys/bus/pci/devices/0000:17:00.0';
  const files = fileTree(t, {
    [`${folder}/max_link_speed`]: '32.0 GT/s PCIe',
    [`${folder}/current_link_speed`]: '2.5 GT/s PCIe',
    [`${folder}/max_link_width`]: '16',
    [`${folder}/current_link_width`]: '8',
  });
  const [card] = gpuInfo([found], [], files);
  assert.deepEqual(card?.pci_info, {
    generation_max: 5,
    generation_current: 1,
    link_width_max: 16,
    link_width_current: 8,
  });
  assert.equal(card?.total_memory, 1);
});

const nvml = {
  source: 'NVML',
  uuid: 'GPU-1',
  vbios: '96.00.89.00.01',
  serial: '1650523000001',
  ecc_mode: 'enabled' as const,
  power_cap_watts: 700,
  mig: null,
  partition: null,
  nvlink_active: 18,
  nvlink: null,
  rocm_version: null,
  architecture: 'sm_90',
  pci_info: { generation_max: 5, generation_current: 5, link_width_max: 16, link_width_current: 16 },
};
const told = {
  pci_id: '00000000:17:00.0',
  name: 'NVIDIA H100 80GB HBM3',
  total_memory: 85_520_809_984,
  driver_version: '580.65.06',
  cuda_version: '13.0',
  pci_info: { generation_max: 5, generation_current: 1, link_width_max: 16, link_width_current: 8 },
  uuid: 'GPU-1',
  ...identity,
};
const h100 = {
  ...found,
  name: 'NVIDIA H100 80GB HBM3',
  memory_bytes: 84_987_740_160,
  driver_version: '580.65.06',
  cuda_version: '13.0',
};

test('two sources that agree have no disagreement; an idle link, a serial with other leading zeros and reserved memory do not count', (t) => {
  const known = { ...told, serial: '01650523000001', power_cap_watts: 700.4 };
  const [card] = gpuInfo([{ ...h100, facts: nvml }], [known], fileTree(t, {}));
  assert.deepEqual(card?.disagreements, []);
  assert.deepEqual(
    [card?.uuid, card?.vbios, card?.ecc_mode, card?.nvlink_active, card?.architecture, card?.pci_id],
    ['GPU-1', '96.00.89.00.01', 'enabled', 18, 'sm_90', '0000:17:00.0'],
  );
});

test('every contradiction between NVML and nvidia-smi is a sentence with both values', (t) => {
  const known = {
    ...told,
    driver_version: '570.1',
    ecc_mode: 'disabled' as const,
    power_cap_watts: 500,
    pci_info: { ...told.pci_info, link_width_max: 8 },
    total_memory: 42e9,
  };
  const [card] = gpuInfo([{ ...h100, facts: nvml }], [known], fileTree(t, {}));
  assert.deepEqual(card?.disagreements, [
    'driver version: NVML says 580.65.06, nvidia-smi says 570.1',
    'ECC mode: NVML says enabled, nvidia-smi says disabled',
    'PCIe width: NVML says 16, nvidia-smi says 8',
    'power cap: NVML says 700 W, nvidia-smi says 500 W',
    'memory: NVML says 85.0 GB, nvidia-smi says 42.0 GB',
  ]);
});

test('the runtime and NVML are compared too, even if nvidia-smi is missing', (t) => {
  const facts = { ...nvml, managed_name: 'NVIDIA H200', managed_uuid: 'GPU-1' };
  const [card] = gpuInfo([{ ...h100, facts }], [], fileTree(t, {}));
  assert.deepEqual(card?.disagreements, ['name: the runtime says NVIDIA H100 80GB HBM3, NVML says NVIDIA H200']);
});

test('a MIG instance keeps its own name and memory and takes the rest from its card', (t) => {
  const mig = { enabled: true, parent_uuid: 'GPU-1', instance: '3' };
  const instance = {
    ...h100,
    device_id: 'MIG-9',
    name: 'NVIDIA H100 80GB HBM3 MIG 1g.10gb',
    pci_id: null,
    memory_bytes: 10e9,
    facts: { ...nvml, uuid: 'MIG-9', mig },
  };
  const [card] = gpuInfo([instance], [{ ...told, mig_enabled: true }], fileTree(t, {}));
  assert.deepEqual(
    [card?.name, card?.total_memory, card?.uuid, card?.serial, card?.mig, card?.disagreements],
    [instance.name, 10e9, 'MIG-9', '1650523000001', mig, []],
  );
});

test('what nvidia-smi cannot read is taken from NVML, field by field, and from the kernel', (t) => {
  const folder = 'sys/bus/pci/devices/0000:17:00.0';
  const files = fileTree(t, { [`${folder}/current_link_width`]: '4', [`${folder}/max_link_width`]: '8' });
  const asked = { generation_max: null, generation_current: 1, link_width_max: 16, link_width_current: null };
  const pci_info = { generation_max: 5, generation_current: 4, link_width_max: 16, link_width_current: null };
  const known = { ...told, pci_info: asked, ecc_mode: null, partition: { compute: null, memory: 'NPS1' } };
  const partition = { compute: 'SPX', memory: null };
  const [card] = gpuInfo([{ ...h100, facts: { ...nvml, pci_info, partition } }], [known], files);
  // In this order: nvidia-smi (1, 16), NVML (5), the kernel (4).
  assert.deepEqual(card?.pci_info, {
    generation_max: 5,
    generation_current: 1,
    link_width_max: 16,
    link_width_current: 4,
  });
  assert.deepEqual(card?.partition, { compute: 'SPX', memory: 'NPS1' });
  assert.deepEqual([card?.ecc_mode, card?.disagreements], ['enabled', []]);
});
