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
<fb_memory_usage><total>81559 MiB</total></fb_memory_usage></gpu>`;
const log = (...gpus: string[]): string =>
  `<?xml version="1.0"?><nvidia_smi_log><driver_version>580.65.06</driver_version><cuda_version>13.0</cuda_version>${gpus.join('')}</nvidia_smi_log>`;

const xml = (text: string): string => `cat <<'END'\n${text}\nEND`;

test('one card and several are both read, memory in bytes', async (t) => {
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
    },
  ]);
  fakeNvidiaSmi(t, xml(log(gpu('00000000:17:00.0', 'GPU-1'), gpu('00000000:18:00.0', 'GPU-2'))));
  assert.deepEqual(
    (await nvidiaCards()).cards.map((card) => card.uuid),
    ['GPU-1', 'GPU-2'],
  );
});

test('a warning on stderr costs the CUDA version and nothing else', async (t) => {
  const row = 'GPU-1, 00000000:17:00.0, NVIDIA H100 80GB HBM3, 81559, 580.65.06, 5, 1, 16, [N/A]';
  fakeNvidiaSmi(
    t,
    `case "$1" in -q) echo 'WARNING: infoROM is corrupted' >&2; ${xml(log(gpu('00000000:17:00.0', 'GPU-1')))}\n;; *) echo '${row}';; esac`,
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
