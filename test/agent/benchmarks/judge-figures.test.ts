import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeDevice } from '../../../agent/benchmarks/judge-figures.ts';
import { cpuQuota } from '../../../coordinator/figures/judge-figure.ts';
import { noGemm } from '../support/no-gemm.ts';
import { problemsOf } from '../support/problems-of.ts';

const figure = (metric: string, rest: object = {}) => ({
  metric,
  value: 10,
  unit: 'GB/s',
  reason: null,
  n: 11,
  cv: 0.01,
  verified: true,
  core_share: null,
  ...noGemm,
  absence: null,
  ...rest,
});
const device = (vendor: string) => ({ device_id: 'd', name: 'D', vendor, simulated: false });

test('a figure that failed its check is shown without its value, and is a problem on any device', () => {
  for (const vendor of ['cpu', 'nvidia']) {
    const judged = judgeDevice(device(vendor), [figure('a'), figure('b', { verified: false })]);
    assert.deepEqual([judged.verdict, judged.metrics[1]?.verdict, judged.metrics[1]?.value], ['bad', 'bad', null]);
    assert.equal(problemsOf([judged]).length, 1);
  }
});

test('a spread of 7 % is doubtful on a card and usual on a processor', () => {
  const noisy = [figure('a', { cv: 0.07 })];
  assert.equal(judgeDevice(device('amd'), noisy).verdict, 'warn');
  assert.equal(problemsOf([judgeDevice(device('amd'), noisy)]).length, 1);
  assert.equal(judgeDevice(device('cpu'), noisy).verdict, 'ok');
});

test('the launch overhead of a card spreads like the processor that launches', () => {
  const verdictAt = (cv: number): string =>
    judgeDevice(device('nvidia'), [figure('kernel_launch_overhead_us', { cv })]).verdict;
  assert.deepEqual([verdictAt(0.07), verdictAt(0.12)], ['ok', 'warn']);
});

test('noise on a processor is marked, and no problem', () => {
  const judged = judgeDevice(device('cpu'), [figure('a', { cv: 0.3 })]);
  assert.equal(judged.verdict, 'warn');
  assert.deepEqual(problemsOf([judged]), []);
});

test('a device without a single figure is a problem, one without some of them is none', () => {
  const absent = figure('a', { value: null, reason: 'no counter', verified: null });
  assert.equal(problemsOf([judgeDevice(device('cpu'), [absent])]).length, 1);
  assert.deepEqual(problemsOf([judgeDevice(device('cpu'), [absent, figure('b')])]), []);
});

test('a figure that could not be measured although the hardware has it is a problem on any device', () => {
  const absent = (absence: 'hardware' | 'failed' | null) =>
    figure('b', { value: null, reason: 'out of memory', verified: null, absence });
  for (const vendor of ['cpu', 'nvidia']) {
    const judged = judgeDevice(device(vendor), [figure('a'), absent('failed')]);
    assert.equal(judged.metrics[1]?.verdict, 'absent');
    assert.deepEqual(problemsOf([judged]), [`${vendor === 'cpu' ? 'processor' : 'GPU 0'}: b: out of memory.`]);
    for (const absence of ['hardware', null] as const)
      assert.deepEqual(problemsOf([judgeDevice(device(vendor), [figure('a'), absent(absence)])]), []);
  }
});

test('figures of a processor whose cgroup leaves its threads less than their cores say so', () => {
  const quota = { cpu_quota: cpuQuota({ cpu_quota_cores: 3.5, threads: 64 }) };
  const words = 'the cgroup of this process has the time of 3.5 cores for 64 threads';
  const judged = judgeDevice(device('cpu'), [figure('a', quota), figure('b', { core_share: 0.05, ...quota })]);
  assert.deepEqual(
    judged.metrics.map(({ verdict, reason }) => [verdict, reason]),
    [
      ['ok', words],
      ['warn', `the threads had their cores only 5 % of the time: ${words}`],
    ],
  );
  // None, one that is not reached, and what is not a quota.
  for (const cores of [null, 64, 100, 0, -1, 'many'])
    assert.equal(cpuQuota({ cpu_quota_cores: cores, threads: 64 }), null);
});

test('a figure whose threads had to share their cores is doubtful, however steady its samples', () => {
  const judged = judgeDevice(device('cpu'), [
    figure('a', { cv: 0.006, core_share: 0.526 }),
    figure('b', { core_share: 0.98 }),
  ]);
  assert.deepEqual(
    judged.metrics.map(({ verdict, reason }) => [verdict, reason]),
    [
      ['warn', 'the threads had their cores only 52 % of the time'],
      ['ok', null],
    ],
  );
});
