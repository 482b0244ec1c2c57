import assert from 'node:assert/strict';
import { execa } from 'execa';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { codeObjects, cubins, kernelNames, nativeFolder, ptxFiles } from './support/built-images.ts';
import { operation } from './support/sass.ts';

for (const [name, cubin] of cubins) {
  test(`${name}: no kernel has a stack, nor loads or stores on one`, () => {
    for (const kernel of kernelNames) {
      assert.equal(cubin.frames.get(kernel), 0, kernel);
      const local = cubin
        .codeOf(kernel)
        .filter((one) => one.operation === operation.loadLocal || one.operation === operation.storeLocal);
      assert.deepEqual(local, [], kernel);
    }
  });
}

for (const [name, object] of codeObjects) {
  test(`${name}: the metadata of every kernel says no spilled registers and no private memory`, () => {
    for (const kernel of kernelNames) {
      const metadata = object.metadata.get(kernel);
      const keys = ['.sgpr_spill_count', '.vgpr_spill_count', '.private_segment_fixed_size'];
      assert.deepEqual(
        keys.map((key) => metadata?.get(key)),
        [0, 0, 0],
        kernel,
      );
      assert.equal(metadata?.get('.uses_dynamic_stack'), false, kernel);
    }
  });
}

for (const [name, text] of ptxFiles) {
  test(`${name}: no local memory`, () => {
    assert.doesNotMatch(text, /\.local\b/);
  });
}

// One architecture by the compiler's own words: that the frames read above are what it means by them.
test("ptxas's own report: no stack, no spills, for every kernel on the oldest architecture", async (t) => {
  const { failed } = await execa('nvcc', ['--version'], { reject: false });
  if (failed) return t.skip('no nvcc');
  const folder = await mkdtemp(join(tmpdir(), 'gpumark-ptxas-'));
  try {
    const oldest = Math.min(...[...cubins.values()].map(({ sm }) => sm));
    const out = ['-fatbin', '-o', join(folder, 'kernels.fatbin'), 'kernels.cu'];
    const { stderr } = await execa(
      'nvcc',
      ['-std=c++17', '-O3', `-gencode=arch=compute_${oldest},code=sm_${oldest}`, '-Xptxas', '-v', ...out],
      {
        cwd: join(nativeFolder, 'device'),
      },
    );
    // "ptxas info    : Function properties for NAME", then the line of numbers. Functions that kernels call are named $__internal...
    const reports = [...stderr.matchAll(/Function properties for (\S+)\n(.*)/g)];
    for (const [, kernel, numbers] of reports) {
      assert.equal(
        `${kernel}: ${numbers?.trim()}`,
        `${kernel}: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads`,
      );
    }
    for (const kernel of kernelNames) {
      const times = reports.filter(([, reported]) => reported === kernel).length;
      assert.equal(times, 1, kernel);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
