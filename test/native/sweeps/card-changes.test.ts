// What changes on a card during a run, as the record of the run shows it: each card of a machine with a fault of its own, which
// begins with the first launch.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { assembleQuickMark } from '../../../agent/kernels/assemble-quick-mark.ts';
import { runnerSchema, type ResultEvent, type RunnerEvent } from '../../../agent/kernels/runner-events.ts';
import { overBounds } from '../../../coordinator/contract/bounded-json.ts';
import { MOST_POINTS } from '../../../coordinator/contract/sensor-series.ts';
import { sizeCaps } from '../../../coordinator/contract/size-caps.ts';
import { type Facts, objectOf, recorded, withFaults } from '../card-facts.ts';
import { type Machine, idsOn, runOn } from '../simulated-gpus.ts';

/** All figures of an H200, as its device check wrote them. */
const realCard = join(import.meta.dirname, '../../../native/results/nvidia-h200-580.159.04-2026-11-27.json');
interface RealCard {
  rounds: { turns: { run: { results: ResultEvent[] } }[] }[];
}

const root = mkdtempSync(join(tmpdir(), 'gpumark-changes-'));
after(() => rmSync(root, { recursive: true, force: true }));

const recordedWith = (...machine: Parameters<typeof withFaults>): Promise<Facts[]> => recorded(withFaults(...machine));

const noErrors = {
  crc_flit: 0,
  crc_data: null,
  replay: 0,
  recovery: 0,
  ecc: null,
};
/** A sound H100: only Ampere has data CRC and ECC. */
const sound = {
  ecc_corrected_during_run: 0,
  ecc_uncorrected_during_run: 0,
  pcie_replays_during_run: 0,
  row_remaps_during_run: { correctable: 0, uncorrectable: 0, pending: false, failure: false },
  nvlink_errors_during_run: noErrors,
  nvlink_error_links: [],
  nvlink_lost_during_run: [],
  throttle_seconds: { sw_power_cap: 0, sw_thermal: 0, sync_boost: 0, board_limit: 0 },
  xid: [],
};

const faults: [string, Facts][] = [
  ['vbios:sound', {}],
  ['ecc-corrected:+4000', { ecc_corrected_during_run: 4000 }],
  ['ecc-uncorrected:+1', { ecc_uncorrected_during_run: 1 }],
  ['pcie-replays:+250', { pcie_replays_during_run: 250 }],
  ['row-remap-correctable:+2', { row_remaps_during_run: { ...sound.row_remaps_during_run, correctable: 2 } }],
  ['row-remap-uncorrectable:+1', { row_remaps_during_run: { ...sound.row_remaps_during_run, uncorrectable: 1 } }],
  ['row-remap-pending:+1', { row_remaps_during_run: { ...sound.row_remaps_during_run, pending: true } }],
  ['row-remap-failure:+1', { row_remaps_during_run: { ...sound.row_remaps_during_run, failure: true } }],
  ...(['crc-flit', 'replay', 'recovery'] as const).map((kind): [string, Facts] => {
    const grown = { [kind.replace('-', '_')]: 7 };
    return [
      `nvlink-${kind}:+7`,
      { nvlink_errors_during_run: { ...noErrors, ...grown }, nvlink_error_links: [{ link: 2, ...grown }] },
    ];
  }),
  ['nvlink-inactive:+2', { nvlink_lost_during_run: [16, 17] }],
  ['violation-power:+300000000', { throttle_seconds: { ...sound.throttle_seconds, sw_power_cap: 0.3 } }],
  ['violation-board:+100000000', { throttle_seconds: { ...sound.throttle_seconds, board_limit: 0.1 } }],
  ['xid:79', { xid: ['79'] }],
  // What was counted before the run is not the run's.
  ['pcie-replays:90000', {}],
];

test('NVIDIA: each fault that begins during the run changes the one record that tells it, on its card alone', async () => {
  const cards = await recordedWith(
    'nvidia',
    faults.map(([fault]) => fault),
  );
  for (const [card, [fault, changed]] of faults.entries()) {
    const record = cards[card] ?? {};
    for (const [name, fact] of Object.entries({ ...sound, ...changed }))
      assert.deepEqual(record[name], fact, `${fault}: ${name}`);
    const problems = Object.keys(objectOf(record, 'health_problems'));
    const unread = Object.entries(noErrors).flatMap(([name, count]) => (count === null ? name : []));
    assert.deepEqual(
      problems,
      unread.map((name) => `nvlink_errors_during_run.${name}`),
      fault,
    );
  }
});

