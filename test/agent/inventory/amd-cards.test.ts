import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amdCards, cardsOfAmdSmi, cardsOfRocmSmi } from '../../../agent/inventory/amd-cards.ts';
import { gpuInfo } from '../../../agent/inventory/gpu-info.ts';
import { fakePrograms } from '../support/fake-nvidia-smi.ts';
import { fileTree } from '../support/file-tree.ts';

/** The newer style: amounts with units as objects, the list below gpu_data. */
const newer = {
  gpu_data: [
    {
      gpu: 0,
      asic: {
        market_name: 'AMD Instinct MI300X',
        vendor_id: '0x1002',
        asic_serial: '0xABCDEF',
        target_graphics_version: 'gfx942',
      },
      bus: { bdf: '0000:05:00.0', max_pcie_width: 16, max_pcie_speed: { value: 32, unit: 'GT/s' }, slot_type: 'OAM' },
      ifwi: { name: 'AMD MI300X', part_number: '113-M3000100-102' },
      limit: { ppt0: { max_power_limit: { value: 750, unit: 'W' }, socket_power_limit: { value: 650, unit: 'W' } } },
      driver: { name: 'amdgpu', version: '6.12.12' },
      board: { product_serial: '692432000631', product_name: 'MI300X' },
      ras: {
        ecc_block_state: [
          { block: 'UMC', status: 'ENABLED' },
          { block: 'SDMA', status: 'DISABLED' },
        ],
      },
      partition: { compute_partition: 'SPX', memory_partition: 'NPS1', partition_id: 0 },
      vram: { type: 'HBM3', size: { value: 196592, unit: 'MB' } },
    },
  ],
};
/** The older style: a list, amounts as text, blocks as an object. */
const older = [
  {
    gpu: 0,
    asic: { market_name: 'AMD Instinct MI210', asic_serial: '0x12' },
    bus: { bdf: '0000:C1:00.0', max_pcie_width: '16', max_pcie_speed: '16 GT/s' },
    vbios: { part_number: '113-D67301V-073', version: '022.040' },
    limit: { max_power: '300 W', socket_power: '250 W' },
    driver: { driver_name: 'amdgpu', driver_version: '6.3.6' },
    board: { product_serial: 'N/A', product_name: 'N/A' },
    ras: { ecc_block_state: { UMC: 'DISABLED' } },
    partition: { compute_partition: 'N/A', memory_partition: 'N/A' },
    vram: { size: '65520 MB' },
  },
];
const rocm = (style: (name: string) => string) => ({
  card0: {
    [style('Card Series')]: 'AMD INSTINCT MI200 (MCM) OAM LC MBA HPE C2',
    [style('Card Model')]: '0x7408',
    'VBIOS version': '113-D65201-046',
    'Serial Number': '692139000119',
    'Max Graphics Package Power (W)': '560.0',
    'PCI Bus': '0000:C9:00.0',
    'VRAM Total Memory (B)': '68702699520',
  },
  system: { 'Driver version': '6.3.6' },
});

test('both styles of amd-smi give the same kinds of facts', () => {
  assert.deepEqual(cardsOfAmdSmi(newer), [
    {
      pci_id: '0000:05:00.0',
      name: 'AMD Instinct MI300X',
      total_memory: 206_141_652_992, // 196592 MiB
      driver_version: '6.12.12',
      pci_info: { generation_max: 5, generation_current: null, link_width_max: 16, link_width_current: null },
      vbios: '113-M3000100-102',
      serial: '692432000631',
      ecc_mode: 'enabled',
      power_cap_watts: 650,
      partition: { compute: 'SPX', memory: 'NPS1' },
    },
  ]);
  const [card] = cardsOfAmdSmi(older);
  assert.deepEqual(
    [card?.pci_info?.generation_max, card?.serial, card?.ecc_mode, card?.power_cap_watts, card?.partition],
    [4, '0x12', 'disabled', 250, null],
  );
  assert.deepEqual([card?.vbios, card?.driver_version], ['113-D67301V-073', '6.3.6']);
});

