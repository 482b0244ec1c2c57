// Checks the machine code of the matrix kernels for AMD: their architecture's matrix instructions, operands from local
// memory in 16-byte reads, prefetch of the next tiles, and no register spills.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findObjdump } from '../support/amd-disassembly.ts';
import { innermostLoops } from '../support/amd-loops.ts';
import { matrixCodeObjects, pathOfImage } from '../support/built-images.ts';
import { probesOf, productsOf } from '../support/registry.ts';

/**
 * A wave's instructions in one iteration of the main loop: matrix instructions, reads from and writes to local memory,
 * loads from global memory.
 */
interface Turn {
  matrix: string;
  counts: [multiplies: number, reads: number, writes: number, loads: number];
  localBytes: number;
  barriers: number;
  /** Loads of block scales, a byte each. */
  scales: number;
}
const turn = (matrix: string, counts: Turn['counts'], localBytes: number): Turn => ({
  matrix,
  counts,
  localBytes,
  barriers: 1,
  scales: 0,
});
const kib = 1024;

const shallow = (type: string): Record<string, Turn> => {
  const instruction = {
    fp16: 'v_mfma_f32_32x32x8_f16',
    bf16: 'v_mfma_f32_32x32x8_bf16',
    mixed: 'v_mfma_f32_32x32x8_f16',
    fp8fnuz: 'v_mfma_f32_32x32x16_fp8_fp8',
    tf32: 'v_mfma_f32_32x32x4_xf32',
  }[type];
  return {
    [`mfma_${type}_256x256`]: turn(String(instruction), [32, 12, 4, 4], 64 * kib),
    [`mfma_${type}_256x128`]: turn(String(instruction), [32, 12, 6, 6], 48 * kib),
  };
};
const deep = (type: string): Record<string, Turn> => {
  const instruction = `v_mfma_f32_32x32x16_${type === 'bf16' ? 'bf16' : 'f16'}`;
  return {
    [`mfma_${type}_256x256_gfx950`]: turn(instruction, [32, 24, 8, 8], 128 * kib),
    [`mfma_${type}_256x128_gfx950`]: turn(instruction, [16, 12, 6, 6], 48 * kib),
  };
};
const double = { mfma_fp64_128x128: turn('v_mfma_f64_16x16x4_f64', [32, 8, 4, 4], 32 * kib) };
const wmma = (generation: string, type: string): Record<string, Turn> => {
  const instruction = `v_wmma_f32_16x16x16_${{ bf16: 'bf16', fp8: 'fp8_fp8' }[type] ?? 'f16'}`;
  // Each half of gfx11's wave reads what the other reads too.
  const counts: Turn['counts'] = [type === 'fp8' ? 64 : 32, generation === 'gfx11' ? 32 : 16, 6, 6];
  return { [`wmma_${type}_256x128_${generation}`]: turn(instruction, counts, 48 * kib) };
};
const single: Record<string, Turn> = {
  mfma_fp32_256x256: turn('v_mfma_f32_32x32x2_f32', [64, 12, 4, 4], 64 * kib),
  mfma_fp32_256x128: turn('v_mfma_f32_32x32x2_f32', [64, 12, 6, 6], 48 * kib),
};
const gfx90a = { ...double, ...single, ...shallow('fp16'), ...shallow('bf16'), ...shallow('mixed') };
const gfx11 = { ...wmma('gfx11', 'fp16'), ...wmma('gfx11', 'bf16'), ...wmma('gfx11', 'mixed') };
const gfx12 = {
  ...wmma('gfx12', 'fp16'),
  ...wmma('gfx12', 'bf16'),
  ...wmma('gfx12', 'mixed'),
  ...wmma('gfx12', 'fp8'),
};
const products: Record<string, Record<string, Turn>> = {
  gfx90a: gfx90a,
  gfx942: { ...gfx90a, ...shallow('fp8fnuz'), ...shallow('tf32') },
  gfx950: {
    ...double,
    ...single,
    ...deep('fp16'),
    ...deep('bf16'),
    ...deep('mixed'),
    // Two stages a turn, see amd_ahead_stages.
    mfma_fp8_256x256_gfx950: { ...turn('v_mfma_f32_32x32x64_f8f6f4', [16, 24, 8, 8], 96 * kib), barriers: 2 },
    mfma_fp8_256x128_gfx950: turn('v_mfma_f32_32x32x64_f8f6f4', [8, 12, 6, 6], 48 * kib),
    mfma_mxfp8_256x128_gfx950: {
      ...turn('v_mfma_scale_f32_32x32x64_f8f6f4', [8, 12, 6, 6], 48 * kib),
      scales: 6,
    },
    mfma_mxfp4_256x128_gfx950: {
      ...turn('v_mfma_scale_f32_32x32x64_f8f6f4', [16, 12, 6, 6], 48 * kib),
      scales: 12,
    },
  },
  gfx1100: gfx11,
  gfx1101: gfx11,
  gfx1200: gfx12,
  gfx1201: gfx12,
};

/** The assembler of gfx90a has older names for the same. */
const spelled = (arch: string, instruction: string): string =>
  arch === 'gfx90a' ? instruction.replace(/_(f16|f32|f64)$/, '$1').replace(/_bf16$/, 'bf16_1k') : instruction;
