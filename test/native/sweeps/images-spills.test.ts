import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeObjects, cubins, ptxFiles } from '../support/built-images.ts';
import { registry } from '../support/registry.ts';
import { operation } from '../support/sass.ts';

for (const [name, cubin] of cubins) {
  test(`${name}: no kernel has a stack, or loads or stores on one`, () => {
    for (const kernel of registry.kernels.portable) {
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
    for (const kernel of registry.kernels.portable) {
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
