import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  printBytes,
  printDeviation,
  printDuration,
  printNumber,
  printPercent,
} from '../../../../coordinator/reports/facts/print-number.ts';

test('figures have four significant digits and thousands are grouped', () => {
  const printed = [0.16109193, 45.0688497, 698.2, 2571.4, 23_595.6, 0.00012345, 0, 9.9999].map(printNumber);
  assert.deepEqual(printed, ['0.1611', '45.07', '698.2', '2,571', '23,596', '0.0001235', '0', '10.000']);
});

test('what is not a number is a dash, never 0', () => {
  for (const value of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY]) assert.equal(printNumber(value), '–');
  assert.equal(printPercent(null), '–');
  assert.equal(printBytes(null), '–');
});

test('shares are percent with the unit on the same line', () => {
  assert.equal(printPercent(0.0467), '4.7\u00A0%');
  assert.equal(printDeviation(-0.072), '−7.2\u00A0%');
  assert.equal(printDeviation(0.031), '+3.1\u00A0%');
});

test('bytes are counted in powers of ten', () => {
  assert.equal(printBytes(25_276_510_208), '25.28\u00A0GB');
  assert.equal(printBytes(512), '512.0\u00A0B');
});

test('a duration with a missing or reversed end is not invented', () => {
  assert.equal(printDuration('2026-11-21T11:00:00Z', '2026-11-21T11:00:19.350Z'), '19.4\u00A0s');
  assert.equal(printDuration('2026-11-21T11:00:00Z', '2026-11-21T12:03:20Z'), '1\u00A0h\u00A03\u00A0min');
  assert.equal(printDuration('2026-11-21T11:00:00Z', null), null);
  assert.equal(printDuration('2026-11-21T11:00:01Z', '2026-11-21T11:00:00Z'), null);
});
