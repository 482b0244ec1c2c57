import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gpuPeaks } from '../../../coordinator/figures/gpu-peaks.ts';
import { bandOf, judgeByBand } from '../../../coordinator/figures/plausibility.ts';
import { specPeak, type ComputedBy } from '../../../coordinator/figures/spec-peak.ts';

const H100 = 'NVIDIA H100 80GB HBM3';
const peakOf = (model: string, metric: string, by: Partial<ComputedBy> = {}): number | null =>
  specPeak(model, metric, { mode: null, path: null, ...by })?.tflops ?? null;

test('fp32 is held against tf32 where it ran on matrix units, against the lanes where it did not, and not where nobody says', () => {
  assert.equal(peakOf(H100, 'fp32_tflops', { mode: 'tf32' }), 494.7);
  assert.equal(peakOf(H100, 'fp32_tflops', { mode: 'simt' }), 66.9);
  assert.equal(peakOf(H100, 'fp32_tflops'), null);
  assert.equal(peakOf(H100, 'fp32_cuda_core_tflops', { mode: 'simt' }), 66.9);
  // Turing has no tf32: nothing of that name is on its sheet
  assert.equal(peakOf('Tesla T4', 'fp32_tflops', { mode: 'tf32' }), null);
});

test('fp64 is held against the matrix units unless it ran on the lanes, and the lanes where no unit does fp64', () => {
  assert.equal(peakOf(H100, 'fp64_tflops', { path: 'cublasLt' }), 66.9);
  assert.equal(peakOf(H100, 'fp64_tflops', { path: 'simt' }), 33.5);
  assert.equal(peakOf(H100, 'fp64_tflops'), null);
  assert.equal(peakOf('Tesla V100-SXM2-16GB', 'fp64_tflops', { path: 'cublasLt' }), 7.8);
  // MI250X: 95.7 on both dies
  assert.equal(peakOf('AMD Instinct MI250X', 'fp64_tflops', { path: 'mfma' }), 47.85);
  assert.equal(peakOf('AMD Instinct MI300X', 'fp64_tflops', { path: 'simt' }), 81.7);
});

test('each type has its own column; mixed precision takes fp16, the issue probe the column of its type', () => {
  const columns = ['fp16', 'bf16', 'fp8', 'mixed_precision'].map((type) => peakOf(H100, `${type}_tflops`));
  assert.deepEqual(columns, [989.4, 989.4, 1978.9, 989.4]);
  const issue = ['fp16', 'bf16', 'fp8', 'tf32', 'fp64'].map((type) => peakOf(H100, `matrix_issue_${type}_tflops`));
  assert.deepEqual(issue, [989.4, 989.4, 1978.9, 494.7, 66.9]);
  assert.equal(peakOf('AMD Instinct MI100', 'bf16_tflops'), 92.3);
});

test('no rate is invented: an unknown model, a slice, an unpublished or disputed figure and what is no throughput have none', () => {
  assert.equal(peakOf('NVIDIA Z999', 'bf16_tflops'), null);
  assert.equal(peakOf('NVIDIA A100-SXM4-40GB MIG 1g.5gb', 'bf16_tflops'), null);
  assert.equal(peakOf('NVIDIA A100-SXM4-40GB', 'fp8_tflops'), null);
  assert.equal(peakOf('NVIDIA RTX PRO 6000 Blackwell Server Edition', 'bf16_tflops'), null, 'uncertain');
  assert.equal(peakOf('NVIDIA B200', 'fp64_tflops', { path: 'cublasLt' }), null, 'sheets say 37 and 40');
  assert.equal(peakOf(H100, 'memory_bandwidth_gbs'), null);
});

test('fp64 on matrix units is twice the lanes where it is more, within the rounding of the sheets', () => {
  let compared = 0;
  for (const { name, architecture, fp64_tflops: lanes, fp64_matrix_tflops: matrix } of gpuPeaks) {
    if (matrix === null) continue;
    assert.ok(lanes !== null, name);
    const factor = Math.round(matrix / lanes);
    const doubled = ['sm_80', 'sm_90', 'gfx90a', 'gfx942'].includes(architecture) && lanes > 1;
    assert.equal(factor, doubled ? 2 : 1, name);
    assert.ok(Math.abs(matrix / (factor * lanes) - 1) < 0.02, `${name}: ${matrix} of ${lanes}`);
    compared += 1;
  }
  assert.ok(compared >= 20, `${compared} models compared`);
});

test('our kernels are not held against what libraries reach: the card is not suspect for a kernel', () => {
  // 0.65 x 989.4 = 643.1 is what libraries reach less a tenth; 0.05 x 989.4 = 49.5
  const verdict = (engine: 'own' | 'vendor', value: number): string => {
    const band = bandOf(H100, 'bf16_tflops', { engine }) ?? assert.fail();
    return judgeByBand(value, band).verdict;
  };
  assert.deepEqual([verdict('vendor', 600), verdict('own', 600)], ['warn', 'ok']);
  assert.deepEqual([verdict('own', 49), verdict('own', 1089), verdict('vendor', 1089)], ['warn', 'bad', 'bad']);
});

test('the issue probe cannot pass the boost clock either', () => {
  const band = bandOf(H100, 'matrix_issue_bf16_tflops') ?? assert.fail();
  // 1.10 x 989.4 = 1088.3
  assert.deepEqual([judgeByBand(1060, band).verdict, judgeByBand(1090, band).verdict], ['ok', 'bad']);
});
