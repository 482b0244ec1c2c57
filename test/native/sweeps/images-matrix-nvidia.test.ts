// Checks the machine code of the mma.sync kernels: matrix instructions, fed by ldmatrix and by copies that bypass the
// registers.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { matrixCubins } from '../support/built-images.ts';
import { compileCubin, noCompiler } from '../support/compile-cubin.ts';
import type { Cubin } from '../support/cubin.ts';
import { registry } from '../support/registry.ts';
import { loops, memoryAccesses, operation, type SassInstruction } from '../support/sass.ts';

/** NVIDIA's names; the numbers are what nvcc 13.0 makes of calibration-mma-sync.cu, see the first test. */
const unit = {
  HMMA: 0x03c,
  QMMA: 0x07a,
  OMMA: 0x07f,
  DMMA: 0x03f,
  LDSM: 0x03b,
  LDGSTS: operation.copyToShared,
  BAR: operation.blockBarrier,
};
/**
 * What ptxas puts between instructions of a unit that takes longer than 15 cycles for each, the longest wait of one instruction: nothing
 * (NOP), or an addition of nothing to nowhere (UIADD3 URZ).
 */
const isFiller = (one: SassInstruction): boolean =>
  one.operation === operation.none || (one.opcode === 0x290 && [63, 255].includes(Number((one.low >> 16n) & 0xffn)));

const kib = 1024;
/** Architecture, what a block may have of shared memory there, and the parts of the names of the kernels in its image. */
const architectures = [
  { name: '75', shared: 64 * kib, holds: /_turing$/, probes: ['fp16'] },
  {
    name: '80',
    shared: 163 * kib,
    holds: /_(fp16|bf16|mixed|tf32)_\w+x\d+$|_fp64_128x128x16$/,
    probes: ['fp16', 'bf16', 'tf32', 'fp64'],
  },
  {
    name: '89',
    shared: 99 * kib,
    holds: /_(fp16|bf16|mixed)_\w+x32$|_tf32_\w+x16$|_fp8_/,
    probes: ['fp16', 'bf16', 'tf32', 'fp8'],
  },
  {
    name: '90a',
    shared: 227 * kib,
    holds: /_(fp16|bf16|mixed)_\w+x64$|_tf32_\w+x32$|_k8$/,
    probes: ['fp16', 'bf16', 'tf32', 'fp64'],
  },
  {
    name: '100a',
    shared: 227 * kib,
    holds: /_(fp16|bf16|mixed)_\w+x64$|_tf32_\w+x32$|_k8$/,
    probes: ['fp16', 'bf16', 'tf32', 'fp64'],
  },
  {
    name: '103a',
    shared: 227 * kib,
    holds: /_(fp16|bf16|mixed)_\w+x64$|_tf32_\w+x32$/,
    probes: ['fp16', 'bf16', 'tf32'],
  },
  {
    name: '120a',
    shared: 99 * kib,
    holds: /_(fp16|bf16|mixed)_\w+x32$|_tf32_\w+x16$|_(fp8|nvfp4|mxfp4|mxfp8)_/,
    probes: ['fp16', 'bf16', 'tf32', 'fp8'],
  },
];

const rows = registry.kernels.products.filter(({ family }) => family === 'mma.sync');
const bytesOf = (type: string): number => ({ fp64: 8, tf32: 4, fp8: 1, mxfp8: 1, nvfp4: 0.5, mxfp4: 0.5 })[type] ?? 2;
const instructionOf = (type: string): number =>
  ({ fp64: unit.DMMA, fp8: unit.QMMA, mxfp8: unit.QMMA, nvfp4: unit.OMMA, mxfp4: unit.OMMA })[type] ?? unit.HMMA;
/** Bits of a load of scales: as many scales of 8 bits as an instruction takes of a row. 0: none. */
const scaleBits = (type: string): number => ({ nvfp4: 32, mxfp4: 16, mxfp8: 8 })[type] ?? 0;

const count = (code: readonly SassInstruction[], wanted: number): number =>
  code.filter((one) => one.operation === wanted).length;
const imageOf = (name: string): Cubin => {
  const cubin = matrixCubins.get(`matrix-sm_${name}.cubin`);
  assert.ok(cubin, `no image matrix-sm_${name}.cubin`);
  return cubin;
};
/** The loop with matrix instructions. */
function mainLoop(cubin: Cubin, kernel: string, instruction: number): SassInstruction[] {
  const found = loops(cubin.codeOf(kernel), cubin.sm).filter((body) => count(body, instruction) > 0);
  assert.equal(found.length, 1, `${kernel}: loops with matrix instructions`);
  return found[0] ?? [];
}

