// What the drivers tell about a card's health as the runner's device event shows it. One list per machine of sixteen cards, each
// with a fault of its own.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { type Machine, runOn } from './simulated-gpus.ts';

type Facts = Record<string, unknown>;

const root = mkdtempSync(join(tmpdir(), 'gpumark-health-'));
after(() => rmSync(root, { recursive: true, force: true }));

/** Attributes of each card, in the driver's order. */
async function listed(machine: Machine, args: readonly string[] = []): Promise<Facts[]> {
  const { devices } = await runOn(machine, ['--list', ...args]);
  return devices.filter((one) => one.vendor !== 'cpu' && one.status === 'ok').map(({ attributes }) => attributes);
}

/** A fact that is an object; empty if it is null. */
const objectOf = (facts: Facts | undefined, name: string): Facts => (facts?.[name] ?? {}) as Facts;

/** A machine whose card n has the n-th fault: each card's facts. */
const withFaults = (vendor: 'nvidia' | 'amd', faults: readonly string[], sim: Record<string, string> = {}) =>
  listed({
    drivers: [vendor],
    sim: {
      DEVICES: String(faults.length),
      FAULT: faults.map((fault, card) => fault.replace(/(:|$)/, `@${card}$1`)).join(),
      ...sim,
    },
  });

const healthy = {
  nvidia: {
    health_scope: 'gpu',
    ecc_mode: 'enabled',
    ecc_mode_pending: 'enabled',
    row_remaps: { correctable: 0, uncorrectable: 0, pending: false, failure: false },
    ecc_errors: { corrected: 0, uncorrected: 0 },
    ecc_errors_volatile: { corrected: 0, uncorrected: 0 },
    retired_pages: null,
    nvlink_active: 18,
    nvlink_supported: 18,
    nvlink_inactive: [],
    nvlink_speed_mbs: 26_562,
    clocks_max: { sm_mhz: 1000, memory_mhz: 1000 },
    application_clocks: { sm_mhz: 1000, memory_mhz: 1000, default_sm_mhz: 1000, default_memory_mhz: 1000 },
    gsp_firmware: { enabled: true, version: '580.65.06' },
    fabric: {
      state: 'completed',
      status: 'success',
      health: {
        degraded_bandwidth: false,
        route_recovery: false,
        route_unhealthy: false,
        access_timeout: false,
        incorrect_configuration: 'none',
      },
      summary: 'healthy',
    },
    recovery_action: 'none',
  },
  amd: {
    health_scope: 'socket',
    ecc_mode: 'enabled',
    bad_pages: { retired: 0, pending: 0, unreservable: 0 },
    ras: { corrected: 0, uncorrected: 0, deferred: null },
  },
};
const none = 'not on this card';
/** Hopper remaps rows and retires no pages. */
const unread = { retired_pages: none };

const differing = (facts: Facts, sound: Facts): Facts =>
  Object.fromEntries(
    Object.entries(facts).filter(([name, fact]) => JSON.stringify(fact) !== JSON.stringify(sound[name])),
  );

test('NVIDIA: a sound card of eight on switches tells each fact of its health', async () => {
  const [card] = await withFaults(
    'nvidia',
    Array.from({ length: 8 }, () => 'row-remap-pending:0'),
  );
  for (const [name, fact] of Object.entries(healthy.nvidia)) assert.deepEqual(card?.[name], fact, name);
  assert.deepEqual(card?.['health_problems'], unread);
  assert.equal(objectOf(card, 'pcie')['replays'], 0);
  const links = card?.['nvlink'] as Facts[];
  assert.ok(links.length === 18 && links.every(({ active }) => active === true));
});

