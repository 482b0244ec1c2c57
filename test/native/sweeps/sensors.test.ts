import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { runRunner } from '../../../agent/kernels/run-runner.ts';
import type { RunnerEvent } from '../../../agent/kernels/runner-events.ts';
import { built, ofKind } from '../built-runner.ts';

const root = mkdtempSync(join(tmpdir(), 'gpumark-sysfs-'));
after(() => rmSync(root, { recursive: true, force: true }));
let runner = '';
before(async () => {
  runner = await built('gpumark-runner');
});

/** Replaces a file of a fake sysfs in one step, so that no reader sees it empty. */
function put(tree: string, path: string, content: string | number): void {
  const target = join(root, tree, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(`${target}.new`, `${content}\n`);
  renameSync(`${target}.new`, target);
}

function putDomain(tree: string, domain: string, name: string, energy: number): void {
  put(tree, `class/powercap/${domain}/name`, name);
  put(tree, `class/powercap/${domain}/max_energy_range_uj`, 1_000_000_000);
  put(tree, `class/powercap/${domain}/energy_uj`, energy);
}

/** Runs with the fake tree; `change` is called once, at the first event that `when` accepts. */
async function run(tree: string, benchmarks: string, when: (event: RunnerEvent) => boolean, change: () => void) {
  const events: RunnerEvent[] = [];
  let changed = false;
  const args = ['run', '--benchmarks', benchmarks, '--sysfs-root', join(root, tree), '--time-scale', '0.3'];
  for await (const event of runRunner({ path: runner, args, deadline_seconds: 240 })) {
    events.push(event);
    if (changed || !when(event)) continue;
    changed = true;
    change();
  }
  assert.ok(changed);
  const result = (metric: string) => ofKind(events, 'result').find((event) => event.metric === metric);
  return { events, result };
}

test('energy is the difference of all packages, over a wrap of the counter, without counting parts twice', async () => {
  putDomain('wrap', 'intel-rapl:0', 'package-0', 999_000_000);
  putDomain('wrap', 'intel-rapl:1', 'package-1', 10_000_000);
  putDomain('wrap', 'intel-rapl:0:0', 'core', 5_000_000);
  putDomain('wrap', 'intel-rapl:2', 'psys', 1_000_000);
  const { result, events } = await run(
    'wrap',
    'gemm_fp64,energy',
    (event) => event.event === 'sample',
    () => {
      putDomain('wrap', 'intel-rapl:0', 'package-0', 500_000);
      putDomain('wrap', 'intel-rapl:1', 'package-1', 12_000_000);
      putDomain('wrap', 'intel-rapl:0:0', 'core', 900_000_000);
      putDomain('wrap', 'intel-rapl:2', 'psys', 900_000_000);
    },
  );
  // package-0: (1000 - 999) J up to the wrap + 0.5 J after it; package-1: 12 - 10 J. 1.5 + 2 = 3.5 J; / 3600 = Wh.
  const energy = result('energy_consumption_wh')?.value ?? 0;
  assert.ok(Math.abs(energy - 3.5 / 3600) < 1e-11, `${energy}`);
  // All of it during the multiplications: their mean power is 3.5 J over their time.
  const power = result('power_consumption_watts');
  const seconds = Number(power?.details['load_seconds']);
  assert.ok(
    seconds > 0.5 && Math.abs((power?.value ?? 0) * seconds - 3.5) < 1e-6,
    `${power?.value} W for ${seconds} s`,
  );
  const times = ofKind(events, 'telemetry').map((event) => event.t_ms);
  assert.ok(times.length >= 3, 'power is reported during the run');
  assert.ok(
    times.every((time, index) => index === 0 || time - (times[index - 1] ?? 0) > 100),
    'at most 10 times a second',
  );
});

test('temperature is the hottest plausible processor sensor of the run', async () => {
  put('warm', 'class/hwmon/hwmon0/name', 'nvme');
  put('warm', 'class/hwmon/hwmon0/temp1_input', 99_000);
  put('warm', 'class/hwmon/hwmon1/name', 'k10temp');
  put('warm', 'class/hwmon/hwmon1/temp1_input', 61_500);
  put('warm', 'class/hwmon/hwmon1/temp2_input', 0);
  put('warm', 'class/hwmon/hwmon1/temp3_input', 127_000);
  const { result } = await run(
    'warm',
    'clock,energy',
    (event) => event.event === 'sample',
    () => {
      put('warm', 'class/hwmon/hwmon1/temp1_input', 70_250);
    },
  );
  assert.equal(result('temperature_centigrade')?.value, 70.25);
});

test('a thermal zone is used if there is no hwmon sensor', async () => {
  put('zone', 'class/thermal/thermal_zone0/type', 'x86_pkg_temp');
  put('zone', 'class/thermal/thermal_zone0/temp', 48_000);
  const { result } = await run(
    'zone',
    'clock,energy',
    (event) => event.event === 'phase',
    () => undefined,
  );
  assert.equal(result('temperature_centigrade')?.value, 48);
});

test('an unreadable counter gives no energy at all rather than that of the other package', async () => {
  putDomain('closed', 'intel-rapl:0', 'package-0', 1_000_000);
  put('closed', 'class/powercap/intel-rapl:1/name', 'package-1');
  const { result } = await run(
    'closed',
    'clock,energy',
    (event) => event.event === 'phase',
    () => {
      putDomain('closed', 'intel-rapl:0', 'package-0', 2_000_000);
    },
  );
  assert.equal(result('energy_consumption_wh')?.value, null);
  assert.match(result('energy_consumption_wh')?.reason ?? '', /not readable/);
  assert.equal(result('energy_consumption_wh')?.details['absence'], 'hardware');
});

test('a counter that stops being readable during the run is a failure, not a machine without one', async () => {
  putDomain('lost', 'intel-rapl:0', 'package-0', 1_000_000);
  const { result } = await run(
    'lost',
    'clock,energy',
    (event) => event.event === 'sample',
    () => {
      rmSync(join(root, 'lost/class/powercap/intel-rapl:0/energy_uj'));
    },
  );
  assert.match(result('energy_consumption_wh')?.reason ?? '', /became unreadable/);
  assert.equal(result('energy_consumption_wh')?.details['absence'], 'failed');
});

test('a machine without sensors gives a reason for each of the three figures', async () => {
  const { result, events } = await run(
    'bare',
    'clock,energy',
    (event) => event.event === 'phase',
    () => undefined,
  );
  assert.match(result('power_consumption_watts')?.reason ?? '', /no RAPL/);
  assert.match(result('energy_consumption_wh')?.reason ?? '', /no RAPL/);
  assert.match(result('temperature_centigrade')?.reason ?? '', /no processor temperature sensor/);
  for (const metric of ['power_consumption_watts', 'energy_consumption_wh', 'temperature_centigrade']) {
    assert.equal(result(metric)?.details['absence'], 'hardware', metric);
  }
  assert.equal(ofKind(events, 'telemetry').length, 0);
});

test('power needs a load to be the mean of', async () => {
  putDomain('idle', 'intel-rapl:0', 'package-0', 1_000_000);
  const { result } = await run(
    'idle',
    'clock,energy',
    (event) => event.event === 'sample',
    () => {
      putDomain('idle', 'intel-rapl:0', 'package-0', 3_000_000);
    },
  );
  assert.match(result('power_consumption_watts')?.reason ?? '', /no load ran long enough/);
  assert.equal(result('power_consumption_watts')?.details['absence'], 'failed');
  // 3 - 1 J over the run.
  assert.ok(Math.abs((result('energy_consumption_wh')?.value ?? 0) - 2 / 3600) < 1e-11);
});