/** Cycles from one matrix instruction to the next if nothing but the compiler's own waits, bits 105 to 108, held a warp up. */
function pace(body: readonly SassInstruction[], instruction: number): number {
  const cycles = body.reduce((sum, { high }) => sum + Number((high >> 41n) & 15n), 0);
  return cycles / count(body, instruction);
}

for (const name of ['75', '80', '89', '120a']) {
  test(`sm_${name}: the numbers of the instructions are those of tiny kernels that have three of them`, async (t) => {
    const built = await compileCubin(join(import.meta.dirname, '../support/calibration-mma-sync.cu'), name);
    if (!built) return t.skip(noCompiler);
    const expected: Record<string, keyof typeof unit> = {
      multiply_fp16_8: 'HMMA',
      load_matrices: 'LDSM',
      wait_for_all: 'BAR',
    };
    if (name !== '75') {
      for (const type of ['fp16', 'bf16', 'tf32']) expected[`multiply_${type}`] = 'HMMA';
      Object.assign(expected, { multiply_fp64: 'DMMA', copy_past_registers: 'LDGSTS' });
    }
    if (name === '89' || name === '120a') expected['multiply_e4m3'] = 'QMMA';
    if (name === '120a') {
      expected['multiply_e4m3_of_kind'] = expected['multiply_mxfp8'] = 'QMMA';
      expected['multiply_nvfp4'] = expected['multiply_mxfp4'] = 'OMMA';
    }
    assert.deepEqual(built.cubin.kernels.toSorted(), Object.keys(expected).toSorted());
    for (const [kernel, own] of Object.entries(expected)) {
      const code: SassInstruction[] = built.cubin.codeOf(kernel);
      const found = Object.entries(unit).map(([one, number]): [string, number] => [one, count(code, number)]);
      assert.deepEqual(Object.fromEntries(found.filter(([, times]) => times !== 0)), { [own]: 3 }, kernel);
    }
  });
}

test('sm_120a: e4m3 with and without kind::f8f6f4 is the same machine code, so that one kernel is enough', async (t) => {
  const built = await compileCubin(join(import.meta.dirname, '../support/calibration-mma-sync.cu'), '120a');
  if (!built) return t.skip(noCompiler);
  const productsOf = (kernel: string) =>
    built.cubin.codeOf(kernel).flatMap(({ operation: one, low, high }) => (one === unit.QMMA ? [{ low, high }] : []));
  assert.deepEqual(productsOf('multiply_e4m3_of_kind'), productsOf('multiply_e4m3'));
});

test('each kernel asks for the shared memory of its stages, and for no more than a block of its architectures may have', () => {
  for (const row of rows) {
    assert.equal(row.shared_bytes, row.stages * (row.tile_m + row.tile_n) * row.tile_k * bytesOf(row.type), row.name);
    const limits = architectures.filter(({ holds }) => holds.test(row.name)).map(({ shared }) => shared);
    assert.ok(limits.length > 0 && limits.every((limit) => row.shared_bytes <= limit), row.name);
  }
  // sm_86 and sm_87 take the image of sm_80 and have 99 KiB: of every type there is one that fits.
  const fits = rows.filter(
    (row) => /_(fp16|bf16|mixed|tf32|fp64)_\w+x\d+$/.test(row.name) && row.shared_bytes <= 99 * kib,
  );
  assert.deepEqual([...new Set(fits.map((row) => row.type))].toSorted(), ['bf16', 'fp16', 'fp64', 'mixed', 'tf32']);
});

