import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { built, eventsOf, ofKind } from '../built-runner.ts';

/** Starts a busy loop per core and waits until all run: a fair scheduler leaves the runner about half of each core. */
async function occupyCores(): Promise<() => void> {
  const count = availableParallelism();
  const script = 'process.stdout.write("busy"); for (;;);';
  const busy = Array.from({ length: count }, () => spawn(process.execPath, ['-e', script]));
  await Promise.all(busy.map(async (child) => once(child.stdout, 'data')));
  return () => {
    for (const child of busy) child.kill('SIGKILL');
  };
}

test('steady contention is detected although every sample is slowed alike', async () => {
  const runner = await built('gpumark-runner');
  const release = await occupyCores();
  try {
    const events = await eventsOf(runner, [
      'run',
      '--device',
      'cpu',
      '--benchmarks',
      'gemm_fp32',
      '--time-scale',
      '0.05',
    ]);
    const figure = ofKind(events, 'result').find(({ value }) => value !== null);
    const share = figure?.details['core_share'];
    assert.ok(typeof share === 'number' && share > 0 && share < 0.9, `core_share is ${String(share)}`);
    const [summary] = ofKind(events, 'summary');
    assert.equal(summary?.contended, true);
    // Both are printed with nine digits, so an equal ratio may read slightly lower.
    const ratio = summary?.contention_ratio ?? 0;
    assert.ok(ratio >= (1 - 1e-8) / share, `contention ${ratio} is less than the cores were missing (share ${share})`);
  } finally {
    release();
  }
});
