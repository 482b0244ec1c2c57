import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainPaint } from '../../../agent/ui/paint.ts';
import type { DeviceSummary, MetricSummary } from '../../../agent/run/run-summary.ts';
import { summaryText } from '../../../agent/ui/summary-text.ts';
import { wrapText } from '../../../agent/ui/text-width.ts';
import { noGemm } from '../support/no-gemm.ts';
import { scriptedSummary } from '../support/scripted-summary.ts';

const metric = (name: string, rest: Partial<MetricSummary>): MetricSummary => ({
  metric: name,
  value: null,
  unit: 'GB/s',
  n: null,
  cv: null,
  verdict: 'ok',
  rule: null,
  reason: null,
  judged_by: [],
  absence: null,
  ...noGemm,
  ...rest,
});
const textOf = (metrics: MetricSummary[]): string => {
  const [first] = scriptedSummary.devices;
  assert.ok(first !== undefined);
  const device: DeviceSummary = { ...first, metrics, together: [] };
  return summaryText({ ...scriptedSummary, devices: [device], matrix: null }, plainPaint);
};

test('an unmeasured figure is not a wrong result, however bad the memory', () => {
  const reason = '1 uncorrected memory error during the run';
  const ecc = textOf([metric('memory_bandwidth_gbs', { verdict: 'bad', rule: 'ecc', reason })]);
  assert.match(ecc, /✗ memory bandwidth +not measured: 1 uncorrected memory error/);
  const wrong = textOf([metric('memory_bandwidth_gbs', { verdict: 'bad', rule: 'verification', reason: 'differs' })]);
  assert.match(wrong, /WRONG RESULT: differs/);
});

test('a count has neither decimals nor a unit, and a finding that begins with its rule names it once', () => {
  const text = textOf([
    metric('repeat_checks', { value: 3, unit: 'count' }),
    metric('memory_copy_gbs', { value: 5, verdict: 'warn', rule: 'spread', reason: 'spread above 5 %: why' }),
  ]);
  assert.match(text, /identical repetitions +3 +✓/);
  assert.match(text, /\n +spread above 5 %: why/);
});

test('a device without figures points to the warnings', () => {
  assert.match(textOf([]), /nothing was measured: see the lines marked ! below/);
});

test('a number and its percent sign stay on one line', () => {
  // "above 5 %:" is 10 characters; at 8 the break may only come before the number.
  assert.deepEqual(wrapText('above 5 %: why', 8), ['above', '5 %: why']);
});
