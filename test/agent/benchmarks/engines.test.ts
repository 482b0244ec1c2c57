import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { quickMarkResults } from '../../../coordinator/contract/quick-mark.ts';
import { fakeRunner, runnerCalls } from '../support/fake-runner.ts';
import { gemmGpu } from '../support/gemm-gpu.ts';
import { eventsOf, exitCodeOf, hostWithRunner, summaryOf } from '../support/run-harness.ts';
import type { FakeGpu } from '../support/fake-gpus.ts';
import type { TestHost } from '../support/test-host.ts';

const machine = (t: TestContext, gpus: FakeGpu[]) => ({
  ...hostWithRunner(t, { gpus }),
  system_root: '/nonexistent',
});
const bf16Of = (host: TestHost, place = 0) =>
  summaryOf(host).devices[place]?.metrics.find((one) => one.metric === 'bf16_tflops') ?? assert.fail();
function resultsOf(host: TestHost) {
  const measured = eventsOf(host).findLast((event) => event['type'] === 'measurement');
  return quickMarkResults.parse((measured?.['results'] as { quick_mark: unknown } | undefined)?.quick_mark);
}

test('a matrix product says its engine, its share of the published rate and what the other engine reached', async (t) => {
  const host = machine(t, [gemmGpu('GPU-1', { vendor: 715, own: 690 })]);
  assert.equal(await exitCodeOf(host, null), 0);
  // H100 SXM: 989.4 TFLOP/s published; 715 / 989.4 = 0.7227
  const beside = { engine: 'vendor', fraction_of_spec_peak: 0.7227, spec_peak_tflops: 989.4 };
  const { engine, fraction_of_spec_peak, spec_peak_tflops, other_engine_tflops } = bf16Of(host);
  assert.deepEqual({ engine, fraction_of_spec_peak, spec_peak_tflops }, beside);
  assert.equal(other_engine_tflops, 690);
  const { test_results, aggregate_results, engine_choice } = resultsOf(host);
  const { load, burst, ...others } = test_results[0]?.gemm?.['bf16_tflops'] ?? assert.fail();
  // The fake runner's burst is a tenth above its figure.
  assert.deepEqual([others, load, burst?.n, burst?.tflops.toFixed(1)], [beside, 'sustained', 50, '786.5']);
  const details = test_results[0]?.details['bf16_tflops'] as Record<string, unknown>;
  assert.deepEqual([details['engine'], details['fraction_of_spec_peak'], details['k']], ['vendor', 0.7227, 8192]);
  assert.deepEqual([aggregate_results.engines?.['bf16_tflops'], engine_choice], ['vendor', 'auto']);
  const line = eventsOf(host).find((event) => event['type'] === 'result' && event['metric'] === 'bf16_tflops');
  assert.deepEqual([line?.['engine'], line?.['other_engine_tflops']], ['vendor', 690]);
});

test('--engine reaches each run of all devices, the record and the result; the default leaves the option out', async (t) => {
  const gpus = [gemmGpu('GPU-1', { vendor: null, own: 690 }), gemmGpu('GPU-2', { vendor: null, own: 691 })];
  const host = machine(t, gpus);
  assert.equal(await exitCodeOf(host, null, { engine: 'own' }), 0);
  const runs = runnerCalls(host.folder).filter((call) => call.startsWith('run '));
  assert.deepEqual(
    runs.map((call) => /--engine \w+/.exec(call)?.[0]),
    ['--engine own', '--engine own'],
  );
  assert.deepEqual([summaryOf(host).engine, resultsOf(host).engine_choice], ['own', 'own']);
  assert.equal(eventsOf(host).find((event) => event['type'] === 'run')?.['engine'], 'own');
  const before = runnerCalls(host.folder).length;
  assert.equal(await exitCodeOf(host, null), 0);
  for (const call of runnerCalls(host.folder).slice(before)) assert.doesNotMatch(call, /--engine/);
});