test('NVIDIA: Blackwell’s links have counters of their own, Ampere’s all the older ones', async () => {
  const kinds = ['recovery-failed', 'receive', 'integrity', 'overrun', 'malformed', 'discards', 'recovery'];
  const blackwell = await recordedWith(
    'nvidia',
    kinds.map((kind) => `nvlink-${kind}:+3`),
    { ARCH: 'sm_100' },
  );
  for (const [card, kind] of kinds.entries()) {
    const name = kind.replace('-', '_');
    const all = objectOf(blackwell[card], 'nvlink_errors_during_run');
    assert.deepEqual(blackwell[card]?.['nvlink_error_links'], [{ link: 2, [name]: 3 }], kind);
    assert.deepEqual([all[name], all['crc_flit'], all['replay']], [3, null, null], kind);
  }
  const ampere = await recordedWith('nvidia', ['nvlink-crc-data:+3', 'nvlink-ecc:+2'], { ARCH: 'sm_80' });
  assert.equal(objectOf(ampere[0], 'nvlink_errors_during_run')['crc_data'], 3);
  assert.equal(objectOf(ampere[1], 'nvlink_errors_during_run')['ecc'], 2);
});

test('NVIDIA: a counter that is broken, went back or is refused has no growth, and the reason says which', async () => {
  const absurd: [string, string, RegExp][] = [
    ['ecc-corrected:+4294967295', 'ecc_corrected_during_run', /^not a plausible value: 4294967295$/],
    ['pcie-replays:+4294967295', 'pcie_replays_during_run', /^not a plausible value/],
    ['violation-power:+86400000000000', 'throttle_seconds.sw_power_cap', /^not a plausible value: 86400 s$/],
    ['ecc-uncorrected:-9', 'ecc_uncorrected_during_run', /^the counter went back during the run$/],
    ['row-remap-correctable:none', 'row_remaps_during_run', /^not on this card$/],
    ['nvlink-replay:denied', 'nvlink_errors_during_run.replay', /^$/],
    ['xid:denied', 'xid', /gets no events/],
  ];
  const cards = await recordedWith(
    'nvidia',
    absurd.map(([fault]) => fault),
  );
  for (const [card, [fault, name, reason]] of absurd.entries()) {
    const problems = objectOf(cards[card], 'health_problems');
    // Links that answer make up for one that does not.
    if (fault.startsWith('nvlink')) assert.equal(problems[name], undefined, fault);
    else assert.match(String(problems[name]), reason, fault);
  }
});

test('NVIDIA: each reason to throttle has its name, and a mask of all bits has none', async () => {
  // nvmlClocksEventReason*, without "idle"
  const reasons = {
    2: 'application_clocks',
    4: 'sw_power_cap',
    8: 'hw_slowdown',
    16: 'sync_boost',
    32: 'sw_thermal',
    64: 'hw_thermal',
    128: 'power_brake',
    256: 'display_clocks',
  };
  const bits = [...Object.keys(reasons), '18446744073709551615'];
  const cards = await recordedWith(
    'nvidia',
    bits.map((mask) => `throttle-bits:${mask}`),
  );
  const told = cards.map(({ throttle }) => throttle);
  // At rest there is no reason, so that the last one's are known to be none.
  assert.deepEqual(told, [...Object.values(reasons).map((name) => [name]), []]);
});

test('NVIDIA: a driver without the newer calls leaves only their records without a value', async () => {
  const machine: Machine = { drivers: ['nvidia-without-nvml', 'nvml-old'], sim: { DRIVER: '12040', DEVICES: '2' } };
  const [record] = await recorded(machine);
  const problems = objectOf(record, 'health_problems');
  assert.equal(problems['xid'], 'this driver or this user gets no events of the card');
  assert.match(String(problems['throttle_seconds']), /not in this driver/);
  assert.deepEqual(record?.['row_remaps_during_run'], sound.row_remaps_during_run);
  assert.equal(objectOf(record, 'nvlink_errors_during_run')['replay'], 0, 'the fields tell what the call does not');
});

