import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gpuPeaks } from '../../../coordinator/figures/gpu-peaks.ts';
import { type CameAbout, isYardstick, referenceOf } from '../../../coordinator/figures/references.ts';

const H100 = 'NVIDIA H100 80GB HBM3';
const library: CameAbout = { engine: 'vendor', arithmetic: null, load: 'sustained' };
const basisOf = (model: string, metric: string, how: Partial<CameAbout> = {}): string | null =>
  referenceOf(model, metric, { ...library, ...how })?.basis ?? null;

test('a figure is held to what a healthy card reached in the same way, within what cards of one model are apart', () => {
  const reference = referenceOf(H100, 'bf16_tflops', library) ?? assert.fail();
  assert.deepEqual([reference.value, reference.cards, reference.basis], [677, 1, 'measured']);
  // One card beside another: 7 standard deviations of 1.55 %.
  assert.ok(Math.abs(reference.low / 677 - (1 - 7 * 0.0155)) < 0.005);
  assert.ok(Math.abs((reference.high ?? 0) / 677 - (1 + 7 * 0.0155)) < 0.005);
  assert.match(reference.source, /native\/results.*2026-11-27/);
  // A bandwidth follows the clock of the memory: 0.95, the least that is told.
  const memory = referenceOf(H100, 'memory_bandwidth_gbs', { engine: null, arithmetic: null, load: null });
  assert.deepEqual([memory?.value, memory?.low, memory?.basis], [3017, 2866.15, 'measured']);
});

test('another engine, arithmetic or load has no measured reference, and a settled load is a sustained one', () => {
  assert.equal(basisOf(H100, 'bf16_tflops', { load: 'settled' }), 'measured');
  for (const load of ['burst', 'brief', 'mixed', null] as const)
    assert.equal(basisOf(H100, 'tf32_tflops', { load }), 'sheet', String(load));
  for (const engine of ['own', 'mixed', null] as const)
    assert.equal(basisOf(H100, 'tf32_tflops', { engine }), 'sheet', String(engine));
  assert.equal(referenceOf(H100, 'fp32_tflops', { ...library, arithmetic: 'tf32' })?.value, 345);
  assert.equal(basisOf(H100, 'fp32_tflops', { arithmetic: 'ieee fp32' }), 'sheet', 'on the lanes it was too brief');
  assert.equal(basisOf(H100, 'fp32_tflops', { arithmetic: 'mixed' }), null);
  assert.equal(basisOf(H100, 'fp64_tflops', { path: 'cublas' }), 'measured');
  assert.equal(basisOf(H100, 'fp64_tflops', { path: 'simt' }), 'sheet', 'on the lanes');
});

test('the median of other customers comes before our own cards, for models without a sheet too', () => {
  const given = { median: 700, customers: 5, machines: 8 };
  const reference = referenceOf(H100, 'bf16_tflops', library, given) ?? assert.fail();
  // 1 - 4.6 x 1.55 %
  assert.deepEqual([reference.value, reference.low, reference.cards, reference.basis], [700, 651, 8, 'customers']);
  assert.match(reference.source, /5 customers with 8 machines/);
  assert.equal(referenceOf('Card of tomorrow', 'bf16_tflops', library, given)?.value, 700);
  assert.equal(referenceOf('Card of tomorrow', 'bf16_tflops', library), null);
  assert.equal(referenceOf(`${H100} MIG 1g.10gb`, 'bf16_tflops', library), null, 'a part of a card');
});

test('nothing is good beside a published run or a bare peak; below their floor a card is suspect', () => {
  const published = referenceOf('NVIDIA B200', 'bf16_tflops', library) ?? assert.fail();
  assert.deepEqual(
    [published.basis, published.value, published.cards, isYardstick(published)],
    ['published', 1745, 0, false],
  );
  assert.match(published.source, /mamf-finder/);
  const peak = referenceOf('NVIDIA A40', 'memory_bandwidth_gbs', library) ?? assert.fail();
  assert.deepEqual([peak.basis, peak.value, peak.high, isYardstick(peak)], ['sheet', 696, null, false]);
  assert.equal(basisOf('NVIDIA B200', 'memory_bandwidth_gbs'), null, 'sheets say 8000 and 7700');
  for (const { name, source } of gpuPeaks) assert.ok(source.length > 0, name);
});

test('only a card of a model that we measured has a yardstick without other customers', () => {
  for (const [model, isKnown] of [
    [H100, true],
    ['NVIDIA H200', true],
    ['NVIDIA H800', false],
    ['NVIDIA A100-SXM4-80GB', false],
    ['NVIDIA GeForce RTX 4090', false],
    ['AMD Instinct MI300X', false],
  ] as const)
    for (const metric of ['bf16_tflops', 'memory_bandwidth_gbs']) {
      const reference = referenceOf(model, metric, library) ?? assert.fail(model);
      assert.equal(isYardstick(reference), isKnown, `${model} ${metric}`);
    }
});