for (const { name, holds, probes } of architectures) {
  const own = rows.filter((row) => holds.test(row.name) && (name === '75' || !row.name.endsWith('_turing')));

  test(`sm_${name}: the kernels that it can run, without stack or local memory`, () => {
    const cubin = imageOf(name);
    const kernels = cubin.kernels.filter((kernel) => kernel.includes('mma_sync'));
    const expected = [...own.map((row) => row.name), ...probes.map((type) => `gpumark_issue_mma_sync_${type}`)];
    assert.deepEqual(kernels.toSorted(), expected.toSorted());
    for (const kernel of kernels) {
      assert.equal(cubin.frames.get(kernel), 0, kernel);
      const code = cubin.codeOf(kernel);
      assert.deepEqual([count(code, operation.loadLocal), count(code, operation.storeLocal)], [0, 0], kernel);
    }
  });

  for (const row of own.filter(({ type }) => type !== 'fp64')) {
    test(`sm_${name} ${row.name}: 32 products for 8 loads of fragments, copies of 16 bytes, one barrier, little else`, () => {
      const cubin = imageOf(name);
      const body = mainLoop(cubin, row.name, instructionOf(row.type));
      const steps = (row.tile_k * bytesOf(row.type)) / 32;
      const copies = ((row.tile_m + row.tile_n) * row.tile_k * bytesOf(row.type)) / 16 / row.threads;
      // Turing multiplies 8 deep, not 16.
      const products = 32 * steps * (name === '75' ? 2 : 1);
      assert.equal(count(body, instructionOf(row.type)), products);
      assert.equal(count(body, unit.LDSM), 8 * steps);
      assert.equal(count(body, unit.BAR), 1);
      if (name === '75') {
        const loads = memoryAccesses(body).map(({ kind, bits }) => `${kind} ${bits}`);
        assert.deepEqual(
          loads,
          Array.from({ length: copies }, () => 'load 128'),
        );
      } else {
        assert.equal(count(body, unit.LDGSTS), copies);
        // 4 of 16 rows of A and 8 of 8 columns of B in each step.
        const scales = Array.from({ length: scaleBits(row.type) && 12 * steps }, () => `load ${scaleBits(row.type)}`);
        assert.deepEqual(
          memoryAccesses(body).map(({ kind, bits }) => `${kind} ${bits}`),
          scales,
        );
      }
      const waits = body.filter(isFiller).length;
      // A load and its address for scales; an address and a place per copy, the rounding of each register of tf32, and what the loop itself needs.
      const rest =
        body.length -
        products -
        8 * steps -
        copies -
        waits -
        (row.type === 'tf32' ? 32 * steps : 0) -
        (scaleBits(row.type) && 24 * steps);
      assert.ok(rest <= 4 * copies + 32, `${rest} other instructions for ${products} products`);
    });
  }

  test(`sm_${name}: a single warp issues products nearly as fast as the probe does, so that two never starve a unit`, () => {
    // Block-scaled products have no probe: that of fp8 issues as many a cycle at most.
    for (const { name: kernel, type } of own.filter((row) => scaleBits(row.type) === 0)) {
      const [probe, instruction] = [`gpumark_issue_mma_sync_${type === 'mixed' ? 'fp16' : type}`, instructionOf(type)];
      const most = 1.15 * pace(mainLoop(imageOf(name), probe, instruction), instruction);
      const cycles = pace(mainLoop(imageOf(name), kernel, instruction), instruction);
      assert.ok(cycles <= most, `${kernel}: ${cycles} cycles, the probe ${most / 1.15}`);
    }
  });

  test(`sm_${name}: C is written 16 bytes at a time`, () => {
    for (const row of own) {
      const stores = memoryAccesses(imageOf(name).codeOf(row.name)).filter(({ kind }) => kind === 'store');
      // A warp has 64 x 64 sums (fp64: 64 x 32) and 32 lanes.
      const bytes = row.type === 'fp64' ? 64 * 32 * 8 : 64 * 64 * (/mixed|tf32/.test(row.type) ? 4 : 2);
      assert.deepEqual(
        stores.map(({ bits }) => bits),
        Array.from({ length: bytes / 16 / 32 }, () => 128),
        row.name,
      );
    }
  });

  for (const row of own.filter(({ type }) => type === 'fp64')) {
    test(`sm_${name} ${row.name}: products of a warp's 64 x 32 sums for 16 numbers along k`, () => {
      const body = mainLoop(imageOf(name), row.name, unit.DMMA);
      // 8 x 8 x 4 in each, on Hopper 16 x 8 x 8.
      assert.equal(count(body, unit.DMMA), (64 * 32 * 16) / (name === '90a' ? 16 * 8 * 8 : 8 * 8 * 4));
      assert.equal(count(body, unit.LDGSTS), 8);
      assert.equal(count(body, unit.BAR), 1);
      assert.deepEqual(memoryAccesses(body), []);
    });
  }

  for (const type of probes) {
    test(`sm_${name}: the probe of ${type} is matrix instructions and next to nothing else`, () => {
      const body = mainLoop(imageOf(name), `gpumark_issue_mma_sync_${type}`, instructionOf(type));
      const each = name === '75' ? 2 : type === 'fp64' && name !== '90a' ? 4 : 1;
      assert.equal(count(body, instructionOf(type)), 64 * each);
      assert.deepEqual(memoryAccesses(body), []);
      const waits = body.filter(isFiller).length;
      assert.ok(body.length - 64 * each - waits <= 24, `${body.length - 64 * each - waits} other instructions`);
    });
  }
}
