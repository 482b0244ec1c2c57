import assert from 'node:assert/strict';
import { execa } from 'execa';
import { join } from 'node:path';
import { test } from 'node:test';

test('looks at a run whose database is gone for good keep no process alive', async () => {
  const { exitCode, stdout, timedOut } = await execa(
    process.execPath,
    [join(import.meta.dirname, 'database-gone.ts')],
    {
      reject: false,
      timeout: 240_000,
    },
  );
  assert.deepEqual([exitCode, timedOut], [0, false]);
  assert.match(stdout, /a network run could not be advanced; it is tried again/);
});