/** Fault, the fact that it changes, what that then is. */
const nvidiaFaults: [string, string, unknown][] = [
  ['ecc-mode:0', 'ecc_mode', 'disabled'],
  ['ecc-mode-pending:0', 'ecc_mode_pending', 'disabled'],
  ['ecc-corrected-lifetime:4000', 'ecc_errors', { corrected: 4000, uncorrected: 0 }],
  ['ecc-uncorrected-lifetime', 'ecc_errors', { corrected: 0, uncorrected: 1 }],
  ['row-remap-correctable:3', 'row_remaps', { correctable: 3, uncorrectable: 0, pending: false, failure: false }],
  ['row-remap-uncorrectable:2', 'row_remaps', { correctable: 0, uncorrectable: 2, pending: false, failure: false }],
  ['row-remap-pending', 'row_remaps', { correctable: 0, uncorrectable: 0, pending: true, failure: false }],
  ['row-remap-failure', 'row_remaps', { correctable: 0, uncorrectable: 0, pending: false, failure: true }],
  ['application-clock:600', 'application_clocks', { ...healthy.nvidia.application_clocks, sm_mhz: 600 }],
  ['application-memory-clock:500', 'application_clocks', { ...healthy.nvidia.application_clocks, memory_mhz: 500 }],
  ['recovery-action:1', 'recovery_action', 'reset'],
  ['recovery-action:2', 'recovery_action', 'reboot'],
  ['recovery-action:3', 'recovery_action', 'drain p2p'],
  ['recovery-action:4', 'recovery_action', 'drain and reset'],
  ['vbios:96.00.74.00.01', 'vbios', '96.00.74.00.01'],
  ['nvlink-speed:20000', 'nvlink_speed_mbs', 20_000],
];
const fabric = (change: Facts, health: Facts = {}): Facts => ({
  ...healthy.nvidia.fabric,
  ...change,
  health: { ...healthy.nvidia.fabric.health, ...health },
});
const fabricFaults: [string, string, unknown][] = [
  ['fabric-state:0', 'fabric', fabric({ state: 'not supported', status: null })],
  ['fabric-state:1', 'fabric', fabric({ state: 'not started', status: null })],
  ['fabric-state:2', 'fabric', fabric({ state: 'in progress', status: null })],
  ['fabric-status:999', 'fabric', fabric({ status: 'the probe failed: NVML error 999' })],
  ['fabric-degraded-bandwidth', 'fabric', fabric({}, { degraded_bandwidth: true })],
  ['fabric-route-recovery', 'fabric', fabric({}, { route_recovery: true })],
  ['fabric-route-unhealthy', 'fabric', fabric({}, { route_unhealthy: true })],
  ['fabric-access-timeout', 'fabric', fabric({}, { access_timeout: true })],
  ['fabric-configuration:5', 'fabric', fabric({}, { incorrect_configuration: 'insufficient NVLinks' })],
  ['fabric-summary:2', 'fabric', fabric({ summary: 'unhealthy' })],
  ['fabric-summary:3', 'fabric', fabric({ summary: 'limited capacity' })],
];

for (const [what, faults] of [
  ['memory, clocks and recovery', nvidiaFaults],
  ['fabric', fabricFaults],
] as const) {
  test(`NVIDIA: each fault of ${what} changes the one fact that tells it, on its card alone`, async () => {
    const cards = await withFaults(
      'nvidia',
      faults.map(([fault]) => fault),
    );
    const sound: Facts = { vbios: '00.00.51.00.01', ...healthy.nvidia };
    for (const [card, [fault, name, expected]] of faults.entries()) {
      const facts = Object.fromEntries(Object.keys(sound).map((key) => [key, cards[card]?.[key]]));
      assert.deepEqual(differing(facts, sound), { [name]: expected }, fault);
      assert.deepEqual(cards[card]?.['health_problems'], unread, fault);
    }
  });
}

test('NVIDIA: errors since the driver was loaded are in the lifetime too; links that are down are listed, PCIe replays counted', async () => {
  const faults = [
    'ecc-corrected:7',
    'ecc-uncorrected',
    'gsp:0',
    'pcie-replays:12',
    'nvlink-inactive:6',
    'nvlink-inactive:18',
  ];
  const [corrected, uncorrected, gsp, replays, links, all] = await withFaults('nvidia', faults);
  for (const name of ['ecc_errors', 'ecc_errors_volatile']) {
    assert.deepEqual(corrected?.[name], { corrected: 7, uncorrected: 0 });
    assert.deepEqual(uncorrected?.[name], { corrected: 0, uncorrected: 1 });
  }
  assert.deepEqual(gsp?.['gsp_firmware'], { enabled: false, version: null });
  assert.deepEqual(gsp['health_problems'], { ...unread, 'gsp_firmware.version': none });
  assert.equal(objectOf(replays, 'pcie')['replays'], 12);
  const told = (card: Facts | undefined) =>
    ['nvlink_active', 'nvlink_supported', 'nvlink_inactive'].map((name) => card?.[name]);
  assert.deepEqual(told(links), [12, 18, [12, 13, 14, 15, 16, 17]]);
  assert.deepEqual(told(all), [0, 18, Array.from({ length: 18 }, (_, link) => link)]);
  assert.deepEqual([all?.['nvlink'], all?.['nvlink_speed_mbs']], [[], null]);
  assert.equal(objectOf(all, 'health_problems')['nvlink_speed_mbs'], 'no link is active');
});

