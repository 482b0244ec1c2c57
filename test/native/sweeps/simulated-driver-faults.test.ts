import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runClient, type SimulatedVendor } from '../simulated-driver.ts';

const vendors: SimulatedVendor[] = ['nvidia', 'amd'];

/** The codes of each device, "allocate=0 load=0 wait=0 …", on a machine of two. */
async function codes(vendor: SimulatedVendor, fault: string): Promise<string[]> {
  const env = { GPUMARK_SIM_DEVICES: '2', GPUMARK_SIM_FAULT: fault };
  const { stdout, stderr, exitCode } = await runClient(vendor, 'fault', env);
  assert.equal(exitCode, 0, stderr);
  return stdout.split('\n').map((line) => line.replace(/^device \d /, ''));
}

const sound = 'allocate=0 load=0 wait=0 wait=0 wait=0 free=0';

for (const vendor of vendors) {
  test(`${vendor}: a fault hits its device with its code, at its launch, permanently; the other continues`, async () => {
    assert.deepEqual(await codes(vendor, 'slow@1'), [sound, sound]);
    assert.deepEqual(await codes(vendor, 'out-of-memory@0'), ['allocate=2', sound]);
    assert.deepEqual(await codes(vendor, 'out-of-memory@0:1'), [sound, sound], 'one MiB is given');
    assert.deepEqual(await codes(vendor, 'wrong-image@1'), [sound, 'allocate=0 load=209']);
    const failing = (code: number): string => `allocate=0 load=0 wait=${code} wait=${code} wait=${code} free=${code}`;
    assert.deepEqual(await codes(vendor, 'launch-failure@0'), [failing(719), sound]);
    assert.deepEqual(await codes(vendor, 'ecc-error@1'), [sound, failing(214)]);
    assert.deepEqual(await codes(vendor, 'card-lost@0:2'), [
      'allocate=0 load=0 wait=0 wait=0 wait=719 free=719',
      sound,
    ]);
    assert.deepEqual(await codes(vendor, 'launch-failure@0,ecc-error@1:1'), [
      failing(719),
      'allocate=0 load=0 wait=0 wait=214 wait=214 free=214',
    ]);
  });

  test(`${vendor}: a fault of the n-th path strikes once, at the first launch from there`, async () => {
    const lost = 'allocate=0 load=0 wait=719 wait=719 wait=719 free=719';
    assert.deepEqual(await codes(vendor, 'card-lost@0:p0'), [lost, sound]);
    assert.deepEqual(await codes(vendor, 'launch-failure@1:p0'), [sound, lost]);
    assert.deepEqual(await codes(vendor, 'card-lost@0:p1'), [sound, sound], 'all launches come from one place');
  });

  test(`${vendor}: flipped bits differ from run to run, and there are none otherwise`, async () => {
    assert.equal((await runClient(vendor, 'flips')).stdout, 'differing bits 0');
    const fault = { GPUMARK_SIM_FAULT: 'flip-bit@0:gpumark_repeat' };
    assert.equal((await runClient(vendor, 'flips', fault)).stdout, 'differing bits 2');
    const other = { GPUMARK_SIM_FAULT: 'flip-bit@0:gpumark_triad' };
    assert.equal((await runClient(vendor, 'flips', other)).stdout, 'differing bits 0');
  });
}

test('a missing device and an outdated driver have each vendor’s codes', async () => {
  const first = async (vendor: SimulatedVendor, env: Record<string, string>) =>
    (await runClient(vendor, 'list', env)).stdout.split('\n')[0];
  assert.equal(await first('nvidia', { GPUMARK_SIM_FAULT: 'no-device' }), 'init 100 version 13000');
  assert.equal(await first('amd', { GPUMARK_SIM_FAULT: 'no-device' }), 'init 100 version 60443482');
  assert.equal(await first('nvidia', { GPUMARK_SIM_FAULT: 'old-driver' }), 'init 803 version 9000');
  assert.equal(await first('amd', { GPUMARK_SIM_FAULT: 'old-driver' }), 'init 35 version 40020496');
  assert.equal(await first('nvidia', { GPUMARK_SIM_DRIVER: '9020' }), 'init 803 version 9020');
});

test('a slow device takes about twice the time for the same work', async () => {
  const milliseconds = async (env: Record<string, string>) => Number((await runClient('nvidia', 'time', env)).stdout);
  // The least of several, in turn: others on the machine only ever add time. Far from 1 is what counts.
  const [sound, slow]: [number[], number[]] = [[], []];
  for (let round = 0; round < 6; round += 1) {
    sound.push(await milliseconds({}));
    slow.push(await milliseconds({ GPUMARK_SIM_FAULT: 'slow@0' }));
  }
  const [sound_ms, slow_ms] = [Math.min(...sound), Math.min(...slow)];
  assert.ok(slow_ms > 1.5 * sound_ms, `${slow_ms} ms against ${sound_ms} ms`);
});

test('a misspelt setting ends the process instead of simulating a sound machine', async () => {
  for (const env of [
    { GPUMARK_SIM_FAULT: 'card-lots@0' },
    { GPUMARK_SIM_FAULT: 'slow@x' },
    { GPUMARK_SIM_FAULT: 'call-lost:p' },
    { GPUMARK_SIM_DEVICES: '17' },
    { GPUMARK_SIM_ARCH: 'sm90' },
  ]) {
    const { exitCode, stderr } = await runClient('nvidia', 'list', env);
    assert.equal(exitCode, 99, stderr);
    assert.match(stderr, /is not a valid value/);
  }
});
