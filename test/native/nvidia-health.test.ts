// What NVML reports about a card's health as the runner's device event shows it. One list per machine of many cards, each with a
// fault of its own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differing, type Facts, listed, objectOf, withFaults } from './card-facts.ts';
import type { Machine } from './simulated-gpus.ts';

const cardsWith = (faults: readonly string[], sim: Record<string, string> = {}): Promise<Facts[]> =>
  listed(withFaults('nvidia', faults, sim));

const healthy = {
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
};
const none = 'not on this card';
/** Hopper remaps rows and retires no pages. */
const unread = { retired_pages: none };

test('a sound card of eight on switches tells each fact of its health', async () => {
  const [card] = await cardsWith(Array.from({ length: 8 }, () => 'row-remap-pending:0'));
  for (const [name, fact] of Object.entries(healthy)) assert.deepEqual(card?.[name], fact, name);
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
  ['application-clock:600', 'application_clocks', { ...healthy.application_clocks, sm_mhz: 600 }],
  ['application-memory-clock:500', 'application_clocks', { ...healthy.application_clocks, memory_mhz: 500 }],
  ['recovery-action:1', 'recovery_action', 'reset'],
  ['recovery-action:2', 'recovery_action', 'reboot'],
  ['recovery-action:3', 'recovery_action', 'drain p2p'],
  ['recovery-action:4', 'recovery_action', 'drain and reset'],
  ['vbios:96.00.74.00.01', 'vbios', '96.00.74.00.01'],
  ['nvlink-speed:20000', 'nvlink_speed_mbs', 20_000],
];
const fabric = (change: Facts, health: Facts = {}): Facts => ({
  ...healthy.fabric,
  ...change,
  health: { ...healthy.fabric.health, ...health },
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
  test(`each fault of ${what} changes the one fact that tells it, on its card alone`, async () => {
    const cards = await cardsWith(faults.map(([fault]) => fault));
    const sound: Facts = { vbios: '00.00.51.00.01', ...healthy };
    for (const [card, [fault, name, expected]] of faults.entries()) {
      const facts = Object.fromEntries(Object.keys(sound).map((key) => [key, cards[card]?.[key]]));
      assert.deepEqual(differing(facts, sound), { [name]: expected }, fault);
      assert.deepEqual(cards[card]?.['health_problems'], unread, fault);
    }
  });
}

test('errors since the driver was loaded are in the lifetime too; links that are down are listed, PCIe replays counted', async () => {
  const faults = [
    'ecc-corrected:7',
    'ecc-uncorrected',
    'gsp:0',
    'pcie-replays:12',
    'nvlink-inactive:6',
    'nvlink-inactive:18',
  ];
  const [corrected, uncorrected, gsp, replays, links, all] = await cardsWith(faults);
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
test('a number that no card can have is dropped, and the reason quotes it', async () => {
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
  const cards = await cardsWith([...absurd.map(([fault]) => fault), `pcie-width:${broken}`]);
  assert.equal(objectOf(cards.at(-1), 'pcie')['width_current'], null);
  for (const [card, [fault, name]] of absurd.entries()) {
    const facts = cards[card] ?? {};
    const [fact = '', member] = name.split('.');
    assert.equal(member === undefined ? facts[fact] : objectOf(facts, fact)[member], null, fault);
    assert.match(String(objectOf(facts, 'health_problems')[name]), /^not a plausible value: [0-9]/, fault);
  }
});

test('what the driver refuses is null with its reason, and all else is told', async () => {
  const refused: [string, string][] = [
    ['ecc-mode', 'ecc_mode'],
    ['row-remap-correctable', 'row_remaps'],
    ['gsp', 'gsp_firmware'],
    ['fabric-state', 'fabric'],
    ['recovery-action', 'recovery_action'],
  ];
  const faults = ['denied', 'none'].flatMap((how) => refused.map(([kind]) => `${kind}:${how}`));
  const cards = await cardsWith(faults);
  for (const [card, fault] of faults.entries()) {
    const [, name = ''] = refused[card % refused.length] ?? [];
    const facts = cards[card] ?? {};
    assert.equal(facts[name], null, fault);
    const reason = objectOf(facts, 'health_problems')[name];
    assert.match(String(reason), fault.endsWith('denied') ? /^no permission$/ : /^not on this card/, fault);
    assert.deepEqual(facts['clocks_max'], healthy.clocks_max, fault);
  }
});

test('a driver without the newer calls leaves only their facts without a value', async () => {
  const drivers: Machine['drivers'] = ['nvidia-without-nvml', 'nvml-old'];
  const [card] = await listed({ drivers, sim: { DRIVER: '12040', DEVICES: '5' } });
  assert.deepEqual(card?.['health_problems'], {
    retired_pages: 'not in this driver',
    application_clocks: 'not in this driver',
    gsp_firmware: 'not in this driver',
    fabric: 'not in this driver',
    recovery_action: 'not on this card, or not in this driver',
  });
  const { row_remaps, ecc_errors_volatile, clocks_max, nvlink_supported } = healthy;
  for (const [name, fact] of Object.entries({ row_remaps, ecc_errors_volatile, clocks_max, nvlink_supported }))
    assert.deepEqual(card?.[name], fact, name);
});

test('the fabric is read in the newest form that the driver has; the oldest has no health', async () => {
  const at = async (DRIVER: string) => {
    const [card] = await cardsWith(
      Array.from({ length: 5 }, () => 'row-remap-pending:0'),
      { DRIVER },
    );
    return card?.['fabric'];
  };
  assert.deepEqual(await at('12080'), { ...healthy.fabric, summary: null });
  assert.deepEqual(await at('12000'), { state: 'completed', status: 'success', health: null, summary: null });
});

test('a card without links has none, one alone has all of them inactive, and one before Ampere retires pages', async () => {
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

test('the facts of an instance are its card’s, and what NVML refuses in MIG mode says so', async () => {
  const [slice] = await listed({
    drivers: ['nvidia'],
    sim: { MIG: '1', FAULT: 'row-remap-correctable:none,ecc-corrected:5' },
  });
  assert.equal(slice?.['health_scope'], 'whole card, of which the device is a part');
  assert.deepEqual(slice['ecc_errors_volatile'], { corrected: 5, uncorrected: 0 });
  assert.equal(objectOf(slice, 'health_problems')['row_remaps'], 'not reported of a card in MIG mode');
});

test('without NVML none of these facts is there, and the reason is one for all', async () => {
  const [card] = await listed({ drivers: ['nvidia-without-nvml'] });
  assert.equal(card?.['health_problems'], undefined);
  assert.equal(card?.['row_remaps'], undefined);
  assert.match(String(card?.['telemetry_problem']), /NVML is not installed/);
});
