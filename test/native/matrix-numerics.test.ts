import assert from 'node:assert/strict';
import { execa } from 'execa';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { simulatedDriver } from './simulated-driver.ts';

const native = join(import.meta.dirname, '../../native');
const registry = readFileSync(join(native, 'device/gemm-kernels.h'), 'utf8');

/** Kernels in the registry's rows, of products and of issue probes: "  X(name, family, type, ...)". */
const rowsOf = (list: string): string[] => {
  const lists = [...registry.matchAll(new RegExp(`#define GPUMARK_\\w+_${list}\\(X\\)((?:.*\\\\\\n)*.*)`, 'g'))];
  return lists.flatMap(([, rows]) => [...(rows ?? '').matchAll(/\bX\((gpumark_\w+),/g)].map((row) => row[1] ?? ''));
};
/** On the ordinary lanes: measured and proved as one of the portable kernels. */
const simt = new Set(['gpumark_sgemm', 'gpumark_dgemm']);
const products = rowsOf('GEMMS').filter((name) => !simt.has(name));
const probes = rowsOf('ISSUE');

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
