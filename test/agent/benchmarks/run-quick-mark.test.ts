import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { runQuickMark } from '../../../agent/benchmarks/run-quick-mark.ts';
import type { QuickMarkOutcome } from '../../../agent/benchmarks/run-quick-mark.ts';
import { listDevices } from '../../../agent/kernels/list-devices.ts';
import { quickMarkResults } from '../../../coordinator/contract/quick-mark.ts';
import { fakeRunner } from '../support/fake-runner.ts';
import type { RunnerScript } from '../support/fake-runner.ts';
import { fakeCoordinator } from '../support/fake-coordinator.ts';
import { exitCodeOf, hostWithRunner, summaryOf } from '../support/run-harness.ts';
import { jobToken, testHost } from '../support/test-host.ts';

/** Measures the fake runner's devices of one backend. */
async function measure(
  t: TestContext,
  script: RunnerScript,
  backend: string,
  stopAfter?: string,
): Promise<QuickMarkOutcome> {
  const path = fakeRunner(testHost(t).folder, script);
  const devices = (await listDevices(path)).filter((device) => device.backend === backend);
  const stop = new AbortController();
  return await runQuickMark({
    runner_path: path,
    devices,
    tier: 'quick',
    engine: 'auto',
    max_seconds: null,
    signal: stop.signal,
    emit: (event) => {
      if (event.type === 'phase' && event.state === 'end' && event.device_id === stopAfter) stop.abort();
    },
    onProgress: () => undefined,
    onStart: () => undefined,
  });
}

test('the figures of two cards add up', async (t) => {
  const { results, failures, warnings } = await measure(t, { cards: 'two' }, 'cuda');
  // 2 x 0.466
  assert.equal(results?.aggregate_results.fp32_tflops, 0.932);
  assert.deepEqual([failures, warnings], [[], []]);
});

test('a card that fails stays in the results, without figures and with its reason, and the node has no sum', async (t) => {
  const { results, failures, warnings } = await measure(t, { cards: 'two', crashing: 'cuda-2' }, 'cuda');
  const { test_results, aggregate_results } = quickMarkResults.parse(results);
  assert.deepEqual(
    test_results.map((entry) => [entry.gpu_id, entry.fp32_tflops]),
    [
      ['cuda-1', 0.466],
      ['cuda-2', null],
    ],
  );
  assert.match(test_results[1]?.unavailable['fp32_tflops'] ?? '', /exit code 3 without a summary/);
  assert.equal(aggregate_results.fp32_tflops, null);
  assert.match(JSON.stringify(aggregate_results['unavailable']), /GPU 1: the runner ended by exit code 3/);
  assert.equal(failures.length, 1);
  assert.match(warnings[0] ?? '', /^GPU 1: the runner ended by exit code 3/);
});

test('nor is a node complete with a card left unmeasured by a stop', async (t) => {
  const { results, warnings } = await measure(t, { cards: 'two', crashing: 'cuda-2' }, 'cuda', 'cuda-1');
  assert.equal(results?.test_results.length, 2);
  assert.match(results?.test_results[1]?.unavailable['fp32_tflops'] ?? '', /stopped before this device/);
  assert.equal(results?.aggregate_results.fp32_tflops, null);
  assert.deepEqual(warnings, []);
});

test('if no device has a figure there is no result', async (t) => {
  assert.equal((await measure(t, { run: 'crash' }, 'cpu')).results, null);
});

test('a node with a failed card ends with 6 and is delivered as failed, with the warning', async (t) => {
  await using coordinator = await fakeCoordinator();
  const host = hostWithRunner(t, { cards: 'two', crashing: 'cuda-1' });
  assert.equal(await exitCodeOf(host, jobToken(coordinator.url)), 6);
  const sent = coordinator.named('results')[0]?.body;
  assert.equal(sent?.['state'], 'failed');
  assert.match(JSON.stringify(sent?.['warnings']), /GPU 0: the runner ended/);
  assert.equal(coordinator.named('complete').length, 0);
});

test('a figure that the runner failed to measure is a warning, one that the hardware lacks is not', async (t) => {
  const host = hostWithRunner(t, { run: 'gap' });
  assert.equal(await exitCodeOf(host, null), 3);
  assert.deepEqual(summaryOf(host).warnings, ['processor: bf16: out of memory.']);
  assert.equal(await exitCodeOf(hostWithRunner(t), null), 0);
});
