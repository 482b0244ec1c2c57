import assert from 'node:assert/strict';
import { test } from 'node:test';
import { togetherFindings } from '../../../coordinator/figures/judge-together.ts';

const verdictOf = (metric: string, value: number | null, alone: number | null) =>
  togetherFindings({ [metric]: { value, alone } }).map(({ verdict, reason }) => [verdict, reason]);

test('a figure on the card may lose 5 % while all work, is doubtful beyond, and bad beyond 10 %', () => {
  for (const metric of ['bf16_tflops', 'memory_bandwidth_gbs', 'fma_fp32_tflops']) {
    assert.deepEqual(verdictOf(metric, 101, 100), [['ok', null]]);
    assert.deepEqual(verdictOf(metric, 95.1, 100), [['ok', null]]);
    assert.deepEqual(verdictOf(metric, 94.9, 100), [['warn', '5.1 % below the same alone, limit 5 %']]);
    assert.deepEqual(verdictOf(metric, 89.9, 100), [['bad', '10.1 % below the same alone, limit 10 %']]);
  }
});

test('copies with the host, whose lanes the cards of many servers share, are doubtful beyond 10 % and never bad', () => {
  for (const metric of ['host_to_device_bandwidth_gbs', 'device_to_host_bandwidth_gbs']) {
    assert.deepEqual(verdictOf(metric, 50, 55), [['ok', null]]);
    assert.deepEqual(verdictOf(metric, 27, 54), [['warn', '50.0 % below the same alone, limit 10 %']]);
  }
});

test('without one of the two figures there is no finding', () => {
  for (const [value, alone] of [
    [null, 100],
    [100, null],
    [100, 0],
  ] as const)
    assert.deepEqual(verdictOf('bf16_tflops', value, alone), []);
});