test('the record of a real card with every fact at its longest is within the limits of an upload', async () => {
  const kinds = ['crc-flit', 'crc-data', 'replay', 'recovery', 'ecc'];
  const FAULT = [...kinds.map((kind) => `nvlink-${kind}:+1000000000`), 'gsp:0', 'xid:79'].join();
  const machine: Machine = { drivers: ['nvidia'], sim: { ARCH: 'sm_80', LINKS: '36', DEVICES: '5', FAULT } };
  const run = await runOn(machine, [
    'run',
    '--device',
    String((await idsOn(machine))[0]),
    '--benchmarks',
    'clock,energy',
  ]);
  const [device] = run.devices;
  assert.ok(device !== undefined);
  assert.equal((device.attributes['nvlink'] as Facts[]).length, 36);
  const real = JSON.parse(readFileSync(realCard, 'utf8')) as RealCard;
  const measured = real.rounds[0]?.turns[0]?.run.results ?? [];
  assert.ok(measured.length > 30);
  const results = measured.map((result) => {
    const details = result.metric === 'temperature_centigrade' ? run.result(result.metric).details : {};
    return { ...result, device_id: device.device_id, details: { ...result.details, ...details } };
  });
  const readings = Array.from({ length: MOST_POINTS }, (_, index): RunnerEvent => ({
    schema: runnerSchema,
    event: 'telemetry',
    t_ms: 1234.5 * index,
    device_id: device.device_id,
    power_watts: 687.123,
    temperature_celsius: 61.5,
    clock_mhz: 1980,
    memory_clock_mhz: 3201,
    memory_temperature_celsius: 70,
    throttle: ['sw_power_cap'],
  }));
  const record = assembleQuickMark([device, ...results, ...readings], device.device_id);
  assert.equal(overBounds(record, sizeCaps.device), null);
});

test('AMD: errors of memory, blocks and links and PCIe replays during the run, and the time under each limit', async () => {
  const changes: [string, Facts][] = [
    ['vbios:sound', {}],
    ['pcie-replays:+6', { pcie_replays_during_run: 6 }],
    ['ras-uncorrected:+2', { ras_during_run: { corrected: 0, uncorrected: 2, deferred: null } }],
    [
      'xgmi-corrected:+5',
      {
        ras_during_run: { corrected: 5, uncorrected: 0, deferred: null },
        xgmi_errors_during_run: { corrected: 5, uncorrected: 0 },
      },
    ],
  ];
  const quiet = {
    ecc_corrected_during_run: 0,
    ecc_uncorrected_during_run: 0,
    pcie_replays_during_run: 0,
    ras_during_run: { corrected: 0, uncorrected: 0, deferred: null },
    xgmi_errors_during_run: { corrected: 0, uncorrected: 0 },
    throttle_seconds: null,
  };
  const cards = await recordedWith(
    'amd',
    changes.map(([fault]) => fault),
  );
  for (const [card, [fault, changed]] of changes.entries()) {
    for (const [name, fact] of Object.entries({ ...quiet, ...changed }))
      assert.deepEqual(cards[card]?.[name], fact, `${fault}: ${name}`);
  }
  // gpu_metrics 1.6: ticks at 32, residencies from 36 on. A file that does not change has no time.
  const metrics = Buffer.alloc(300);
  metrics.writeUInt16LE(300, 0);
  metrics.writeUInt8(1, 2);
  metrics.writeUInt8(6, 3);
  const { devices } = await runOn({ drivers: ['amd'] }, ['--list']);
  const path = join(
    root,
    'bus/pci/devices',
    String(devices.find(({ vendor, status }) => vendor === 'amd' && status === 'ok')?.pci_id),
    'gpu_metrics',
  );
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, metrics);
  const [still] = await recorded({ drivers: ['amd'] }, ['--sysfs-root', root]);
  assert.equal(objectOf(still, 'health_problems')['throttle_seconds'], 'the counter did not move during the run');
});
