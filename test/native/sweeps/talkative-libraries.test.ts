import assert from 'node:assert/strict';
import { test } from 'node:test';
import { execa } from 'execa';
import { parseLine } from '../../../agent/kernels/parse-line.ts';
import { makeId, parseEvents, runCollectiveJob, simEnvironment } from '../support/collective-job.ts';
import { type Machine, backendOf, readRun, runnerOn, runOn, vendors } from '../simulated-gpus.ts';
import { simFolder } from './vendor-engine.ts';

const OF_DRIVER = {
  nvidia: ['libcuda', 'libnvidia-ml'],
  amd: ['libamdhip64', 'librocm_smi64'],
} as const;
const BLAS = { nvidia: 'libcublasLt', amd: 'libhipblaslt' } as const;
const COLLECTIVE = 'of collectives';

/** The library printed when it was loaded and at its first call, and a thread all the time: to stderr. */
function assertLoud(stderr: string, libraries: readonly string[]): void {
  for (const library of libraries) {
    for (const when of ['loaded', 'first call'])
      assert.ok(stderr.includes(`simulated library ${library}: ${when}`), `${library} was loud: ${when}`);
  }
  assert.match(stderr, /\{"simulated library": "of a thread"\}/);
}

/** A line that is not an event fails in readRun, a figure that is missing here. */
async function loudRun(machine: Machine, args: readonly string[]) {
  const { path, options } = await runnerOn({ ...machine, sim: { ...machine.sim, LOUD: '1' } });
  const { stdout, stderr, exitCode } = await execa(path, [...args], { ...options, stderr: 'pipe' });
  return { ...readRun(stdout, exitCode), stderr };
}

for (const vendor of vendors) {
  test(`${vendor}: drivers and libraries that print to stdout change no event and no figure`, async () => {
    const args = ['run', '--device', backendOf[vendor], '--benchmarks', 'clock,gemm_bf16,memory,energy'];
    const scaled = [...args, '--time-scale', '0.02'];
    const machine = { drivers: [vendor], sim: { GPUMARK_TEST_LIBRARIES: await simFolder(`blas-${vendor}`) } };
    const [quiet, loud] = [await runOn(machine, scaled), await loudRun(machine, scaled)];
    assert.deepEqual([loud.exitCode, loud.codes, loud.measured], [0, [], quiet.measured]);
    assert.equal(loud.result('bf16_tflops').engine, quiet.result('bf16_tflops').engine);
    assertLoud(loud.stderr, [...OF_DRIVER[vendor], BLAS[vendor]]);
  });

  const device = ['--device', backendOf[vendor]];
  for (const [command, libraries] of [
    [['--list'], OF_DRIVER[vendor]],
    [['self-test', ...device], OF_DRIVER[vendor]],
    [['matrix', '--device', 'all'], OF_DRIVER[vendor]],
    [['collective', '--probe'], [COLLECTIVE]],
  ] as const) {
    test(`${vendor}: ${command[0]} ${command[1] ?? ''} keeps stdout for events, and says what it says when quiet`, async () => {
      const sim = { DEVICES: '2', GPUMARK_TEST_LIBRARIES: await simFolder(`collective-${vendor}`) };
      const machine = { drivers: [vendor], sim };
      const { devices } = await runOn(machine, ['--list']);
      const ids = devices.filter((one) => one.vendor === vendor).map((one) => one.device_id);
      const words = command.map((word) => (word === 'all' ? ids.join() : word));
      const said = async (loud: boolean) => {
        const { path, options } = await runnerOn({ ...machine, sim: { ...sim, LOUD: loud ? '1' : '0' } });
        const { stdout, stderr } = await execa(path, words, { ...options, stderr: 'pipe' });
        const events = stdout.split('\n').map(parseLine);
        assert.equal(events.at(-1)?.event, 'summary');
        return {
          kinds: events.map((event) => event?.event).filter((kind) => kind !== 'progress' && kind !== 'telemetry'),
          stderr,
        };
      };
      const [quiet, loud] = [await said(false), await said(true)];
      assert.deepEqual(loud.kinds, quiet.kinds);
      assertLoud(loud.stderr, libraries);
    });
  }

  test(`${vendor}: an all-reduce with a library that prints to stdout has the figures of a quiet one`, async () => {
    const figuresOf = async (sim: Record<string, string>) => {
      const runs = await runCollectiveJob({ vendor, nodes: 2, sim });
      return runs.map(({ exitCode, measured, stdout }) => {
        for (const line of stdout.split('\n')) assert.ok(line === '' || parseEvents(line).length === 1, line);
        const { verified, all_reduce, broadcast } = measured ?? {};
        return { exitCode, verified, sizes: [all_reduce, broadcast].map((of) => of?.map(({ bytes }) => bytes)) };
      });
    };
    assert.deepEqual(await figuresOf({ LOUD: '1' }), await figuresOf({}));
  });

  test(`${vendor}: so has the id of a job`, async () => {
    const { id, maker } = await makeId(vendor, await simEnvironment(vendor, `collective-${vendor}`, { LOUD: '1' }));
    maker.stdin.end();
    assert.ok(id.length > 0);
    assert.equal((await maker).exitCode, 0);
  });
}

test('amd: AMD SMI, the only telemetry of ROCm 10, may print to stdout too', async () => {
  const machine: Machine = {
    drivers: ['amd-without-smi'],
    sim: { GPUMARK_TEST_LIBRARIES: await simFolder('amd-smi-27') },
  };
  const { stderr, devices } = await loudRun(machine, ['--list']);
  assert.ok(devices.some(({ backend, status }) => backend === 'rocm' && status === 'ok'));
  assertLoud(stderr, ['libamdhip64', 'libamd_smi']);
});
