// What ROCm SMI, AMD SMI and the kernel report about a card's health as the runner's device event shows it.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { differing, type Facts, listed, objectOf, withFaults } from './card-facts.ts';
import { type Machine, runOn } from './simulated-gpus.ts';

const root = mkdtempSync(join(tmpdir(), 'gpumark-health-'));
after(() => rmSync(root, { recursive: true, force: true }));

const healthy = {
  health_scope: 'socket',
  ecc_mode: 'enabled',
  bad_pages: { retired: 0, pending: 0, unreservable: 0 },
  ras: { corrected: 0, uncorrected: 0, deferred: null },
};

const amdFaults: [string, string, unknown][] = [
  ['bad-pages-retired:3', 'bad_pages', { retired: 3, pending: 0, unreservable: 0 }],
  ['bad-pages-pending', 'bad_pages', { retired: 0, pending: 1, unreservable: 0 }],
  ['bad-pages-unreservable:2', 'bad_pages', { retired: 0, pending: 0, unreservable: 2 }],
  ['ras-corrected:9', 'ras', { corrected: 9, uncorrected: 0, deferred: null }],
  ['ras-uncorrected', 'ras', { corrected: 0, uncorrected: 1, deferred: null }],
  ['xgmi-uncorrected:4', 'ras', { corrected: 0, uncorrected: 4, deferred: null }],
];

test('AMD by ROCm SMI: each fault changes the one fact that tells it, on its card alone', async () => {
  const cards = await listed(withFaults('amd', ['pcie-replays:8', ...amdFaults.map(([fault]) => fault)]));
  assert.equal(objectOf(cards[0], 'pcie')['replays'], 8);
  for (const [name, fact] of Object.entries(healthy)) assert.deepEqual(cards[0]?.[name], fact, name);
  for (const [card, [fault, name, expected]] of amdFaults.entries()) {
    const facts = Object.fromEntries(Object.keys(healthy).map((key) => [key, cards[card + 1]?.[key]]));
    assert.deepEqual(differing(facts, healthy), { [name]: expected }, fault);
  }
  assert.deepEqual(Object.keys(objectOf(cards[0], 'health_problems')), [
    'ras.deferred',
    'xgmi',
    'clocks_max',
    'application_clocks',
  ]);
});

test('AMD by AMD SMI: deferred errors and the state of links are told too', async () => {
  const sim = { FAULT: 'ras-deferred:2,bad-pages-retired:1,xgmi-down:1,pcie-replays:3' };
  const [card] = await listed({ drivers: ['amd-without-smi', 'amd-smi-27'], sim });
  assert.deepEqual(card?.['ras'], { corrected: 0, uncorrected: 0, deferred: 2 });
  assert.deepEqual(card['bad_pages'], { retired: 1, pending: 0, unreservable: 0 });
  assert.equal(objectOf(card, 'pcie')['replays'], 3);
  const links = card['xgmi'] as Facts[];
  assert.deepEqual(
    links.map(({ status }) => status),
    ['down', 'up', 'up', 'up', 'up', 'up', 'up', 'disabled'],
  );
});

