import assert from 'node:assert/strict';
import { execa } from 'execa';
import { test } from 'node:test';
import { built } from '../built-runner.ts';

test('statistics, counter wrap, JSON text, shares, GEMM verifier, 16-bit kernels, topology, control groups, recorder and links work as documented', async (t) => {
  const { stdout, exitCode } = await execa(await built('unit-tests'), { reject: false });
  assert.equal(exitCode, 0, stdout);
  for (const line of stdout.split('\n').filter((one) => one.startsWith('skipped:'))) t.diagnostic(line);
});
