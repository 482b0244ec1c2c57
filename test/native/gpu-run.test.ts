import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backendOf, runOn, vendors } from './simulated-gpus.ts';
import { testSoundGpu } from './sound-gpu.ts';

testSoundGpu('nvidia');

test('the self-test passes on both vendors', async () => {
  for (const vendor of vendors) {
    const { exitCode, codes } = await runOn({ drivers: [vendor] }, ['self-test', '--device', backendOf[vendor]]);
    assert.deepEqual([exitCode, codes], [0, []]);
  }
});
