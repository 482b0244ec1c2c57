import assert from 'node:assert/strict';
import { test } from 'node:test';
import { saidOnce } from '../../../agent/benchmarks/collect-run.ts';

test('one cause in several benchmarks is one sentence, with their names', () => {
  const dead = 'waiting for the device failed: CUDA_ERROR_LAUNCH_FAILED (719)';
  assert.deepEqual(saidOnce([`clock: ${dead}`, `fma: ${dead}`, 'link: copying failed', `fma: ${dead}`]), [
    `clock, fma: ${dead}`,
    'link: copying failed',
  ]);
});

test('a sentence that names no benchmark stays as it is, also with colons and lines', () => {
  const sentences = ['GPU-1: fell off the bus', 'loading an image\nfailed: 209', ''];
  assert.deepEqual(saidOnce(sentences), sentences);
});