const starting = (body: readonly string[], pattern: RegExp): number => body.filter((one) => pattern.test(one)).length;
const isProbe = (kernel: string): boolean => kernel.startsWith('gpumark_issue_');
const all = new Set([...productsOf('mfma', 'wmma'), ...probesOf('mfma', 'wmma')]);

for (const [file, object] of matrixCodeObjects) {
  const arch = file.replace('matrix-', '').replace('.hsaco', '');
  const wanted = products[arch] ?? {};

  test(`${file}: the products of its matrix units and no other, all of them in the registry`, () => {
    const built = object.kernels.filter((kernel) => !isProbe(kernel));
    assert.deepEqual(
      built.toSorted(),
      Object.keys(wanted)
        .map((name) => `gpumark_${name}`)
        .toSorted(),
    );
    for (const kernel of object.kernels) assert.ok(all.has(kernel), kernel);
  });

  test(`${file}: nothing spilled, local memory as meant, registers for two waves per SIMD, waves of the family's width`, () => {
    for (const kernel of object.kernels) {
      const metadata = object.metadata.get(kernel);
      const zero = ['.sgpr_spill_count', '.vgpr_spill_count', '.private_segment_fixed_size'];
      assert.deepEqual(
        zero.map((key) => metadata?.get(key)),
        [0, 0, 0],
        kernel,
      );
      assert.equal(metadata?.get('.uses_dynamic_stack'), false, kernel);
      assert.equal(
        metadata?.get('.group_segment_fixed_size'),
        wanted[kernel.replace('gpumark_', '')]?.localBytes ?? 0,
        kernel,
      );
      // CDNA: 512 of a SIMD. RDNA 3 and 4: 1536, of which a wave can name 256.
      assert.ok(Number(metadata?.get('.vgpr_count')) <= 256, kernel);
      assert.equal(metadata?.get('.wavefront_size'), arch.startsWith('gfx9') ? 64 : 32, kernel);
      const threads = /mfma_\w+_256x256/.test(kernel) ? 512 : 256;
      assert.equal(metadata?.get('.max_flat_workgroup_size'), threads, kernel);
    }
  });

  test(`${file}: one iteration of each main loop is its matrix instructions, 16-byte accesses, a barrier per stage, and little else`, async (t) => {
    const tool = await findObjdump(file);
    if ('missing' in tool) return t.skip(tool.missing);
    const loops = await innermostLoops(tool.objdump, pathOfImage(file));
    for (const [name, { matrix, counts, barriers, scales }] of Object.entries(wanted)) {
      const [body = [], ...others] = (loops.get(`gpumark_${name}`) ?? []).filter(
        (one) => starting(one, /^v_w?mf?ma/) > 0,
      );
      assert.equal(others.length, 0, name);
      const found = [
        new RegExp(`^${spelled(arch, matrix)} `),
        /^ds_(read|load)_b128 /,
        /^ds_(write|store)_b128 /,
        /^global_load_(dwordx4|b128) /,
      ];
      assert.deepEqual(
        found.map((pattern) => starting(body, pattern)),
        counts,
        name,
      );
      assert.equal(starting(body, /^v_w?mf?ma/), counts[0], name);
      assert.equal(starting(body, /^global_load_ubyte /), scales, name);
      const accesses = counts[1] + counts[2] + counts[3] + scales;
      assert.equal(starting(body, /^(ds_|global_|flat_|buffer_|scratch_)/), accesses, name);
      // gfx12 says a barrier in two instructions.
      assert.equal(starting(body, /^s_barrier( |_wait|$)/), barriers, name);
      // A wait for all loads would also wait for the prefetch, which must stay in flight across the barrier. Scales,
      // the last loads of an iteration, are needed at the beginning of the next, and with them everything loaded
      // before.
      if (scales === 0)
        assert.equal(starting(body, /vmcnt\(0\)|^s_wait_loadcnt 0x0|^buffer_gl0_inv|^s_wait_idle/), 0, name);
      assert.ok(
        starting(body, /^v_(?!w?mf?ma)/) <= 20 + 4 * scales,
        `${name}: ${starting(body, /^v_(?!w?mf?ma)/)} other vector instructions`,
      );
    }
  });

  test(`${file}: the loops of the issue probes are matrix instructions and their counter`, async (t) => {
    const tool = await findObjdump(file);
    if ('missing' in tool) return t.skip(tool.missing);
    const loops = await innermostLoops(tool.objdump, pathOfImage(file));
    for (const kernel of object.kernels.filter(isProbe)) {
      const body = loops.get(kernel)?.find((one) => starting(one, /^v_w?mf?ma/) > 0) ?? [];
      // 8 sums, 4 steps, one or two instructions each, and for gfx942's fp8 four.
      const per = kernel.includes('fp8fnuz') ? 4 : /gfx950|(fp16|bf16)_gfx1[12]/.test(kernel) ? 1 : 2;
      assert.equal(starting(body, /^v_w?mf?ma/), 32 * per, kernel);
      assert.ok(body.length <= 32 * per + 8, `${kernel}: ${body.length} instructions`);
    }
  });
}