test('the processor has no library of a vendor: asking for it ends with 2 before anything is measured', async (t) => {
  const host = machine(t, []);
  assert.equal(await exitCodeOf(host, null, { engine: 'vendor', device: 'cpu' }), 2);
  assert.match(summaryOf(host).error?.message ?? '', /gpumark's own kernels only/);
  assert.deepEqual(runnerCalls(host.folder), []);
});

test('engines more than 15 % apart are a remark with both figures, and neither a warning nor a failure', async (t) => {
  const eight = (own: number) =>
    Array.from({ length: 8 }, (_, index) => gemmGpu(`GPU-${index + 1}`, { vendor: 715, own }));
  const host = machine(t, eight(600));
  // 1 - 600 / 715 = 16.1 %
  assert.equal(await exitCodeOf(host, null), 0);
  assert.deepEqual(summaryOf(host).warnings, []);
  assert.deepEqual(
    [bf16Of(host).verdict, bf16Of(host).reason, bf16Of(host).value],
    [
      'ok',
      "the vendor's library 715, gpumark's own kernels 600 TFLOP/s: 16.1 % apart, limit 15 %; a kernel of ours may not suit this card",
      715,
    ],
  );
  assert.equal(resultsOf(host).test_results[7]?.verdicts?.['bf16_tflops']?.verdict, 'ok');
  // 1 - 610 / 715 = 14.7 %
  fakeRunner(host.folder, { gpus: eight(610) });
  assert.equal(await exitCodeOf(host, null), 0);
  assert.equal(bf16Of(host).reason, null);
  fakeRunner(host.folder, { gpus: [gemmGpu('GPU-1', { vendor: 700, own: 860 })] });
  assert.equal(await exitCodeOf(host, null), 0);
  assert.match(bf16Of(host).reason ?? '', /18\.6 % apart.*the library may be too old for this card/);
});

test('cards measured by different engines are not compared with each other, their other figures are', async (t) => {
  const gpus = [1, 2, 3].map((place) => gemmGpu(`GPU-${place}`, { vendor: 715, own: 700 }));
  // 12 % less than its peers, by our kernels: the difference of two programs
  gpus.push(gemmGpu('GPU-4', { vendor: null, own: 630 }, { memory: 2500 }));
  const host = machine(t, gpus);
  assert.equal(await exitCodeOf(host, null), 3);
  const figure = bf16Of(host, 3);
  assert.deepEqual([figure.verdict, figure.judged_by.includes('peers')], ['ok', false]);
  assert.equal(
    figure.reason,
    "not compared with the other cards of this model: measured with gpumark's own kernels, there with the vendor's library; run with --engine own on both to compare",
  );
  assert.ok(bf16Of(host, 0).judged_by.includes('peers'), 'the three of one engine are');
  const memory = summaryOf(host).devices[3]?.metrics.find((one) => one.metric === 'memory_bandwidth_gbs');
  assert.deepEqual([memory?.verdict, memory?.rule], ['bad', 'peers']);
  const { rule } = resultsOf(host).test_results[3]?.verdicts?.['bf16_tflops'] ?? assert.fail();
  assert.match(rule, /^passed: spread, spec band \(not compared with the other cards/);
});

test('sums over cards of both engines stand, are marked as mixed with a sentence, and are a warning', async (t) => {
  const host = machine(t, [gemmGpu('GPU-1', { vendor: 715, own: 700 }), gemmGpu('GPU-2', { vendor: null, own: 699 })]);
  assert.equal(await exitCodeOf(host, null), 3);
  const { aggregate_results, test_results } = resultsOf(host);
  assert.equal(aggregate_results.bf16_tflops, 1414);
  assert.equal(aggregate_results.engines?.['bf16_tflops'], 'mixed');
  assert.match(aggregate_results.notes?.[0] ?? '', /^bf16_tflops: measured with the vendor's library on some devices/);
  assert.deepEqual(
    test_results.map((device) => device.engine),
    // fp32 of the fake runner is by our kernels on both
    [null, 'own'],
  );
  assert.deepEqual(summaryOf(host).warnings, [
    "GPU 1: bf16: 1 measured with the vendor's library, 1 with gpumark's own kernels: the sums mix both.",
  ]);
});

test('a baseline of another engine is refused for that figure with a sentence, the others are compared', async (t) => {
  const host = machine(t, [gemmGpu('GPU-1', { vendor: 715, own: 700 })]);
  assert.equal(await exitCodeOf(host, null), 0);
  const baseline = join(host.folder, 'baseline.json');
  writeFileSync(baseline, host.out());
  const measurement = eventsOf(host).find((event) => event['type'] === 'measurement');
  const upload = join(host.folder, 'upload.json');
  writeFileSync(upload, JSON.stringify({ benchmark_results: measurement?.['results'] }));
  // by our kernels 19 % worse, which is still what a healthy H100 reaches, and the memory 10 %
  fakeRunner(host.folder, { gpus: [gemmGpu('GPU-1', { vendor: null, own: 580 }, { memory: 2655 })] });
  for (const file of [baseline, upload]) {
    assert.equal(await exitCodeOf(host, null, { baseline: file }), 3);
    const figure = bf16Of(host);
    assert.deepEqual([figure.verdict, figure.judged_by.includes('baseline')], ['ok', false], file);
    assert.match(
      figure.reason ?? '',
      /(?:^|; )not compared with the baseline .*json: measured with gpumark's own kernels, there with the vendor's library; run with --engine own on both to compare$/,
    );
    const memory = summaryOf(host).devices[0]?.metrics.find((one) => one.metric === 'memory_bandwidth_gbs');
    assert.deepEqual([memory?.verdict, memory?.rule], ['bad', 'baseline']);
  }
});

test('a baseline older than the engine field is one of our kernels', async (t) => {
  const host = machine(t, [gemmGpu('GPU-1', { vendor: null, own: 700 })]);
  assert.equal(await exitCodeOf(host, null), 0);
  const baseline = join(host.folder, 'baseline.json');
  writeFileSync(baseline, JSON.stringify(summaryOf(host)).replaceAll('"engine":"own"', '"without":"own"'));
  fakeRunner(host.folder, { gpus: [gemmGpu('GPU-1', { vendor: null, own: 600 })] });
  assert.equal(await exitCodeOf(host, null, { baseline }), 3);
  assert.deepEqual([bf16Of(host).verdict, bf16Of(host).rule], ['bad', 'baseline'], '14.3 % worse');
});