test('AMD by the kernel’s files: they come before the libraries, and what they do not hold is asked of these', async () => {
  const { devices } = await runOn({ drivers: ['amd'] }, ['--list']);
  const pci = String(devices.find(({ vendor, status }) => vendor === 'amd' && status === 'ok')?.pci_id);
  const put = (name: string, content: string | Buffer): void => {
    const path = join(root, 'bus/pci/devices', pci, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  put(
    'ras/gpu_vram_bad_pages',
    '0x027f5d43 : 0x00001000 : R\n0x027f5d4b : 0x00001000 : R\n0x2 : 0x00001000 : P\n0x3 : 0x1000 : F\n',
  );
  put('ras/umc_err_count', 'ue: 1\nce: 20\nde: 3\n');
  put('ras/gfx_err_count', 'ue: 0\nce: 5\n');
  put('ras/features', 'feature mask: 0x3fff\n');
  put('pcie_replay_count', '41\n');
  put('pp_dpm_sclk', 'S: 132Mhz *\n0: 132Mhz\n1: 2100Mhz\n');
  put('pp_dpm_mclk', '0: 900Mhz\n1: 1300Mhz *\n');
  put('pp_od_clk_voltage', 'OD_SCLK:\n0: 132Mhz\n1: 1700Mhz\nOD_MCLK:\n0: 900Mhz\n1: 1300Mhz\n');
  // gpu_metrics 1.7: lanes at 72, Gbit/s at 74, states of eight links from 264 on: 1 up, 0 down, all bits none.
  const metrics = Buffer.alloc(2208);
  metrics.writeUInt16LE(2208, 0);
  metrics.writeUInt8(1, 2);
  metrics.writeUInt8(7, 3);
  metrics.writeUInt16LE(16, 72);
  metrics.writeUInt16LE(32, 74);
  for (const [link, state] of [1, 1, 0, 1, 1, 1, 1, 0xffff].entries()) metrics.writeUInt16LE(state, 264 + 2 * link);
  put('gpu_metrics', metrics);
  const machine: Machine = {
    drivers: ['amd'],
    sim: { FAULT: 'ras-corrected:99,bad-pages-retired:99,pcie-replays:99' },
  };
  const [card] = await listed(machine, ['--sysfs-root', root]);
  assert.deepEqual(card?.['bad_pages'], { retired: 2, pending: 1, unreservable: 1 });
  assert.deepEqual(card['ras'], { corrected: 25, uncorrected: 1, deferred: 3 });
  assert.equal(objectOf(card, 'pcie')['replays'], 41);
  assert.deepEqual(card['clocks_max'], { sm_mhz: 2100, memory_mhz: 1300 });
  assert.deepEqual(card['application_clocks'], {
    sm_mhz: 1700,
    memory_mhz: 1300,
    default_sm_mhz: 2100,
    default_memory_mhz: 1300,
  });
  const links = card['xgmi'] as Facts[];
  assert.deepEqual(links[0], { link: 0, status: 'up', width: 16, speed: 32 });
  assert.deepEqual([links[2]?.['status'], links[7]?.['status'], links.length], ['down', 'disabled', 8]);
  assert.deepEqual(card['health_problems'], {});
  // In a guest the kernel may show none of them, and a reset makes the counts unreadable for a time.
  put('ras/umc_err_count', 'Query currently inaccessible\n');
  rmSync(join(root, 'bus/pci/devices', pci, 'ras/gfx_err_count'));
  const [guest] = await listed(machine, ['--sysfs-root', root]);
  assert.deepEqual(guest?.['ras'], { corrected: 99, uncorrected: 0, deferred: null });
});

test('AMD: what a link can do is what both of its ends can: a card of generation 5 in a slot of generation 4 with eight lanes', async () => {
  const { devices } = await runOn({ drivers: ['amd'] }, ['--list']);
  const pci = String(devices.find(({ vendor, status }) => vendor === 'amd' && status === 'ok')?.pci_id);
  const machine = join(root, 'slot');
  const port = join(machine, 'devices/pci0000:00/0000:00:01.0');
  const end = (folder: string, speed: string, width: string): void => {
    mkdirSync(folder, { recursive: true });
    for (const kind of ['current', 'max']) {
      writeFileSync(join(folder, `${kind}_link_speed`), `${kind === 'max' ? speed : '16.0 GT/s PCIe'}\n`);
      writeFileSync(join(folder, `${kind}_link_width`), `${kind === 'max' ? width : '8'}\n`);
    }
  };
  end(port, '16.0 GT/s PCIe', '8');
  end(join(port, pci), '32.0 GT/s PCIe', '16');
  mkdirSync(join(machine, 'bus/pci/devices'), { recursive: true });
  symlinkSync(join(port, pci), join(machine, 'bus/pci/devices', pci));
  const [card] = await listed({ drivers: ['amd'] }, ['--sysfs-root', machine]);
  const { generation_max, width_max, generation_current, width_current } = objectOf(card, 'pcie');
  assert.deepEqual([generation_max, width_max], [4, 8]);
  assert.deepEqual([generation_current, width_current], [4, 8]);
});
