import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofKind } from '../built-runner.ts';
import { type Machine, backendOf, runOn, vendors } from '../simulated-gpus.ts';

/** Long enough to judge counters that refresh ten times a second: warm-up and probes take about 3 s. */
const measured = (machine: Machine, vendor: 'nvidia' | 'amd') =>
  runOn(machine, ['run', '--device', backendOf[vendor], '--benchmarks', 'fma,energy', '--time-scale', '0.7']);

const quick = (machine: Machine, vendor: 'nvidia' | 'amd') =>
  runOn(machine, ['run', '--device', backendOf[vendor], '--benchmarks', 'clock,energy']);

const faults = [
  ['stuck-energy', 0],
  ['wrong-energy', 3],
] as const;
const counters = { nvidia: 'NVML total energy counter', amd: 'ROCm SMI energy accumulator' };

for (const vendor of vendors) {
  test(`${vendor}: a sound counter gives energy and mean power of the probes, as the details state`, async () => {
    const { result } = await measured({ drivers: [vendor] }, vendor);
    const [energy, power] = [result('energy_consumption_wh'), result('power_consumption_watts')];
    assert.equal(energy.details['counter_agrees'], true, JSON.stringify(energy.details));
    assert.ok(String(energy.details['source']).startsWith(counters[vendor]));
    assert.equal(energy.value, energy.details['counter_wh']);
    // 70 W at rest and 400 W under load, which the probes are most of the time. The counter and the clock are read one after the
    // other, so the mean can be above by what passes between them.
    assert.ok(Math.abs(Number(energy.details['ratio']) - 1) < 0.1);
    assert.ok((power.value ?? 0) > 200 && (power.value ?? 0) <= 420, `${power.value} W`);
    assert.equal(power.details['load'], 'multiply-add probes');
    assert.ok(Number(power.details['load_seconds']) >= 0.5);
  });
}

const wrong = vendors.flatMap((vendor) => faults.map(([fault, ratio]) => ({ vendor, fault, ratio })));
for (const { vendor, fault, ratio } of wrong) {
  test(`${vendor}: ${fault}: the counter is published with the integral beside it, and marked as disagreeing`, async () => {
    const { result, exitCode } = await measured({ drivers: [vendor], sim: { FAULT: fault } }, vendor);
    assert.equal(exitCode, 0);
    const { value, details } = result('energy_consumption_wh');
    assert.equal(details['counter_agrees'], false);
    // A stuck counter has no energy to publish.
    const [published, source] = ratio === 0 ? ['integrated_wh', 'power integrated'] : ['counter_wh', counters[vendor]];
    assert.equal(value, details[published]);
    assert.ok(String(details['source']).startsWith(source));
    assert.ok(Math.abs(Number(details['ratio']) - ratio) < 0.1 * ratio + 1e-9, String(details['ratio']));
    const watts = (Number(details['integrated_wh']) * 3600) / Number(details['seconds']);
    assert.ok(watts > 100 && watts <= 400, `${watts} W`);
    // So is the mean power: of a counter that counted anything it is the counter's, over a load of two seconds and more.
    const power = result('power_consumption_watts');
    const read = Number(power.details['integrated_watts']);
    assert.ok(read > 200 && read <= 400, `${read} W`);
    const isByCounter = ratio !== 0 && Number(power.details['load_seconds']) >= 2;
    if (isByCounter) {
      assert.ok(String(power.details['source']).startsWith(counters[vendor]));
      assert.equal(power.details['counter_agrees'], false);
      assert.ok(Math.abs((power.value ?? 0) / read - 3) < 0.3, `${power.value} W`);
    } else {
      assert.deepEqual([power.details['source'], power.value], ['power integrated over time', read]);
    }
  });
}

test('a hot card is measured; its throttling is named in the telemetry and in the result', async () => {
  const machine: Machine = { drivers: ['nvidia'], sim: { FAULT: 'throttle-thermal' } };
  // Sensors are read every 200 ms: a second of warm-up is enough to be seen.
  const args = ['run', '--device', 'cuda', '--benchmarks', 'clock,energy', '--time-scale', '0.5'];
  const { result, events, exitCode } = await runOn(machine, args);
  assert.equal(exitCode, 0);
  const { value, details } = result('temperature_centigrade');
  assert.deepEqual(details['throttle'], ['hw_slowdown', 'sw_thermal', 'hw_thermal']);
  assert.ok((value ?? 0) > 80);
  assert.ok(ofKind(events, 'telemetry').some((one) => one.throttle?.includes('hw_thermal')));
  assert.ok((result('clock_ghz').value ?? 0) > 0);
});

test('a card at its power cap reports that reason only', async () => {
  const { result } = await quick({ drivers: ['nvidia'], sim: { FAULT: 'power-cap' } }, 'nvidia');
  assert.deepEqual(result('temperature_centigrade').details['throttle'], ['sw_power_cap']);
});

for (const [machine, problem] of [
  [{ drivers: ['nvidia'], sim: { FAULT: 'nvml-no-permission' } }, /no permission/],
  [{ drivers: ['nvidia'], sim: { FAULT: 'nvml-missing' } }, /NVML/],
  [{ drivers: ['nvidia-without-nvml'] }, /NVML is not installed/],
] as [Machine, RegExp][]) {
  test(`${JSON.stringify(machine)}: everything but the sensors’ figures is measured, and the reason is given`, async () => {
    const { result, devices, exitCode, events } = await quick(machine, 'nvidia');
    assert.equal(exitCode, 0);
    assert.ok((result('clock_ghz').value ?? 0) > 0);
    for (const metric of ['power_consumption_watts', 'energy_consumption_wh', 'temperature_centigrade']) {
      const { value, reason, details } = result(metric);
      assert.deepEqual([value, details['absence']], [null, 'hardware'], metric);
      assert.match(reason ?? '', problem);
    }
    assert.equal(devices[0]?.attributes['telemetry'], null);
    assert.match(String(devices[0]?.attributes['telemetry_problem']), problem);
    assert.equal(result('temperature_centigrade').details['throttle'], null, 'throttle reasons are unknown');
    assert.equal(ofKind(events, 'telemetry').length, 0);
  });
}

test('amd without any sensor library: measured, and the reason is given', async () => {
  const { result, devices } = await quick({ drivers: ['amd-without-smi'] }, 'amd');
  assert.ok((result('clock_ghz').value ?? 0) > 0);
  assert.equal(result('energy_consumption_wh').value, null);
  assert.match(String(devices[0]?.attributes['telemetry_problem']), /neither ROCm SMI nor AMD SMI/);
});
