// Checks the machine code of the fp32 products on the ordinary lanes: where a multiply-add takes one issue slot, what
// stands between two of them is the rate that is lost.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { cubins, matrixCubins } from '../support/built-images.ts';
import { compileCubin, noCompiler } from '../support/compile-cubin.ts';
import type { Cubin } from '../support/cubin.ts';
import { productsOf, registry } from '../support/registry.ts';
import { loops, memoryAccesses, operation, registerMultiplyAdd, type SassInstruction } from '../support/sass.ts';

const architectures = ['80', '89', '90a', '100a', '103a', '120a', '121a'];
const rows = registry.kernels.products.filter(({ family }) => family === 'simt');
const threads = 256;
/** A thread's sums: 8 rows of 16. Of one step along k its operands are that many numbers, 16 bytes in a load. */
const [down, across] = [8, 16];
/** Of all issue slots, by the depth of the tiles; lanes.h says what the others are. */
const shareOf = new Map([
  [16, 0.924],
  [8, 0.905],
]);

const count = (code: readonly SassInstruction[], wanted: number): number =>
  code.filter((one) => one.operation === wanted).length;
const imageOf = (name: string): Cubin => {
  const cubin = matrixCubins.get(`matrix-sm_${name}.cubin`);
  assert.ok(cubin, `no image matrix-sm_${name}.cubin`);
  return cubin;
};
/** The loop with the multiply-adds. */
function mainLoop(cubin: Cubin, kernel: string): SassInstruction[] {
  const found = loops(cubin.codeOf(kernel), cubin.sm).filter((body) => count(body, operation.fp32) > 0);
  assert.equal(found.length, 1, `${kernel}: loops with multiply-adds`);
  return found[0] ?? [];
}
/** To register 255, where results go that nobody reads: ptxas puts three of them before copies that follow loads. */
const isEmptyLoad = (one: SassInstruction): boolean =>
  one.operation === operation.loadShared && ((one.low >> 16n) & 0xffn) === 255n;

/**
 * Registers are in two banks, by their number's last bit. Per multiply-add: registers read, for each of the operands that
 * the one before did not leave; and of how many multiply-adds all three are read, from one bank.
 */
function registerReads(body: readonly SassInstruction[]): { each: number; threeOfOneBank: number } {
  let [reads, adds, threeOfOneBank] = [0, 0, 0];
  let left: (number | undefined)[] = [];
  for (const one of body) {
    const add = registerMultiplyAdd(one);
    if (add) {
      const read = add.operands.filter((register, operand) => left[operand] !== register);
      adds += 1;
      reads += read.length;
      if (read.length === 3 && new Set(read.map((register) => register % 2)).size === 1) threeOfOneBank += 1;
    }
    left = add ? add.operands.map((register, operand) => (add.kept[operand] === true ? register : undefined)) : [];
  }
  return { each: reads / adds, threeOfOneBank: threeOfOneBank / adds };
}

for (const name of architectures) {
  test(`sm_${name}: the numbers of the instructions are those of tiny kernels that have three of them`, async (t) => {
    const built = await compileCubin(join(import.meta.dirname, '../support/calibration-lanes.cu'), name);
    if (!built) return t.skip(noCompiler);
    const expected = {
      load_quads: operation.loadShared,
      store_words: operation.storeShared,
      copy_words: operation.copyToShared,
      wait_for_all: operation.blockBarrier,
    };
    assert.deepEqual(built.cubin.kernels.toSorted(), Object.keys(expected).toSorted());
    for (const [kernel, own] of Object.entries(expected)) {
      const code: SassInstruction[] = built.cubin.codeOf(kernel).filter((one) => !isEmptyLoad(one));
      const found = Object.values(expected).map((one) => count(code, one));
      assert.deepEqual(
        found,
        Object.values(expected).map((one) => (one === own ? 3 : 0)),
        kernel,
      );
    }
  });
}

test('two depths of one tile, in every image since sm_80 and in none before; their stages fit the 99 KiB of sm_86, 89 and 120', () => {
  assert.deepEqual(
    rows.map(({ type, tile_m, tile_n, tile_k }) => [type, tile_m, tile_n, tile_k]),
    [...shareOf.keys()].map((depth) => ['fp32', threads / 2, threads, depth]),
  );
  for (const [name, cubin] of matrixCubins) {
    const own = cubin.kernels.filter((kernel) => productsOf('simt').includes(kernel)).toSorted();
    assert.deepEqual(own, name === 'matrix-sm_75.cubin' ? [] : productsOf('simt').toSorted(), name);
  }
  for (const row of rows) {
    // 4 bytes each, and 4 numbers more per step along k.
    assert.equal(row.shared_bytes, row.stages * (row.tile_m + row.tile_n + 4) * row.tile_k * 4, row.name);
    assert.ok(row.shared_bytes <= 99 * 1024, row.name);
  }
});

for (const name of architectures) {
  for (const row of rows) {
    const steps = row.tile_k;
    const share = shareOf.get(steps) ?? 1;
    test(`sm_${name} ${row.name}: ${share} of the loop's issue slots are multiply-adds; no stack, local memory or stores to shared memory`, () => {
      const cubin = imageOf(name);
      assert.equal(cubin.frames.get(row.name), 0);
      const code = cubin.codeOf(row.name);
      for (const one of [operation.loadLocal, operation.storeLocal, operation.storeShared])
        assert.equal(count(code, one), 0);
      const body = mainLoop(cubin, row.name);
      const loads = body.filter((one) => one.operation === operation.loadShared && !isEmptyLoad(one));
      assert.equal(count(body, operation.fp32), steps * down * across);
      assert.equal(loads.length, (steps * (down + across)) / 4);
      for (const one of loads) assert.equal((one.high >> 9n) & 7n, 6n, '16 bytes');
      assert.equal(count(body, operation.copyToShared), (steps * (row.tile_m + row.tile_n)) / threads);
      assert.ok(body.filter(isEmptyLoad).length <= 9);
      assert.equal(count(body, operation.blockBarrier), 1);
      // All that a thread has of global memory in the loop is the copies.
      assert.deepEqual(memoryAccesses(body), []);
      assert.ok(count(body, operation.fp32) >= share * body.length, `${count(body, operation.fp32) / body.length}`);
    });

    test(`sm_${name} ${row.name}: hardly a multiply-add reads three registers of one bank, and most read two at most`, () => {
      const body = mainLoop(imageOf(name), row.name);
      const adds = body.flatMap((one) => registerMultiplyAdd(one) ?? []);
      assert.equal(adds.length, steps * down * across);
      // Were the registers read from other bits than they stand in, they would not be those of sums.
      assert.ok(adds.filter(({ sum, operands }) => operands[2] === sum).length > 0.7 * adds.length);
      const reads = registerReads(body);
      assert.ok(reads.threeOfOneBank <= 0.03, `${reads.threeOfOneBank} of all`);
      // sm_80 issues a multiply-add every other cycle, in which the banks can be read twice.
      assert.ok(reads.each <= (name === '80' ? 2.35 : 2.2), `${reads.each} registers each`);
    });
  }
}

test('the loop of the portable kernel has fewer than 0.89 multiply-adds per slot, which is why there are others', () => {
  for (const [name, cubin] of cubins) {
    const body = mainLoop(cubin, 'gpumark_sgemm');
    assert.ok(count(body, operation.fp32) < 0.89 * body.length, name);
  }
});
