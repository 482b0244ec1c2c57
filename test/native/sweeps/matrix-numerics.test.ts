import assert from 'node:assert/strict';
import { execa } from 'execa';
import { join } from 'node:path';
import { test } from 'node:test';
import { simulatedDriver } from '../simulated-driver.ts';
import { matrixFamilies, probesOf, productsOf } from '../support/registry.ts';

const native = join(import.meta.dirname, '../../../native');
/** One of each family: the smallest tiles, which come last, and the probe of fp16, which comes first. */
const products = productsOf(...matrixFamilies);
const probes = probesOf(...matrixFamilies);

async function numerics(args: readonly string[]) {
  await simulatedDriver('nvidia');
  return execa(join(native, 'build/sim/numerics'), args, { reject: false });
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
  test(`${kernel}: its accumulators equal their closed form`, async () => {
    const { exitCode, stdout } = await numerics(['--kernel', kernel]);
    assert.equal(exitCode, 0, stdout);
    assert.match(stdout, /0 kernels, 4 probe runs, 0 wrong/);
  });
}

test('an unknown kernel name is an error, not an empty success', async () => {
  assert.equal((await numerics(['--kernel', 'gpumark_none'])).exitCode, 2);
});
