// Checks the machine code of the matrix kernels for Hopper: its own matrix and copy instructions, and nothing between
// them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { matrixCubins } from '../support/built-images.ts';
import { compileCubin, noCompiler } from '../support/compile-cubin.ts';
import { probesOf, productsOf } from '../support/registry.ts';
import { loops, memoryAccesses, operation, type SassInstruction } from '../support/sass.ts';

/** NVIDIA's names; the numbers are what nvcc 13.0 makes of calibration-hopper.cu, see the first test. */
const hopper = {
  HGMMA: 0x1f0,
  QGMMA: 0x1f3,
  /** Begins multiplications, and waits for them. */
  WARPGROUP: 0x1c5,
  UTMALDG: 0x1b4,
  SYNCS: 0x1a7,
  USETMAXREG: 0x1c8,
};
/** The full opcodes of a copy to the own block, and to several of the cluster. */
const copies = { own: 0x5b4, several: 0x3b4 };

const products = productsOf('wgmma');
const probes = probesOf('wgmma');
const count = (code: readonly SassInstruction[], wanted: number): number =>
  code.filter((one) => one.operation === wanted).length;

test('the numbers of the instructions are those of tiny kernels that have them', async (t) => {
  const built = await compileCubin(join(import.meta.dirname, '../support/calibration-hopper.cu'), '90a');
  if (!built) return t.skip(noCompiler);
  const expected: Record<string, Partial<Record<keyof typeof hopper, number>>> = {
    multiply_fp16: { HGMMA: 3, WARPGROUP: 2 },
    multiply_bf16: { HGMMA: 3, WARPGROUP: 2 },
    multiply_tf32: { HGMMA: 3, WARPGROUP: 2 },
    multiply_e4m3: { QGMMA: 3, WARPGROUP: 2 },
    copy_own: { UTMALDG: 1 },
    copy_to_several: { UTMALDG: 1 },
    wait_for_barrier: { SYNCS: 1 },
    arrive_elsewhere: { SYNCS: 1 },
    give_registers: { USETMAXREG: 2 },
  };
  assert.deepEqual(built.cubin.kernels.toSorted(), Object.keys(expected).toSorted());
  for (const [kernel, counts] of Object.entries(expected)) {
    const code: SassInstruction[] = built.cubin.codeOf(kernel);
    const found = Object.entries(hopper).map(([name, number]): [string, number] => [name, count(code, number)]);
    assert.deepEqual(Object.fromEntries(found.filter(([, times]) => times !== 0)), counts, kernel);
  }
  assert.ok(built.cubin.codeOf('copy_own').some((one) => one.opcode === copies.own));
  assert.ok(built.cubin.codeOf('copy_to_several').some((one) => one.opcode === copies.several));
});

// To the compiler the sums change only when a multiplication is started: unless the wait names them too, it may move
// reads of them before the wait. Whether it does depends on the version and cannot be seen in one image.
test('the wait for multiplications names all 128 sums', () => {
  const source = readFileSync(join(import.meta.dirname, '../../../native/device/matrix/wgmma-ops.h'), 'utf8');
  const [, named = ''] = /"wgmma\.wait_group\.sync\.aligned %128;"\s*:([^:]*):/.exec(source) ?? [];
  assert.deepEqual(
    named.match(/GPUMARK_SUMS_32\(\d+\)/g),
    [0, 32, 64, 96].map((at) => `GPUMARK_SUMS_32(${at})`),
  );
  assert.match(source, /define GPUMARK_SUMS_8\(i\)[\s\\]+"\+f"\(sum\[i\]\)/);
});

test('there is a product for every type that Hopper multiplies, and a probe for every kind of input', () => {
  const typesOf = (names: string[]): string[] => names.map((name) => /wgmma_([a-z0-9]+)/.exec(name)?.[1] ?? name);
  assert.deepEqual(typesOf(products).toSorted(), ['bf16', 'fp16', 'fp8', 'mixed', 'tf32']);
  assert.deepEqual(typesOf(probes).toSorted(), ['bf16', 'fp16', 'fp8', 'tf32']);
});

const cubin = matrixCubins.get('matrix-sm_90a.cubin');
const codeOf = (kernel: string): SassInstruction[] => cubin?.codeOf(kernel) ?? [];
const matrixInstruction = (kernel: string): number => (kernel.includes('fp8') ? hopper.QGMMA : hopper.HGMMA);

for (const kernel of products) {
  test(`${kernel}: 128 bytes of k in four matrix instructions per iteration, one wait, and no memory access besides the copies`, () => {
    const turns = loops(codeOf(kernel), 90).filter((body) => count(body, matrixInstruction(kernel)) > 0);
    // The innermost of them: the loop over tiles holds the loop over k.
    const [body = []] = turns.toSorted((a, b) => a.length - b.length);
    assert.equal(count(body, matrixInstruction(kernel)), 4);
    assert.equal(count(codeOf(kernel), hopper.HGMMA) + count(codeOf(kernel), hopper.QGMMA), 4);
    // Begin and wait, once each: multiplications that the compiler had to serialise have a wait of their own.
    assert.equal(count(body, hopper.WARPGROUP), 2);
    assert.deepEqual(memoryAccesses(body), []);
    // An iteration keeps the matrix units busy for 1024 cycles; a warp issues at most one instruction per cycle.
    assert.ok(body.length <= 128, `${body.length} instructions`);
  });

  test(`${kernel}: copies by tensor map, one to both blocks, registers that change hands, results in whole sectors`, () => {
    const code = codeOf(kernel);
    assert.equal(code.filter((one) => one.opcode === copies.own).length, 1);
    assert.equal(code.filter((one) => one.opcode === copies.several).length, 1);
    assert.equal(count(code, hopper.USETMAXREG), 2);
    assert.ok(count(code, hopper.SYNCS) >= 4);
    const wide = /tf32|mixed/.test(kernel) ? 64 : 128;
    const stores = memoryAccesses(code);
    // 128 sums of a thread: 64 stores of two fp32, or 16 of eight 16-bit numbers.
    assert.equal(stores.length, wide === 64 ? 64 : 16);
    for (const store of stores) assert.deepEqual([store.kind, store.bits], ['store', wide]);
  });
}

for (const kernel of probes) {
  test(`${kernel}: two loops of a round of 16 matrix instructions, one that adds and one that subtracts, and no memory access`, () => {
    const rounds = loops(codeOf(kernel), 90).filter((body) => count(body, matrixInstruction(kernel)) === 16);
    assert.equal(rounds.length, 2);
    assert.equal(count(codeOf(kernel), matrixInstruction(kernel)), 32);
    for (const body of rounds) {
      assert.deepEqual(memoryAccesses(body), []);
      assert.ok(body.length <= 128, `${body.length} instructions`);
    }
  });
}

test('no kernel of the image has a stack, nor loads or stores on one', () => {
  for (const kernel of [...products, ...probes]) {
    assert.equal(cubin?.frames.get(kernel), 0, kernel);
    assert.equal(count(codeOf(kernel), operation.loadLocal) + count(codeOf(kernel), operation.storeLocal), 0, kernel);
  }
});
