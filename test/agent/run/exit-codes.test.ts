import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topics } from '../../../agent/cli/help-topics.ts';
import { exitCodes } from '../../../agent/run/exit-error.ts';

test('the program ends with the codes that its help explains, and with no others', () => {
  const explained = [...(topics['exit-codes'] ?? '').matchAll(/^ {2,4}(\d+) {2}\S/gm)].map((row) => Number(row[1]));
  assert.deepEqual(explained, Object.values(exitCodes));
  assert.deepEqual([exitCodes.ok, exitCodes.bug, exitCodes.usage, exitCodes.unreachable], [0, 1, 2, 7]);
});
