// The compiler's own report on the kernels, for one architecture of each set: confirms our reading of the stack frames
// in the images.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { cubins, nativeFolder } from '../support/built-images.ts';
import { compileCubin, noCompiler } from '../support/compile-cubin.ts';
import { probesOf, productsOf, registry } from '../support/registry.ts';

const oldest = Math.min(...[...cubins.values()].map(({ sm }) => sm));
const sets = [
  { source: 'kernels.cu', sm: String(oldest), kernels: registry.kernels.portable },
  { source: 'matrix/matrix.cu', sm: '90a', kernels: [...productsOf('wgmma'), ...probesOf('wgmma')] },
  { source: 'matrix/matrix.cu', sm: '100a', kernels: [...productsOf('tcgen05'), ...probesOf('tcgen05')] },
];

for (const { source, sm, kernels } of sets) {
  test(`sm_${sm} of ${source}: ptxas reports each kernel once, without stack, spills or serialised multiplications`, async (t) => {
    const built = await compileCubin(join(nativeFolder, 'device', source), sm);
    if (!built) return t.skip(noCompiler);
    // ptxas speaks of "wgmma" in no other case than C7510 and its neighbours, "wgmma pipeline crossing ... serialized".
    assert.doesNotMatch(built.report, /warning|serializ|pipeline/i);
    // Functions that kernels call are named $__internal...
    const reports = [...built.report.matchAll(/properties for (\S+)\n(.*)\n(?:.*Used (\d+) registers)?/g)];
    for (const [, name = '', numbers] of reports) {
      assert.equal(numbers?.trim(), '0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads', name);
    }
    for (const kernel of kernels) assert.equal(reports.filter(([, name]) => name === kernel).length, 1, kernel);
    // 65536 registers: 384 threads in eights of them get 168 each.
    for (const [, name = '', , registers] of reports.filter(([, one = '']) => productsOf('wgmma').includes(one))) {
      assert.ok(Number(registers) <= 168, `${name}: ${registers}`);
    }
  });
}