const broken = 2 ** 32 - 1;
test('NVIDIA: a number that no card can have is dropped, and the reason quotes it', async () => {
  const absurd: [string, string][] = [
    [`ecc-corrected:${broken}`, 'ecc_errors_volatile.corrected'],
    ['ecc-uncorrected-lifetime:18446744073709551615', 'ecc_errors.uncorrected'],
    [`row-remap-correctable:${broken}`, 'row_remaps.correctable'],
    ['row-remap-failure:4294967295', 'row_remaps.failure'],
    [`pcie-replays:${broken}`, 'pcie.replays'],
    ['ecc-mode:7', 'ecc_mode'],
    [`application-clock:${broken}`, 'application_clocks.sm_mhz'],
    ['application-clock:0', 'application_clocks.sm_mhz'],
    ['recovery-action:77', 'recovery_action'],
    ['fabric-state:9', 'fabric'],
    ['nvlink-speed:0', 'nvlink_speed_mbs'],
  ];
  const cards = await withFaults('nvidia', [...absurd.map(([fault]) => fault), `pcie-width:${broken}`]);
  assert.equal(objectOf(cards.at(-1), 'pcie')['width_current'], null);
  for (const [card, [fault, name]] of absurd.entries()) {
    const facts = cards[card] ?? {};
    const [fact = '', member] = name.split('.');
    assert.equal(member === undefined ? facts[fact] : objectOf(facts, fact)[member], null, fault);
    assert.match(String(objectOf(facts, 'health_problems')[name]), /^not a plausible value: [0-9]/, fault);
  }
});

test('NVIDIA: what the driver refuses is null with its reason, and all else is told', async () => {
  const refused: [string, string][] = [
    ['ecc-mode', 'ecc_mode'],
    ['row-remap-correctable', 'row_remaps'],
    ['gsp', 'gsp_firmware'],
    ['fabric-state', 'fabric'],
    ['recovery-action', 'recovery_action'],
  ];
  const faults = ['denied', 'none'].flatMap((how) => refused.map(([kind]) => `${kind}:${how}`));
  const cards = await withFaults('nvidia', faults);
  for (const [card, fault] of faults.entries()) {
    const [, name = ''] = refused[card % refused.length] ?? [];
    const facts = cards[card] ?? {};
    assert.equal(facts[name], null, fault);
    const reason = objectOf(facts, 'health_problems')[name];
    assert.match(String(reason), fault.endsWith('denied') ? /^no permission$/ : /^not on this card/, fault);
    assert.deepEqual(facts['clocks_max'], healthy.nvidia.clocks_max, fault);
  }
});

test('NVIDIA: a driver without the newer calls leaves only their facts without a value', async () => {
  const drivers: Machine['drivers'] = ['nvidia-without-nvml', 'nvml-old'];
  const [card] = await listed({ drivers, sim: { DRIVER: '12040', DEVICES: '5' } });
  assert.deepEqual(card?.['health_problems'], {
    retired_pages: 'not in this driver',
    application_clocks: 'not in this driver',
    gsp_firmware: 'not in this driver',
    fabric: 'not in this driver',
    recovery_action: 'not on this card, or not in this driver',
  });
  const { row_remaps, ecc_errors_volatile, clocks_max, nvlink_supported } = healthy.nvidia;
  for (const [name, fact] of Object.entries({ row_remaps, ecc_errors_volatile, clocks_max, nvlink_supported }))
    assert.deepEqual(card?.[name], fact, name);
});