test('rocm-smi is parsed whatever the capitalisation of its names', () => {
  for (const style of [(name: string) => name, (name: string) => name.toLowerCase()])
    assert.deepEqual(cardsOfRocmSmi(rocm(style)), [
      {
        pci_id: '0000:C9:00.0',
        name: 'AMD INSTINCT MI200 (MCM) OAM LC MBA HPE C2',
        total_memory: 68_702_699_520,
        driver_version: '6.3.6',
        pci_info: null,
        vbios: '113-D65201-046',
        serial: '692139000119',
        ecc_mode: null,
        power_cap_watts: 560,
        partition: null,
      },
    ]);
});

test('nonsense is not a card', () => {
  for (const document of [null, 7, 'text', [], {}, [null, 1], { gpu_data: 3 }, { card0: null }, { card0: {} }]) {
    assert.deepEqual(cardsOfAmdSmi(document), []);
    assert.deepEqual(cardsOfRocmSmi(document), []);
  }
});

const says = (document: unknown): string => `cat <<'END'\n${JSON.stringify(document, null, 2)}\nEND`;

const GROUPS = 'WARNING: User is missing the following required groups: render. Please add user to these groups.';

test('amd-smi is tried first, then rocm-smi; text before or after the document and a failed exit code lose nothing', async (t) => {
  for (const [body, complaint] of [
    [says(newer), null],
    [`echo '${GROUPS}'; ${says(newer)}`, GROUPS],
    [`${says(newer)}\necho '${GROUPS}'`, GROUPS],
    [`${says(newer)}\necho 'AMDSMI_STATUS_NOT_SUPPORTED' >&2; exit 1`, 'exit 1: AMDSMI_STATUS_NOT_SUPPORTED'],
    [`echo '[2025] [WARNING] {odd}'; ${says(newer)}\necho '[1] end'; exit 2`, 'exit 2: [2025] [WARNING] {odd} [1] end'],
  ] as const) {
    fakePrograms(t, { 'amd-smi': body, 'rocm-smi': 'exit 1' });
    const { source, cards, warning } = await amdCards();
    assert.deepEqual([source, cards], ['amd-smi', cardsOfAmdSmi(newer)], body);
    assert.equal(warning, complaint === null ? null : `amd-smi: ${complaint}`);
  }
  const old = rocm((name) => name);
  fakePrograms(t, { 'amd-smi': 'exit 2', 'rocm-smi': `${says(old)}\necho 'WARNING: low power'; exit 1` });
  const second = await amdCards();
  assert.deepEqual([second.source, second.cards[0]?.serial], ['rocm-smi', '692139000119']);
  assert.equal(second.warning, 'rocm-smi: exit 1: WARNING: low power');
  fakePrograms(t, { 'amd-smi': 'echo Segmentation fault; exit 139', 'rocm-smi': 'exit 127' });
  const neither = await amdCards();
  assert.deepEqual(neither.cards, []);
  assert.equal(neither.warning, 'amd-smi: exit 139: Segmentation fault; rocm-smi: exit 127');
});

test('a width of all ones, as a card that does not answer has, is left out', () => {
  const [card] = newer.gpu_data;
  const sleeping = [{ ...card, bus: { ...card?.bus, max_pcie_width: 65_535, max_pcie_speed: 'N/A' } }];
  const info = cardsOfAmdSmi(sleeping)[0]?.pci_info;
  assert.deepEqual([info?.link_width_max, info?.generation_max], [null, null]);
});

test('an AMD card of the runner is matched by its PCI address, and contradictions name the program', (t) => {
  const card = {
    device_id: '0000:05:00.0',
    vendor: 'amd',
    name: 'AMD Instinct MI300X OAM',
    pci_id: '0000:05:00.0',
    memory_bytes: 205_822_885_888,
    driver_version: null,
    cuda_version: null,
    facts: {
      source: 'AMD SMI',
      mig: null,
      partition: { compute: 'CPX', memory: 'NPS1' },
      nvlink_active: null,
      nvlink: null,
      rocm_version: null,
      architecture: 'gfx942',
    },
  };
  const files = fileTree(t, { 'opt/rocm/.info/version': '6.4.1-83\n' });
  const [info] = gpuInfo([card], cardsOfAmdSmi(newer), files, () => 'amd-smi');
  assert.deepEqual(
    [info?.vbios, info?.serial, info?.power_cap_watts, info?.rocm_version],
    ['113-M3000100-102', '692432000631', 650, '6.4.1-83'],
  );
  assert.deepEqual(info?.disagreements, ['compute partition: AMD SMI says CPX, amd-smi says SPX']);
});
