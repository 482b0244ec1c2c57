import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeDevice } from '../../../agent/benchmarks/judge-figures.ts';
import { figureWarnings } from '../../../agent/benchmarks/warn-of-figures.ts';
import type { Finding } from '../../../coordinator/figures/judge-figure.ts';
import { noGemm } from '../support/no-gemm.ts';

const METRICS = ['memory_bandwidth_gbs', 'memory_copy_gbs', 'memory_latency_ns', 'l2_latency_ns', 'l2_bandwidth_gbs'];
const figure = (metric: string, cv: number, value: number | null = 10) => ({
  metric,
  value,
  unit: 'GB/s',
  reason: value === null ? 'the card was lost' : null,
  n: 11,
  cv,
  verified: null,
  core_share: null,
  ...noGemm,
  absence: value === null ? ('failed' as const) : null,
});
const card = (index: number, cv: number, findings: Finding[] = []) =>
  judgeDevice(
    { device_id: `GPU-${index}`, name: 'H100', vendor: 'nvidia', simulated: false },
    METRICS.map((metric) => figure(metric, cv)),
    findings,
  );
const behind = (metric: string, percent: number, verdict: 'warn' | 'bad'): Finding => ({
  metric,
  verdict,
  rule: 'peers',
  reason: `${percent} % behind the median`,
});

test('eight cards that spread are one warning, in words and without a list of every figure', () => {
  const cards = Array.from({ length: 8 }, (_, index) => card(index + 1, 0.08));
  assert.deepEqual(figureWarnings(cards), [
    'all 8 GPUs: memory bandwidth, memory copy, memory latency and 2 more: spread above 5 %: other work on it or unsteady clocks',
  ]);
});

test('cards are named by their places in the result, from 0, as on every other surface', () => {
  const noisy = (places: number[]) =>
    figureWarnings(Array.from({ length: 8 }, (_, index) => card(index, places.includes(index) ? 0.08 : 0)));
  assert.match(noisy([2, 5, 7])[0] ?? '', /^GPU 2, GPU 5 and GPU 7: /);
  assert.match(noisy([2, 5])[0] ?? '', /^GPU 2 and GPU 5: /);
  assert.match(noisy([2])[0] ?? '', /^GPU 2: /);
});

test('the worst finding of a rule stands in full, the others are named', () => {
  const slow = card(2, 0, [behind('memory_copy_gbs', 4, 'warn'), behind('memory_bandwidth_gbs', 9, 'bad')]);
  assert.deepEqual(figureWarnings([card(1, 0), slow]), [
    'GPU 1: memory bandwidth: 9 % behind the median; likewise memory copy',
  ]);
});

test('each rule is a separate warning, and a card already reported is not reported again', () => {
  const both = card(1, 0.08, [behind('memory_copy_gbs', 9, 'bad')]);
  assert.equal(figureWarnings([both]).length, 2);
  const dead = judgeDevice({ device_id: 'GPU-1', name: 'H100', vendor: 'nvidia', simulated: false }, []);
  assert.deepEqual(figureWarnings([dead]), ['GPU 0: nothing could be measured']);
  assert.deepEqual(figureWarnings([dead], new Set(['GPU-1'])), []);
  const lost = judgeDevice({ device_id: 'GPU-1', name: 'H100', vendor: 'nvidia', simulated: false }, [
    figure('memory_copy_gbs', 0),
    figure('memory_bandwidth_gbs', 0, null),
  ]);
  assert.deepEqual(figureWarnings([lost], new Set(['GPU-1'])), ['GPU 0: memory bandwidth: the card was lost']);
});
