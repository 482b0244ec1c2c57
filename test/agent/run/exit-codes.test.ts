import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exitCodes } from '../../../agent/run/exit-error.ts';

test('the program ends with the codes that its README explains, and with no others', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../../agent/README.md'), 'utf8');
  const explained = [...readme.matchAll(/^\| ([\d, ]+) \| /gm)].flatMap((row) =>
    (row[1] ?? '').split(', ').map(Number),
  );
  assert.deepEqual(explained, Object.values(exitCodes));
  assert.deepEqual([exitCodes.ok, exitCodes.bug, exitCodes.usage, exitCodes.unreachable], [0, 1, 2, 7]);
});
