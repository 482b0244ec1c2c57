// Facts about a card from each vendor's telemetry: ECC, temperatures, throttle reasons, processors.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { ofKind } from '../built-runner.ts';
import { type Machine, runOn } from '../simulated-gpus.ts';
import { simFolder } from './vendor-engine.ts';

const root = mkdtempSync(join(tmpdir(), 'gpumark-amd-'));
after(() => rmSync(root, { recursive: true, force: true }));

const first = async (machine: Machine, args: readonly string[] = []) => {
  const { devices } = await runOn(machine, ['--list', ...args]);
  const device = devices.find((one) => one.vendor !== 'cpu' && one.status === 'ok');
  assert.ok(device !== undefined, devices.map((one) => one.detail).join());
  return device;
};
const clock = (backend: string, ...more: string[]): string[] => [
  'run',
  '--device',
  backend,
  '--benchmarks',
  'clock,energy',
  ...more,
];

/** A file of the device in a tree that stands in for /sys. */
function put(tree: string, pci: string, name: string, content: string | Buffer): string {
  const path = join(root, tree, 'bus/pci/devices', pci, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return join(root, tree);
}

test('AMD: ECC is reported by ROCm SMI, not by HIP, which returns no for every card', async () => {
  assert.equal((await first({ drivers: ['amd'] })).attributes['ecc_mode'], 'enabled');
  assert.equal((await first({ drivers: ['amd'], sim: { ARCH: 'gfx1100' } })).attributes['ecc_mode'], 'disabled');
});

test('AMD without a sensor library: ECC from the kernel’s RAS mask, unknown without one', async () => {
  const machine: Machine = { drivers: ['amd-without-smi'] };
  const { pci_id, attributes } = await first(machine);
  assert.equal(attributes['ecc_mode'], null);
  const tree = put('ras', String(pci_id), 'ras/features', 'feature mask: 0x3fff\n');
  const { devices } = await runOn(machine, ['run', '--device', 'rocm', '--benchmarks', 'clock', '--sysfs-root', tree]);
  assert.equal(devices[0]?.attributes['ecc_mode'], 'enabled');
});

test('AMD SMI of ROCm 10 (libamd_smi.so.27) is found, and gives energy, temperatures and ECC', async () => {
  const machine: Machine = {
    drivers: ['amd-without-smi'],
    sim: { GPUMARK_TEST_LIBRARIES: await simFolder('amd-smi-27') },
  };
  const { result, devices } = await runOn(machine, clock('rocm', '--time-scale', '0.3'));
  assert.deepEqual([devices[0]?.attributes['telemetry'], devices[0]?.attributes['ecc_mode']], ['AMD SMI', 'enabled']);
  const { value, details } = result('energy_consumption_wh');
  assert.ok((value ?? 0) > 0);
  assert.match(String(details['source']), /^AMD SMI energy accumulator/);
  // 35 and 40 degrees at rest, 25 and 30 more at full load; AMD SMI tells degrees, where ROCm SMI tells thousandths.
  const { value: celsius, details: heat } = result('temperature_centigrade');
  assert.ok((celsius ?? 0) >= 35 && (celsius ?? 0) <= 60, `${celsius}`);
  assert.ok(
    Number(heat['memory_celsius']) >= 40 && Number(heat['memory_celsius']) <= 70,
    String(heat['memory_celsius']),
  );
  // The memory is 5 degrees warmer and more, so that one sensor read for the other shows.
  assert.ok(Number(heat['memory_celsius']) - (celsius ?? 0) >= 3, `${celsius} ${String(heat['memory_celsius'])}`);
});

test('AMD: throttle reasons come from the kernel’s gpu_metrics', async () => {
  const machine: Machine = { drivers: ['amd'] };
  const { pci_id } = await first(machine);
  // gpu_metrics 1.3: size, format, content; at 112 the independent status, here bits 36 (hotspot) and 0 (power).
  const metrics = Buffer.alloc(120);
  metrics.writeUInt16LE(120, 0);
  metrics.writeUInt8(1, 2);
  metrics.writeUInt8(3, 3);
  metrics.writeBigUInt64LE((1n << 36n) | 1n, 112);
  const tree = put('throttle', String(pci_id), 'gpu_metrics', metrics);
  const { result, events } = await runOn(machine, clock('rocm', '--sysfs-root', tree));
  assert.deepEqual(result('temperature_centigrade').details['throttle'], ['sw_power_cap', 'sw_thermal']);
  assert.ok(ofKind(events, 'telemetry').every((one) => one.throttle?.includes('sw_thermal')));
});

test('RDNA: HIP counts work-group processors; the compute units of the data sheet are twice as many, and both are labelled', async () => {
  const { attributes: rdna } = await first({ drivers: ['amd'], sim: { ARCH: 'gfx1100' } });
  assert.equal(rdna['sm_kind'], 'work-group processors');
  assert.equal(rdna['workgroup_processors'], rdna['sm_count']);
  assert.equal(rdna['compute_units'], 2 * Number(rdna['sm_count']));
  const { attributes: cdna } = await first({ drivers: ['amd'], sim: { ARCH: 'gfx942' } });
  assert.deepEqual(
    [cdna['sm_kind'], cdna['compute_units'], cdna['workgroup_processors']],
    ['compute units', cdna['sm_count'], null],
  );
});

test('NVIDIA: the memory’s temperature is reported, and the hottest of the run is kept', async () => {
  const { result, events } = await runOn({ drivers: ['nvidia'] }, clock('cuda', '--time-scale', '0.3'));
  const told = ofKind(events, 'telemetry').map((one) => one.memory_temperature_celsius ?? 0);
  // 40 degrees at rest, 30 more at full load.
  assert.ok(told.length > 0 && told.every((celsius) => celsius >= 40 && celsius <= 70), told.join());
  // Readings at the edges of the loads count, but are not emitted.
  assert.ok(Number(result('temperature_centigrade').details['memory_celsius']) >= Math.max(...told));
});

test('NVIDIA: a driver that has only the newer calls gives temperature and throttle reasons all the same', async () => {
  const sim = { FAULT: 'nvml-new-calls-only,throttle-thermal' };
  const { result } = await runOn({ drivers: ['nvidia'], sim }, clock('cuda', '--time-scale', '0.5'));
  const { value, details } = result('temperature_centigrade');
  assert.ok((value ?? 0) > 80);
  assert.deepEqual(details['throttle'], ['hw_slowdown', 'sw_thermal', 'hw_thermal']);
});

test('NVIDIA: from Hopper on the slowdown is a margin, labelled as one; before, a temperature', async () => {
  const limits = async (ARCH: string) => {
    const { attributes } = await first({ drivers: ['nvidia'], sim: { ARCH } });
    return [attributes['temperature_slowdown_celsius'], attributes['temperature_slowdown_tlimit_celsius']];
  };
  assert.deepEqual(await limits('sm_90'), [null, -2]);
  assert.deepEqual(await limits('sm_80'), [87, null]);
});

test('NVIDIA: all 36 links of a card are counted', async () => {
  const { attributes } = await first({ drivers: ['nvidia'], sim: { ARCH: 'sm_100', DEVICES: '2', LINKS: '36' } });
  assert.equal(attributes['nvlink_active'], 36);
});

test('NVIDIA: a PCIe link that is slower or narrower while it copies is reported as it is then', async () => {
  const sim = { FAULT: 'pcie-generation:3,pcie-width:8' };
  const { result } = await runOn({ drivers: ['nvidia'], sim }, ['run', '--device', 'cuda', '--benchmarks', 'link']);
  assert.deepEqual(result('host_to_device_bandwidth_gbs').details['pcie_under_load'], {
    generation_max: 5,
    generation_current: 3,
    width_max: 16,
    width_current: 8,
  });
});

test('a slice of a card has its own free memory and no power cap; the card’s cap is labelled as the card’s', async () => {
  const { attributes, memory_bytes } = await first({ drivers: ['nvidia'], sim: { MIG: '1' } });
  // Of 32 MiB; the card has seven times as much.
  assert.ok(Number(attributes['memory_free_bytes']) <= Number(memory_bytes));
  assert.deepEqual([attributes['power_cap_watts'], attributes['card_power_cap_watts']], [null, 450]);
});

for (const [what, ARCH, DRIVER, path] of [
  ['a B200 on R570', 'sm_100', '12080', 'tcgen05'],
  ['a B300 on R575', 'sm_103', '12090', 'tcgen05'],
  ['an RTX PRO 6000 on R570', 'sm_120', '12080', 'mma.sync'],
  ['a GB10 on R580', 'sm_121', '13000', 'mma.sync'],
] as const) {
  test(`${what} multiplies fp8 with its own instructions`, async () => {
    const machine: Machine = { drivers: ['nvidia'], sim: { ARCH, DRIVER } };
    const { result, devices, exitCode } = await runOn(machine, ['run', '--device', 'cuda', '--benchmarks', 'gemm_fp8']);
    assert.equal(exitCode, 0);
    assert.ok((result('fp8_tflops').value ?? 0) > 0);
    assert.equal(result('fp8_tflops').details['path'], path);
    // The image that it came from is its own architecture's: sm_89's PTX has fp8 too, which ptxas makes conversions of there.
    const { own } = result('fp8_tflops').details['engines'] as { own: Record<string, unknown> };
    assert.equal(own['image'], `${ARCH}a ${DRIVER === '13000' ? 'cubin' : 'ptx, compiled by the driver'}`);
    assert.equal(devices.length, 1);
  });
}
