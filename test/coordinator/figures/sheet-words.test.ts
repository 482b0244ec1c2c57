import assert from 'node:assert/strict';
import { test } from 'node:test';
import { healthyRange, meansByBasis, sheetWords } from '../../../coordinator/figures/sheet-words.ts';

test('a share of a sheet is named with the peak and, where cards of the model were measured, what healthy ones reach', () => {
  const range = healthyRange('NVIDIA H100 80GB HBM3', 'bf16_tflops');
  assert.equal(sheetWords(0.7156, '989.4', range), "72 % of the sheet's 989.4; healthy cards 65 to 80 %");
  // No card of it was measured, or it is a part of one, or no model at all.
  for (const model of ['NVIDIA B200', 'NVIDIA H100 80GB HBM3 MIG 1g.10gb', 'Card of tomorrow']) {
    assert.equal(healthyRange(model, 'bf16_tflops'), null);
    assert.equal(sheetWords(0.7156, '989.4', null), "72 % of the sheet's 989.4");
  }
});

test('fp32 products have the range of the arithmetic that they ran in, and none where devices differ', () => {
  const of = (arithmetic: 'tf32' | 'ieee fp32' | 'mixed' | null): unknown =>
    healthyRange('NVIDIA H200', 'fp32_tflops', arithmetic);
  const tf32 = healthyRange('NVIDIA H200', 'tf32_tflops') ?? assert.fail();
  assert.deepEqual(of('tf32'), { ...tf32, figure: 'fp32_tflops' });
  const { low, high } = healthyRange('NVIDIA H200', 'fp32_ieee_tflops') ?? assert.fail();
  const ieee = healthyRange('NVIDIA H200', 'fp32_tflops', 'ieee fp32');
  assert.deepEqual([ieee?.low, ieee?.high], [low, high]);
  assert.deepEqual([of('mixed'), of(null)], [null, null]);
});

test('ratios to peers and shares of the sheet have a mean each, since they are different things', () => {
  const found = meansByBasis([
    { ratio: 0.9, basis: 'peers' },
    { ratio: 0.4, basis: 'peers' },
    { ratio: 0.71, basis: 'spec' },
    { ratio: null, basis: 'none' },
  ]);
  // sqrt(0.9 x 0.4) = 0.6
  assert.deepEqual([found.peers?.mean.toFixed(6), found.peers?.n], ['0.600000', 2]);
  assert.deepEqual([found.spec?.mean.toFixed(6), found.spec?.n], ['0.710000', 1]);
  assert.deepEqual(meansByBasis([]), { peers: null, spec: null });
});
