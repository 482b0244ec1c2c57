import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runClient, type SimulatedVendor } from '../simulated-driver.ts';

const vendors: SimulatedVendor[] = ['nvidia', 'amd'];

/** Checks that hold or end the client with the expression that does not. */
const checks = {
  symbols: 'every call of the runner is there, and the driver says that it is simulated',
  contexts: 'calls without initialising or without a context are refused as the vendor does',
  kernels: "the real images' kernels compute what the host computes, and a wrong launch is refused",
  gate: 'launches come back at once, a closed gate holds what follows, and a forgotten one gives up',
  streams: 'streams overtake each other, except where one waits for an event of the other',
  graph: 'a captured graph runs when launched, and allocating spoils a capture',
  memory: 'memory is accounted for, and a kernel past the end of an allocation ends its device',
};

for (const vendor of vendors) {
  for (const [command, guarantee] of Object.entries(checks)) {
    test(`${vendor}: ${guarantee}`, async () => {
      const { exitCode, stderr } = await runClient(vendor, command);
      assert.equal(exitCode, 0, stderr);
    });
  }

  test(`${vendor}: a kernel reads a peer once it is opened; copies go either way`, async () => {
    const reached = await runClient(vendor, 'peers', { GPUMARK_SIM_DEVICES: '2' });
    assert.equal(reached.stdout, 'can 1', reached.stderr);
    const apart = await runClient(vendor, 'peers', { GPUMARK_SIM_DEVICES: '2', GPUMARK_SIM_FAULT: 'no-peer@1' });
    assert.equal(apart.stdout, 'can 0', apart.stderr);
    assert.equal(apart.exitCode, 0, apart.stderr);
  });
}

test('tensor maps can be encoded from Hopper on, exactly within the manual’s limits', async () => {
  const hopper = await runClient('nvidia', 'tensor-maps');
  assert.equal(hopper.stdout, 'as the manual says', hopper.stderr);
  const ampere = await runClient('nvidia', 'tensor-maps', { GPUMARK_SIM_ARCH: 'sm_80' });
  assert.equal(ampere.stdout, 'none on this device', ampere.stderr);
});

/** What the driver lists: the UUID's first byte is the place in the machine, plus one. */
async function listed(vendor: SimulatedVendor, env: Record<string, string>): Promise<string[]> {
  const { stdout, stderr, exitCode } = await runClient(vendor, 'list', { GPUMARK_SIM_DEVICES: '4', ...env });
  assert.equal(exitCode, 0, stderr);
  const [first = '', ...devices] = stdout.split('\n');
  return first.startsWith('init 0 ') ? devices.map((line) => line.split('|')[3]?.slice(0, 2) ?? '') : [first];
}

const none = ['init 100 version 13000'];

test('CUDA_VISIBLE_DEVICES selects and orders by ordinal or UUID prefix, up to the first invalid entry', async () => {
  assert.deepEqual(await listed('nvidia', {}), ['01', '02', '03', '04']);
  assert.deepEqual(await listed('nvidia', { CUDA_VISIBLE_DEVICES: '2,0' }), ['03', '01']);
  assert.deepEqual(await listed('nvidia', { CUDA_VISIBLE_DEVICES: 'GPU-04,GPU-0251d0de' }), ['04', '02']);
  assert.deepEqual(await listed('nvidia', { CUDA_VISIBLE_DEVICES: '1,9,2' }), ['02']);
  assert.deepEqual(await listed('nvidia', { CUDA_VISIBLE_DEVICES: 'GPU-0' }), none, 'an ambiguous beginning');
  assert.deepEqual(await listed('nvidia', { CUDA_VISIBLE_DEVICES: '1,1' }), none);
  assert.deepEqual(await listed('nvidia', { CUDA_VISIBLE_DEVICES: '' }), none);
  assert.deepEqual(await listed('nvidia', { CUDA_VISIBLE_DEVICES: '-1' }), none);
});