test('NVIDIA: the fabric is read in the newest form that the driver has; the oldest has no health', async () => {
  const at = async (DRIVER: string) => {
    const [card] = await withFaults(
      'nvidia',
      Array.from({ length: 5 }, () => 'row-remap-pending:0'),
      { DRIVER },
    );
    return card?.['fabric'];
  };
  assert.deepEqual(await at('12080'), { ...healthy.nvidia.fabric, summary: null });
  assert.deepEqual(await at('12000'), { state: 'completed', status: 'success', health: null, summary: null });
});

test('NVIDIA: a card without links has none, one alone has all of them inactive, and one before Ampere retires pages', async () => {
  const alone = async (ARCH: string, FAULT = '') => (await listed({ drivers: ['nvidia'], sim: { ARCH, FAULT } }))[0];
  const ada = await alone('sm_89');
  assert.deepEqual([ada?.['nvlink_supported'], ada?.['nvlink_inactive']], [0, []]);
  const hopper = await alone('sm_90');
  assert.deepEqual([hopper?.['nvlink_supported'], hopper?.['nvlink_active']], [18, 0]);
  assert.deepEqual(objectOf(hopper, 'fabric')['state'], 'not supported');
  const volta = await alone('sm_70', 'retired-single-bit:3,retired-double-bit:2,retired-pending');
  assert.deepEqual(volta?.['retired_pages'], { single_bit: 3, double_bit: 2, pending: true });
  assert.equal(volta['row_remaps'], null);
  assert.equal(objectOf(volta, 'health_problems')['row_remaps'], none);
});

test('NVIDIA: the facts of an instance are its card’s, and what NVML refuses in MIG mode says so', async () => {
  const [slice] = await listed({
    drivers: ['nvidia'],
    sim: { MIG: '1', FAULT: 'row-remap-correctable:none,ecc-corrected:5' },
  });
  assert.equal(slice?.['health_scope'], 'whole card, of which the device is a part');
  assert.deepEqual(slice['ecc_errors_volatile'], { corrected: 5, uncorrected: 0 });
  assert.equal(objectOf(slice, 'health_problems')['row_remaps'], 'not reported of a card in MIG mode');
});

test('NVIDIA: without NVML none of these facts is there, and the reason is one for all', async () => {
  const [card] = await listed({ drivers: ['nvidia-without-nvml'] });
  assert.equal(card?.['health_problems'], undefined);
  assert.equal(card?.['row_remaps'], undefined);
  assert.match(String(card?.['telemetry_problem']), /NVML is not installed/);
});

const amdFaults: [string, string, unknown][] = [
  ['bad-pages-retired:3', 'bad_pages', { retired: 3, pending: 0, unreservable: 0 }],
  ['bad-pages-pending', 'bad_pages', { retired: 0, pending: 1, unreservable: 0 }],
  ['bad-pages-unreservable:2', 'bad_pages', { retired: 0, pending: 0, unreservable: 2 }],
  ['ras-corrected:9', 'ras', { corrected: 9, uncorrected: 0, deferred: null }],
  ['ras-uncorrected', 'ras', { corrected: 0, uncorrected: 1, deferred: null }],
  ['xgmi-uncorrected:4', 'ras', { corrected: 0, uncorrected: 4, deferred: null }],
];

test('AMD by ROCm SMI: each fault changes the one fact that tells it, on its card alone', async () => {
  const cards = await withFaults('amd', ['pcie-replays:8', ...amdFaults.map(([fault]) => fault)]);
  assert.equal(objectOf(cards[0], 'pcie')['replays'], 8);
  for (const [name, fact] of Object.entries(healthy.amd)) assert.deepEqual(cards[0]?.[name], fact, name);
  for (const [card, [fault, name, expected]] of amdFaults.entries()) {
    const facts = Object.fromEntries(Object.keys(healthy.amd).map((key) => [key, cards[card + 1]?.[key]]));
    assert.deepEqual(differing(facts, healthy.amd), { [name]: expected }, fault);
  }
  assert.deepEqual(Object.keysobjectOf(cards[0], 'health_problems'), [
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
