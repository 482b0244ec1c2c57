import assert from 'node:assert/strict';
import { execa } from 'execa';
import { join } from 'node:path';
import { test } from 'node:test';
import { simulatedDriver } from './simulated-driver.ts';
import { matrixFamilies, registered } from './support/built-images.ts';

const native = join(import.meta.dirname, '../../native');
const products = matrixFamilies.flatMap((family) => registered(`${family}_GEMMS`));
const probes = matrixFamilies.flatMap((family) => registered(`${family}_ISSUE`));

async function numerics(args: readonly string[]) {
  await simulatedDriver('nvidia');
  return execa(join(native, 'build/sim/numerics'), args, { reject: false, timeout: 120_000 });
}

for (const kernel of products) {
  test(`${kernel}: every element of every shape is the product in fp64, within the bound of its type`, async () => {
    const { exitCode, stdout } = await numerics(['--kernel', kernel, '--random', '2']);
    assert.equal(exitCode, 0, stdout);
    const lines = stdout.split('\n').filter((line) => line.startsWith(`${kernel} `));
    assert.ok(lines.length >= 9, stdout);
    for (const line of lines) assert.match(line, /^\w+ \d+x\d+x\d+ ok \d\.\d+ of the bound$/);
  });
}

for (const kernel of probes) {
  test(`${kernel}: its accumulators hold what their closed form says`, async () => {
    const { exitCode, stdout } = await numerics(['--kernel', kernel]);
    assert.equal(exitCode, 0, stdout);
    assert.match(stdout, /0 kernels, 4 probe runs, 0 wrong/);
  });
}

test('a name that no kernel has is an error, not a success of nothing', async () => {
  assert.equal((await numerics(['--kernel', 'gpumark_none'])).exitCode, 2);
});
