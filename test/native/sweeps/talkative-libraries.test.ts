import assert from 'node:assert/strict';
import { test } from 'node:test';
import { execa } from 'execa';
import { parseLine } from '../../../agent/kernels/parse-line.ts';
import { backendOf, runnerOn, runOn, vendors } from '../simulated-gpus.ts';
import { simFolder } from './vendor-engine.ts';

/** A line that is not an event fails in readRun, a figure that is missing here. */
for (const vendor of vendors) {
  test(`${vendor}: drivers and libraries that print to stdout change no event and no figure`, async () => {
    const args = ['run', '--device', backendOf[vendor], '--benchmarks', 'clock,gemm_bf16,memory,energy'];
    const [quiet, loud] = await Promise.all(
      [{}, { LOUD: '1' }].map(async (sim) =>
        runOn({ drivers: [vendor], sim: { ...sim, GPUMARK_TEST_LIBRARIES: await simFolder(`blas-${vendor}`) } }, args),
      ),
    );
    assert.deepEqual([loud?.exitCode, loud?.codes, loud?.measured], [0, [], quiet?.measured]);
    assert.equal(loud?.result('bf16_tflops').engine, quiet?.result('bf16_tflops').engine);
  });

  const device = ['--device', backendOf[vendor]];
  for (const command of [['--list'], ['self-test', ...device], ['matrix', ...device], ['collective', '--probe']]) {
    test(`${vendor}: ${command.join(' ')} keeps stdout for events, and what libraries print goes to stderr`, async () => {
      const sim = { LOUD: '1', GPUMARK_TEST_LIBRARIES: await simFolder(`collective-${vendor}`) };
      const { path, options } = await runnerOn({ drivers: [vendor], sim });
      const { stdout, stderr } = await execa(path, command, { ...options, stderr: 'pipe' });
      assert.equal(stdout.split('\n').map(parseLine).at(-1)?.event, 'summary');
      assert.match(stderr, /simulated library: loaded/);
    });
  }
}