test('ROCR_VISIBLE_DEVICES comes before HIP_VISIBLE_DEVICES, which counts what is left', async () => {
  assert.deepEqual(await listed('amd', { ROCR_VISIBLE_DEVICES: '3,1' }), ['04', '02']);
  assert.deepEqual(await listed('amd', { ROCR_VISIBLE_DEVICES: '3,1', HIP_VISIBLE_DEVICES: '1' }), ['02']);
  assert.deepEqual(await listed('amd', { ROCR_VISIBLE_DEVICES: 'GPU-0251d0de514d55d0' }), ['02']);
  assert.deepEqual(await listed('amd', { CUDA_VISIBLE_DEVICES: '2' }), ['03']);
  assert.deepEqual(await listed('amd', { HIP_VISIBLE_DEVICES: '0', CUDA_VISIBLE_DEVICES: '2' }), ['01']);
});

test('a MIG machine shows one instance, by its own UUID', async () => {
  assert.deepEqual(await listed('nvidia', { GPUMARK_SIM_MIG: '1' }), ['81']);
  assert.deepEqual(await listed('nvidia', { GPUMARK_SIM_MIG: '1', CUDA_VISIBLE_DEVICES: 'MIG-83' }), ['83']);
});

/** Code by which the driver answers each embedded image. */
async function imageCodes(vendor: SimulatedVendor, env: Record<string, string>): Promise<Record<string, string[]>> {
  const { stdout, stderr, exitCode } = await runClient(vendor, 'images', env);
  assert.equal(exitCode, 0, stderr);
  const byCode: Record<string, string[]> = {};
  for (const line of stdout.split('\n').toSorted()) {
    const [name = '', code = ''] = line.split(' ');
    (byCode[code] ??= []).push(name);
  }
  return byCode;
}

test('an image loads on its own architecture only, and PTX if no cubin does', async () => {
  const on = async (vendor: SimulatedVendor, arch: string) =>
    (await imageCodes(vendor, { GPUMARK_SIM_ARCH: arch }))['0'];
  assert.deepEqual(await on('nvidia', 'sm_70'), ['sm_60.ptx']);
  const matrix = (...names: string[]): string[] => names.map((name) => `matrix-sm_${name}`);
  const hopper = matrix('75.ptx', '80.ptx', '89.ptx', '90a.cubin', '90a.ptx');
  assert.deepEqual(await on('nvidia', 'sm_90'), [...hopper, 'sm_60.ptx', 'sm_90.cubin']);
  // Of one major number, a later minor takes the earlier one's: 8.6 runs 8.0's, 12.1 runs 12.0's. A letter binds: 12.1 does not run 12.0a's, and has its own.
  const ampere = matrix('75.ptx', '80.cubin', '80.ptx');
  assert.deepEqual(await on('nvidia', 'sm_86'), [...ampere, 'sm_60.ptx', 'sm_80.cubin', 'sm_86.cubin']);
  const later = matrix('121a.cubin', '121a.ptx', '75.ptx', '80.ptx', '89.ptx');
  assert.deepEqual(await on('nvidia', 'sm_121'), [...later, 'sm_120.cubin', 'sm_60.ptx']);
  assert.deepEqual(await on('amd', 'gfx1030'), ['gfx1030.hsaco']);
  for (const arch of ['gfx90a', 'gfx942', 'gfx950', 'gfx1100', 'gfx1200']) {
    assert.deepEqual(await on('amd', arch), [`${arch}.hsaco`, `matrix-${arch}.hsaco`]);
  }
});

test('a driver older than the cubins accepts the PTX, and no broken image', async () => {
  const old = await imageCodes('nvidia', { GPUMARK_SIM_DRIVER: '12040' });
  assert.deepEqual(old['0'], [...['75', '80', '89', '90a'].map((sm) => `matrix-sm_${sm}.ptx`), 'sm_60.ptx']);
  assert.ok(old['200']?.includes('sm_90.cubin'));
  const wrong = await imageCodes('nvidia', { GPUMARK_SIM_FAULT: 'wrong-image' });
  assert.deepEqual(Object.keys(wrong), ['209']);
});
