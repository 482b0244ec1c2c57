import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askProgram } from '../../../agent/inventory/ask-program.ts';
import { nvidiaCards } from '../../../agent/inventory/nvidia-cards.ts';
import { fakeNvidiaSmi } from '../support/fake-nvidia-smi.ts';

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

const sound = log(gpu('00000000:17:00.0', 'GPU-1'), gpu('00000000:18:00.0', 'GPU-2'));
const says = (stream: string, code: number, words: string): string => `echo '${words}'${stream}; exit ${code}`;

test('a whole document counts whatever the exit code and the words after it, which are quoted with their meaning', async (t) => {
  fakeNvidiaSmi(t, xml(sound));
  const { cards: expected, warning: none } = await nvidiaCards();
  assert.deepEqual([expected.length, none], [2, null]);
  const inforom = 'WARNING: infoROM is corrupted at gpu 0000:17:00.0';
  for (const [code, words, meaning] of [
    [14, inforom, 'exit 14 (an infoROM is corrupted)'],
    [
      15,
      'Unable to determine the device handle for GPU0000:41:00.0: GPU is lost',
      'exit 15 (a GPU has fallen off the bus',
    ],
    [6, '', 'exit 6 (a query found nothing)'],
    [77, 'something new', 'exit 77: something new'],
  ] as const) {
    for (const stream of ['', ' >&2']) {
      fakeNvidiaSmi(t, `${xml(sound)}\n${says(stream, code, words)}`);
      const { cards, warning } = await nvidiaCards();
      assert.deepEqual(cards, expected, meaning);
      assert.ok(warning?.startsWith(`nvidia-smi: ${meaning}`) && warning.includes(words), String(warning));
      // Words before the document, as of a card that does not answer.
      fakeNvidiaSmi(t, `echo '${words}'; ${xml(sound)}\nexit ${code}`);
      assert.deepEqual((await nvidiaCards()).cards, expected);
    }
  }
});

test('without a document nvidia-smi is quoted with the meaning of its exit code', async (t) => {
  fakeNvidiaSmi(
    t,
    says('', 18, 'Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 580.159'),
  );
  const { cards, warning } = await nvidiaCards();
  assert.deepEqual(cards, []);
  assert.equal(
    warning,
    'nvidia-smi: exit 18 (the kernel module and the libraries are of different driver versions): ' +
      'Failed to initialize NVML: Driver/library version mismatch NVML library version: 580.159',
  );
});

/** Every text that nvidia-smi prints where a value would be. */
const FAILURES = ['ERR!', 'GPU requires reset', '[GPU requires reset]', 'GPU is lost', 'Unknown Error'];
const NO_VALUES = [...FAILURES, 'Insufficient Permissions', 'N/A', '[N/A]', '[Not Supported]', '[Unknown Error]'];

test('a text instead of a value is never a value, in the document or in the table, and a failure is quoted', async (t) => {
  for (const text of NO_VALUES) {
    const lost = log(
      gpu('00000000:17:00.0', 'GPU-1'),
      gpu('00000000:18:00.0', 'GPU-2').replace(/>[^<>]+<\//g, `>${text}</`),
    );
    fakeNvidiaSmi(t, xml(lost));
    const { cards, warning } = await nvidiaCards();
    assert.deepEqual([cards.length, cards[0]?.serial, cards[1]?.pci_id], [2, '1650523000001', '00000000:18:00.0']);
    assertNothing(cards[1], text);
    const isFailure = FAILURES.includes(text) || /unknown|permission/i.test(text);
    assert.equal(
      warning?.includes(`00000000:18:00.0: '${text.replaceAll(/[[\]]/g, '')}' instead of`) ?? false,
      isFailure,
    );

    const row = ['GPU-1', '00000000:17:00.0', ...Array.from({ length: 11 }, () => text)].join(', ');
    fakeNvidiaSmi(
      t,
      `case "$1" in -q) exit 15;; *) echo 'Unable to determine the device handle'; echo '${row}'; exit 15;; esac`,
    );
    const table = await nvidiaCards();
    assert.deepEqual([table.cards.length, table.cards[0]?.uuid], [1, 'GPU-1']);
    assertNothing(table.cards[0], text);
  }
});

function assertNothing(card: Awaited<ReturnType<typeof nvidiaCards>>['cards'][number] | undefined, text: string): void {
  const { uuid: _uuid, pci_id: _pci, driver_version: _driver, cuda_version: _cuda, pci_info, ...facts } = card ?? {};
  assert.deepEqual([...new Set([...Object.values(facts), ...Object.values(pci_info ?? {})])], [null], text);
}

test('a program that hangs, and whose children keep its output open, is given up at its deadline with what it printed', async (t) => {
  fakeNvidiaSmi(t, 'echo begun; tail --pid=$$ -f /dev/null & wait');
  const { stdout, end } = await askProgram('nvidia-smi', [], 200);
  assert.deepEqual([end, stdout.replace('begun\n', '')], ['did not answer within 200 ms', '']);
});
