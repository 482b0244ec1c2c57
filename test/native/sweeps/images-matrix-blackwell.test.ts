// Checks the machine code of the matrix kernels for data-centre Blackwell.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { matrixCubins } from '../support/built-images.ts';
import { compileCubin, noCompiler } from '../support/compile-cubin.ts';
import { probesOf, productsOf } from '../support/registry.ts';
import { memoryAccesses, operation, type SassInstruction } from '../support/sass.ts';

/** NVIDIA's names; the numbers are what nvcc 13.0 makes of calibration-blackwell.cu, see the first test. */
const blackwell = { UTCMMA: 0x1ea, LDTM: 0x1ee, UTCCP: 0x1e7, UBLKCP: 0x1ba };
/** As on Hopper: see images-matrix-hopper.test.ts. */
const copies = { own: 0x5b4, several: 0x3b4 };

const tilesOfScales: Record<string, number> = { nvfp4: 4, mxfp4: 2, mxfp8: 1 };
const products = productsOf('tcgen05');
const probes = probesOf('tcgen05');
const count = (code: readonly SassInstruction[], wanted: number): number =>
  code.filter((one) => one.operation === wanted).length;

test('the numbers of the instructions are those of tiny kernels that have them', async (t) => {
  const built = await compileCubin(join(import.meta.dirname, '../support/calibration-blackwell.cu'), '100a');
  if (!built) return t.skip(noCompiler);
  const scaled = ['multiply_nvfp4', 'multiply_mxfp4', 'multiply_mxfp8'];
  for (const kernel of ['multiply_f16', 'multiply_tf32', 'multiply_f8', ...scaled])
    assert.equal(count(built.cubin.codeOf(kernel), blackwell.UTCMMA), 3, kernel);
  assert.equal(count(built.cubin.codeOf('load_sums'), blackwell.LDTM), 1);
  assert.equal(count(built.cubin.codeOf('copy_scales'), blackwell.UTCCP), 1);
  assert.equal(count(built.cubin.codeOf('copy_bytes'), blackwell.UBLKCP), 1);
});

for (const image of ['matrix-sm_100a.cubin', 'matrix-sm_103a.cubin']) {
  const codeOf = (kernel: string): SassInstruction[] => matrixCubins.get(image)?.codeOf(kernel) ?? [];

  for (const kernel of products) {
    test(`${image}, ${kernel}: four matrix instructions for 128 bytes of k, copies by tensor map, results 16 bytes at a time`, () => {
      const code = codeOf(kernel);
      assert.equal(count(code, blackwell.UTCMMA), 4);
      assert.equal(count(code, blackwell.LDTM), 1);
      assert.equal(code.filter((one) => one.opcode === copies.own).length, 1);
      assert.equal(code.filter((one) => one.opcode === copies.several).length, 1);
      // 512 bytes are the scales of 128 rows and 4 blocks: of 128 bytes of k there are 4 such tiles of NVFP4, 2 of MXFP4, 1 of MXFP8, for the
      // rows of A, and twice as many for the 256 of B. Each stage's come by three copies, A's and two of B's.
      const tiles = tilesOfScales[kernel.split('_')[2] ?? ''] ?? 0;
      assert.deepEqual([count(code, blackwell.UTCCP), count(code, blackwell.UBLKCP)], [3 * tiles, tiles > 0 ? 3 : 0]);
      const stores = memoryAccesses(code);
      // 32 sums a load: 8 stores of four fp32, or 4 of eight 16-bit numbers.
      assert.equal(stores.length, /tf32|mixed/.test(kernel) ? 8 : 4);
      for (const store of stores) assert.deepEqual([store.kind, store.bits], ['store', 128]);
    });
  }

  test(`${image}: probes are a round that adds and a round that subtracts; no kernel has a stack`, () => {
    for (const kernel of probes) assert.equal(count(codeOf(kernel), blackwell.UTCMMA), 32, kernel);
    for (const kernel of [...products, ...probes]) {
      assert.equal(matrixCubins.get(image)?.frames.get(kernel), 0, kernel);
      const local = count(codeOf(kernel), operation.loadLocal) + count(codeOf(kernel), operation.storeLocal);
      assert.equal(local, 0, kernel);
    }
  });
}
