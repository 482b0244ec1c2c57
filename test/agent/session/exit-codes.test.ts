import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { resultsRequest } from '../../../coordinator/contract/agent-protocol.ts';
import { deviceMetrics } from '../../../coordinator/contract/quick-mark.ts';
import type { ExitError } from '../../../agent/run/exit-error.ts';
import { runOptions } from '../../../agent/cli/options.ts';
import { runCommand } from '../../../agent/cli/run-command.ts';
import { fakeCoordinator, refused } from '../support/fake-coordinator.ts';
import { exitCodeOf, hostWithRunner, jsonFlags, shortLimits, summaryOf } from '../support/run-harness.ts';
import { jobToken } from '../support/test-host.ts';

test('an unreachable coordinator ends with 7 after the retry time, with nothing measured and --offline named', async (t) => {
  const host = hostWithRunner(t);
  await assert.rejects(
    runCommand(
      host,
      runOptions(host, { ...jsonFlags, apiKey: jobToken('http://127.0.0.1:9') }, undefined),
      shortLimits,
    ),
    (error: ExitError) => {
      assert.equal(error.code, 7);
      assert.match(error.message, /nothing was measured/);
      assert.match(error.remedy ?? '', /--offline/);
      return true;
    },
  );
  assert.ok(!host.out().includes('"phase"'));
  assert.equal(summaryOf(host).outcome, 'failed');
});

for (const [status, code] of [
  [401, 'CLIENT_TOKEN_INVALID'],
  [409, 'JOB_FULL'],
  [409, 'JOB_NOT_ACTIVE'],
  [409, 'RESOURCE_ALREADY_EXISTS'],
] as const) {
  test(`${code} at registration ends with 4, at once and with a remedy`, async (t) => {
    await using coordinator = await fakeCoordinator();
    coordinator.answer = (name) => (name === 'register' ? refused(status, code) : undefined);
    const host = hostWithRunner(t);
    assert.equal(await exitCodeOf(host, jobToken(coordinator.url)), 4);
    assert.equal(coordinator.named('register').length, 1);
    assert.ok(summaryOf(host).error?.remedy);
  });
}

test('if another agent holds the machine the run waits, and the message names GPUMARK_MACHINE_ID', async (t) => {
  await using coordinator = await fakeCoordinator();
  coordinator.answer = (name, count) =>
    name === 'register' && count < 2 ? refused(409, 'MACHINE_ALREADY_ACTIVE', { 'retry-after': '0' }) : undefined;
  const host = hostWithRunner(t);
  assert.equal(
    await exitCodeOf(
      host,
      jobToken(coordinator.url),
      {},
      { ...shortLimits, register_ms: 10_000, machine_active_ms: 10_000 },
    ),
    0,
  );
  assert.equal(coordinator.named('register').length, 3);
  assert.match(host.out(), /GPUMARK_MACHINE_ID/);
});

test('a stop requested by the coordinator ends the run with 4', async (t) => {
  await using coordinator = await fakeCoordinator();
  coordinator.answer = (name, _count, body) =>
    name === 'heartbeat' && body['phase'] === 'measuring'
      ? {
          status: 200,
          body: {
            heartbeat_seconds: 10,
            lease_seconds: 45,
            task_state: 'running',
            job_state: 'aborted',
            stop: { reason: 'aborted by its owner' },
          },
        }
      : undefined;
  const host = hostWithRunner(t, { run: 'wait' });
  assert.equal(await exitCodeOf(host, jobToken(coordinator.url)), 4);
  assert.match(summaryOf(host).error?.message ?? '', /aborted by its owner/);
});

test('a wrong result ends with 6, is delivered as failed and never as a figure', async (t) => {
  await using coordinator = await fakeCoordinator();
  const host = hostWithRunner(t, { run: 'wrong' });
  assert.equal(await exitCodeOf(host, jobToken(coordinator.url)), 6);
  assert.equal(coordinator.named('results')[0]?.body['state'], 'failed');
  const { payload } = resultsRequest.parse(coordinator.named('results')[0]?.body);
  const [device] = payload?.benchmark_results.quick_mark.test_results ?? [];
  assert.deepEqual(
    deviceMetrics.flatMap((metric) => device?.[metric] ?? []),
    [],
  );
  assert.equal(device?.unavailable['fp32_tflops'], 'differs from its reference');
  assert.equal(coordinator.named('fail')[0]?.body['state'], 'failed');
  assert.equal(summaryOf(host).devices[0]?.verdict, 'bad');
});

