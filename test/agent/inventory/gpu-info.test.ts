import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gpuInfo } from '../../../agent/inventory/gpu-info.ts';
import { nvidiaCards } from '../../../agent/inventory/nvidia-cards.ts';
import { fakeNvidiaSmi } from '../support/fake-nvidia-smi.ts';
import { fileTree } from '../support/file-tree.ts';

const gpu = (
  id: string,
  uuid: string,
): string => `<gpu id="${id}"><product_name>NVIDIA H100 80GB HBM3</product_name><uuid>${uuid}</uuid>
<pci><pci_gpu_link_info><pcie_gen><max_link_gen>5</max_link_gen><current_link_gen>1</current_link_gen></pcie_gen>
<link_widths><max_link_width>16x</max_link_width><current_link_width>8x</current_link_width></link_widths></pci_gpu_link_info></pci>
<fb_memory_usage><total>81559 MiB</total></fb_memory_usage><vbios_version>96.00.89.00.01</vbios_version><serial>1650523000001</serial>
<ecc_mode><current_ecc>Enabled</current_ecc><pending_ecc>Enabled</pending_ecc></ecc_mode><mig_mode><current_mig>Disabled</current_mig></mig_mode>
<gpu_power_readings><power_draw>71.20 W</power_draw><current_power_limit>700.00 W</current_power_limit></gpu_power_readings></gpu>`;
const identity = {
  vbios: '96.00.89.00.01',
  serial: '1650523000001',
  ecc_mode: 'enabled' as const,
  power_cap_watts: 700,
};
const log = (...gpus: string[]): string =>
  `<?xml version="1.0"?><nvidia_smi_log><driver_version>580.65.06</driver_version><cuda_version>13.0</cuda_version>${gpus.join('')}</nvidia_smi_log>`;

const xml = (text: string): string => `cat <<'END'\n${text}\nEND`;

test('one card and several are both parsed, memory in bytes', async (t) => {
  fakeNvidiaSmi(t, xml(log(gpu('00000000:17:00.0', 'GPU-1'))));
  const one = await nvidiaCards();
  assert.deepEqual(one.cards, [
    {
      uuid: 'GPU-1',
      pci_id: '00000000:17:00.0',
      name: 'NVIDIA H100 80GB HBM3',
      total_memory: 85_520_809_984, // 81559 MiB
      driver_version: '580.65.06',
      cuda_version: '13.0',
      pci_info: { generation_max: 5, generation_current: 1, link_width_max: 16, link_width_current: 8 },
      ...identity,
      mig_enabled: false,
    },
  ]);
  fakeNvidiaSmi(t, xml(log(gpu('00000000:17:00.0', 'GPU-1'), gpu('00000000:18:00.0', 'GPU-2'))));
  assert.deepEqual(
    (await nvidiaCards()).cards.map((card) => card.uuid),
    ['GPU-1', 'GPU-2'],
  );
});

test('a warning on stderr loses nothing and is kept as a note', async (t) => {
  fakeNvidiaSmi(t, `echo 'WARNING: infoROM is corrupted' >&2; ${xml(log(gpu('00000000:17:00.0', 'GPU-1')))}`);
  const noisy = await nvidiaCards();
  assert.match(noisy.warning ?? '', /infoROM/);
  fakeNvidiaSmi(t, xml(log(gpu('00000000:17:00.0', 'GPU-1'))));
  assert.deepEqual(noisy.cards, (await nvidiaCards()).cards);
});

test('a truncated document loses the CUDA version and MIG mode: the rest is queried as a table', async (t) => {
  const row =
    'GPU-1, 00000000:17:00.0, NVIDIA H100 80GB HBM3, 81559, 580.65.06, 5, 1, 16, [N/A], 96.00.89.00.01, 1650523000001, Enabled, 700.00';
  fakeNvidiaSmi(
    t,
    `case "$1" in -q) echo 'WARNING: infoROM is corrupted' >&2; echo '<nvidia_smi_log><gpu>';; *) echo '${row}';; esac`,
  );
  const { cards, warning } = await nvidiaCards();
  assert.match(warning ?? '', /infoROM/);
  assert.deepEqual(cards[0], {
    uuid: 'GPU-1',
    pci_id: '00000000:17:00.0',
    name: 'NVIDIA H100 80GB HBM3',
    total_memory: 85_520_809_984,
    driver_version: '580.65.06',
    cuda_version: null,
    pci_info: { generation_max: 5, generation_current: 1, link_width_max: 16, link_width_current: null },
    ...identity,
    mig_enabled: null,
  });
});

test('without nvidia-smi there are no cards, a reason, and no exception', async (t) => {
  fakeNvidiaSmi(t, 'exit 127');
  const { cards, warning } = await nvidiaCards();
  assert.deepEqual(cards, []);
  assert.match(warning ?? '', /nvidia-smi/);
});

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
