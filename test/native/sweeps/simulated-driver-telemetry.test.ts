import assert from 'node:assert/strict';
import { test } from 'node:test';
import { execa } from 'execa';
import { runClient, type SimulatedVendor } from '../simulated-driver.ts';

const seen = new Map<string, Promise<Record<string, unknown>>>();
const telemetry = (vendor: SimulatedVendor, fault = ''): Promise<Record<string, unknown>> =>
  seen.getOrInsertComputed(`${vendor} ${fault}`, () => ask(vendor, fault, 'telemetry'));
/** All but energy, in less time. */
const briefly = (fault: string): Promise<Record<string, unknown>> => ask('nvidia', fault, 'telemetry-briefly');

async function ask(vendor: SimulatedVendor, fault: string, command: string): Promise<Record<string, unknown>> {
  const { stdout, stderr, exitCode } = await runClient(vendor, command, fault ? { GPUMARK_SIM_FAULT: fault } : {});
  assert.equal(exitCode, 0, stderr);
  const read: Record<string, unknown> = JSON.parse(stdout);
  return read;
}

/** Ratio of the counter's energy to the integrated power, at work. */
function ratio(read: Record<string, unknown>): number {
  return Number(read['busy_joules_per_second']) / Number(read['busy_watts']);
}

for (const vendor of ['nvidia', 'amd'] as const) {
  test(`${vendor}: power follows the load, and the energy counter is its integral`, async () => {
    const read = await telemetry(vendor);
    assert.ok(Math.abs(Number(read['idle_watts']) - 70) < 1, JSON.stringify(read));
    // Busy except between launches.
    assert.ok(Number(read['busy_watts']) > 250 && Number(read['busy_watts']) <= 400.001, JSON.stringify(read));
    // The window begins and ends between two refreshes: at most one more or less, 0.1 s of 1.2.
    assert.ok(Math.abs(ratio(read) - 1) < 0.1, JSON.stringify(read));
  });

  test(`${vendor}: a wrong counter is three times the integral, a stuck one does not move`, async () => {
    assert.ok(Math.abs(ratio(await telemetry(vendor, 'wrong-energy')) - 3) < 0.3);
    assert.equal((await telemetry(vendor, 'stuck-energy'))['busy_joules_per_second'], 0);
  });
}

test('a sound card reports no throttle reason, no errors, and this process as the only one', async () => {
  const read = await telemetry('nvidia');
  assert.equal(read['throttle'], 0);
  assert.equal(read['uncorrected'], 0);
  assert.equal(read['processes'], 1);
  assert.equal(read['clock_mhz'], 1000);
  assert.equal(read['power_cap_watts'], 450);
  assert.equal(read['uuid'], 'GPU-0151d0de-514d-4000-8000-514d551a7ed0');
});

test('heat sets the thermal bits, a cap its own, and both lower the clock', async () => {
  const hot = await briefly('throttle-thermal');
  // HW slowdown 0x8, SW thermal 0x20, HW thermal 0x40
  assert.equal(hot['throttle'], 0x68);
  assert.equal(hot['clock_mhz'], 600);
  assert.ok(Number(hot['celsius']) >= 87);
  const capped = await briefly('power-cap');
  assert.equal(capped['throttle'], 0x4);
  assert.equal(capped['power_cap_watts'], 200);
  assert.ok(Number(capped['busy_watts']) <= 200.001);
});

test('a lost card is lost to NVML too; NVML may be forbidden, broken or missing', async () => {
  assert.equal((await briefly('card-lost@0:1'))['energy_code'], 15);
  assert.deepEqual(await briefly('nvml-no-permission'), { init: 4 });
  assert.deepEqual(await briefly('nvml-missing'), { init: 12 });
  const { stdout: installed } = await execa('/sbin/ldconfig', ['-p']);
  for (const [vendor, folder] of [
    ['nvidia', 'nvidia-without-nvml'],
    ['amd', 'amd-without-smi'],
  ] as const) {
    const { stdout } = await runClient(vendor, 'telemetry', {}, folder);
    // The machine may have ROCm's own library without a driver for it: RSMI_STATUS_INIT_ERROR.
    const isInstalled = vendor === 'amd' && installed.includes('librocm_smi64.so');
    assert.deepEqual(JSON.parse(stdout), isInstalled ? { init: 8 } : { library: false });
  }
});

test('memory held by other processes is not free, and its holder is listed besides this process', async () => {
  const taken = await briefly('memory-taken');
  assert.equal(taken['processes'], 2);
});

test('two cards are joined by all their links, many by switches, and cards without links or apart by PCIe', async () => {
  const links = async (devices: number, env: Record<string, string> = {}) =>
    (await runClient('nvidia', 'links', { GPUMARK_SIM_DEVICES: String(devices), ...env })).stdout;
  // 18 links of an sm_90; levels: 10 one switch of PCIe; P2P status 0 yes, 5 no.
  assert.equal(await links(2), '18x00000000:19:00.0 level 10 nvlink 0 rank 0');
  assert.equal(await links(4), '6x00000000:19:00.0 6x00000000:28:00.0 6x00000000:37:00.0 level 10 nvlink 0 rank 0');
  assert.equal(
    await links(8),
    '5x00000000:F0:00.0 5x00000000:F1:00.0 4x00000000:F2:00.0 4x00000000:F3:00.0 level 10 nvlink 0 rank 0',
  );
  assert.equal(await links(2, { GPUMARK_SIM_ARCH: 'sm_89' }), 'level 10 nvlink 5 rank 1');
  assert.equal(await links(2, { GPUMARK_SIM_FAULT: 'no-peer@1' }), 'level 10 nvlink 5 rank 1');
});