test('a runner that dies ends the run with 6, and the coordinator is notified', async (t) => {
  await using coordinator = await fakeCoordinator();
  const host = hostWithRunner(t, { run: 'crash' });
  assert.equal(await exitCodeOf(host, jobToken(coordinator.url)), 6);
  assert.equal(coordinator.named('fail').length, 1);
  assert.match(summaryOf(host).error?.remedy ?? '', /^It may be damaged or built for another processor/);
});

test('a runner that is killed for memory ends the run with 6 and says what to do', async (t) => {
  const host = hostWithRunner(t, { run: 'killed' });
  assert.equal(await exitCodeOf(host, null), 6);
  assert.match(summaryOf(host).error?.message ?? '', /SIGKILL, as Linux does when memory runs out/);
  assert.match(summaryOf(host).error?.remedy ?? '', /^Free memory, or raise the limit/);
});

test('without a usable device the run ends with 5 before anything is registered', async (t) => {
  await using coordinator = await fakeCoordinator();
  const host = hostWithRunner(t, { cpu: 'error', cards: 'no-driver' });
  // No /sys, so that a card of the machine that runs the test does not matter.
  assert.equal(await exitCodeOf({ ...host, system_root: host.folder }, jobToken(coordinator.url)), 5);
  assert.equal(coordinator.calls.length, 0);
  assert.match(summaryOf(host).error?.remedy ?? '', /no-driver of the test/);
});

test('a broken GPU ends a job and a quick test with 5 before anything is registered; --device cpu measures on purpose', async (t) => {
  await using coordinator = await fakeCoordinator();
  for (const cards of ['error', 'driver-too-old'] as const) {
    const host = hostWithRunner(t, { cards });
    assert.equal(await exitCodeOf(host, jobToken(coordinator.url)), 5);
    assert.equal(await exitCodeOf(host, null), 5);
    assert.equal(coordinator.calls.length, 0);
    assert.match(summaryOf(host).error?.message ?? '', new RegExp(`cuda: ${cards} \\(${cards} of the test\\)`));
    assert.equal(await exitCodeOf(host, null, { device: 'cpu' }), 0);
  }
});

test('a card on the PCI bus without a driver ends with 5', async (t) => {
  const host = hostWithRunner(t, { cards: 'no-driver' });
  const slot = join(host.folder, 'sys/bus/pci/devices/0000:17:00.0');
  mkdirSync(slot, { recursive: true });
  writeFileSync(join(slot, 'vendor'), '0x10de\n');
  writeFileSync(join(slot, 'class'), '0x030200\n');
  const machine = { ...host, system_root: host.folder };
  assert.equal(await exitCodeOf(machine, null), 5);
  assert.match(summaryOf(host).error?.remedy ?? '', /nvidia-driver.*--device cpu/);
});

test('a device that does not exist is named and ends with 2', async (t) => {
  const host = hostWithRunner(t);
  assert.equal(await exitCodeOf(host, null, { device: 'cuda-7' }), 2);
  assert.match(summaryOf(host).error?.message ?? '', /cuda-7/);
});

test('a device without a driver, requested by name, ends with 5', async (t) => {
  assert.equal(await exitCodeOf(hostWithRunner(t, { cards: 'no-driver' }), null, { device: 'cuda' }), 5);
});

test('a benchmark that the agent lacks is reported as skipped, and the run ends with 3', async (t) => {
  await using coordinator = await fakeCoordinator(['quick_mark', 'moon_phase']);
  const host = hostWithRunner(t);
  assert.equal(await exitCodeOf(host, jobToken(coordinator.url)), 3);
  assert.deepEqual(
    coordinator.named('results').map((call) => [call.body['benchmark_id'], call.body['state']]),
    [
      ['quick_mark', 'completed'],
      ['moon_phase', 'skipped'],
    ],
  );
  assert.equal((coordinator.named('complete')[0]?.body['warnings'] as string[] | undefined)?.length, 1);
});
