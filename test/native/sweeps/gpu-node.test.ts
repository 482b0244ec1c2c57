// A node of several simulated cards as the agent measures it: the order of the parts, what stands beside what, and what happens
// to one card. Never a speed.
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runQuickMark } from '../../../agent/benchmarks/run-quick-mark.ts';
import { listDevices } from '../../../agent/kernels/list-devices.ts';
import type { RunEvent } from '../../../agent/run/run-event.ts';
import { quickMarkResults } from '../../../coordinator/contract/quick-mark.ts';
import { runnerOn, type Machine } from '../simulated-gpus.ts';

/** Architectures without matrix units, whose instructions are slow to simulate. */
const NVIDIA = { drivers: ['nvidia'], sim: { ARCH: 'sm_70' } } satisfies Machine;
const AMD = { drivers: ['amd'], sim: { ARCH: 'gfx1030' } } satisfies Machine;

/** A program that runs the runner on this machine, for the agent to start. */
async function runnerFor(machine: Machine): Promise<string> {
  const { path, options } = await runnerOn(machine);
  const program = join(mkdtempSync(join(tmpdir(), 'node-of-cards-')), 'runner');
  const settings = Object.entries(options.env).map(([name, value]) => `export ${name}='${value}'\n`);
  writeFileSync(program, `#!/bin/sh\n${settings.join('')}exec '${path}' "$@"\n`);
  chmodSync(program, 0o755);
  return program;
}

async function measure(machine: Machine, count: number, fault = '') {
  const sim = { ...machine.sim, DEVICES: String(count), ...(fault === '' ? {} : { FAULT: fault }) };
  const runner_path = await runnerFor({ ...machine, sim });
  const devices = (await listDevices(runner_path)).filter(({ vendor, status }) => vendor !== 'cpu' && status === 'ok');
  const events: RunEvent[] = [];
  const outcome = await runQuickMark({
    runner_path,
    devices,
    tier: 'quick',
    engine: 'own',
    max_seconds: 2,
    signal: new AbortController().signal,
    emit: (event) => events.push(event),
    onProgress: () => undefined,
    onStart: () => undefined,
  });
  const { test_results } = quickMarkResults.parse(outcome.results);
  const details = (place: number, metric: string) =>
    (test_results[place]?.details[metric] ?? {}) as { cards_at_work?: number; throttle?: string[]; value?: number };
  return { outcome, events, entries: test_results, details };
}

for (const [machine, count] of [
  [NVIDIA, 2],
  [AMD, 4],
  [NVIDIA, 8],
  [AMD, 16],
] as const) {
  test(`${count} ${machine.drivers.join()} cards: headlines of all at work, host copies of each alone, every figure of the gap told`, async () => {
    const { outcome, events, entries, details } = await measure(machine, count);
    assert.deepEqual(outcome.failures, []);
    assert.equal(entries.length, count);
    for (const [place, entry] of entries.entries()) {
      for (const metric of [
        'memory_bandwidth_gbs',
        'fp32_tflops',
        'fma_fp32_tflops',
        'kernel_launch_overhead_us',
        'clock_ghz',
      ])
        assert.equal(details(place, metric).cards_at_work, count, `${metric} of ${place}`);
      for (const metric of ['host_to_device_bandwidth_gbs', 'device_to_host_bandwidth_gbs'] as const) {
        assert.equal(details(place, metric).cards_at_work, 1, `${metric} of ${place}`);
        assert.equal(entry[metric], entry.together?.[metric]?.alone);
      }
      assert.equal(entry.memory_bandwidth_gbs, entry.together?.['memory_bandwidth_gbs']?.value);
      for (const metric of ['memory_bandwidth_gbs', 'host_to_device_bandwidth_gbs'])
        assert.ok((entry.together?.[metric]?.alone ?? 0) > 0, `${metric} of ${place}`);
      // Brief loads, which are compared with nothing.
      for (const metric of ['fma_fp32_tflops', 'bf16_tflops']) assert.equal(entry.together?.[metric], undefined);
      assert.ok((entry.energy_consumption_wh ?? 0) > 0 && (entry.temperature_centigrade ?? 0) > 0);
    }
    assert.equal(outcome.matrix?.length, count * (count - 1));
    const stages = events.flatMap((event) => (event.type === 'stage' && event.state === 'start' ? [event.stage] : []));
    assert.deepEqual(stages, ['together', 'turns', 'matrix']);
  });
}

test('a card that is throttled while all work is named, with the reason, and the others are not', async () => {
  const { entries, details } = await measure(NVIDIA, 3, 'throttle-thermal@1');
  assert.ok(details(1, 'temperature_centigrade').throttle?.includes('hw_thermal'));
  const found = entries.map(({ health }) => health?.map(({ rule, evidence }) => [rule, evidence]));
  assert.deepEqual(found, [[], [['slowed_most_of_run', found[1]?.[0]?.[1]]], []]);
  assert.match(found[1]?.[0]?.[1] ?? '', /slowed the card down: hardware thermal slowdown, \d/);
});

test('a card lost while all work leaves the others whole: figures of fewer cards at work, turns and copies without it', async () => {
  const { outcome, entries, details } = await measure(NVIDIA, 3, 'card-lost@1:20');
  assert.match(outcome.warnings.join(), /GPU 1\b/);
  assert.equal(entries[1]?.memory_bandwidth_gbs, null);
  assert.equal(entries[1]?.together, undefined);
  for (const place of [0, 2]) {
    assert.ok(
      (entries[place]?.memory_bandwidth_gbs ?? 0) > 0 && (entries[place]?.host_to_device_bandwidth_gbs ?? 0) > 0,
    );
    // The lost card answers its benchmarks at once, but it answers them: it is still counted in its run.
    assert.ok([2, 3].includes(details(place, 'memory_bandwidth_gbs').cards_at_work ?? 0));
    assert.equal(details(place, 'clock_ghz').cards_at_work, 2);
  }
  assert.deepEqual(
    outcome.matrix?.map((cell) => cell.source_gpu.slice(0, 6)),
    ['GPU-01', 'GPU-03'],
  );
});
