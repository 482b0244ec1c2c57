import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disassemble, findObjdump } from '../support/amd-disassembly.ts';
import { innermostLoops } from '../support/amd-loops.ts';
import { codeObjects, cubins, pathOfImage } from '../support/built-images.ts';
import { registry } from '../support/registry.ts';
import { loops, operation } from '../support/sass.ts';

// x = fma(x, factor, addend) on every chain, `steps` times per round; a packed chain holds two numbers.
const perRound = registry.kernels.fma.chains * registry.kernels.fma.steps;

/** Bytes; the smallest since sm_70: Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", 2018. */
const firstLevelInstructions = 12 * 1024;

interface Probe {
  kernel: string;
  /** Instructions per round that do the multiply-adds. */
  count: (sm: number) => number;
  operations: (sm: number) => readonly number[];
}

/** NVIDIA's data-centre Blackwell adds two pairs of fp32 in one instruction; elsewhere a pair takes two. */
const pairs = (sm: number): boolean => sm >= 100 && sm < 120;
const probes: Probe[] = [
  { kernel: 'gpumark_fma_fp32', count: () => perRound, operations: () => [operation.fp32] },
  {
    kernel: 'gpumark_fma_fp32_packed',
    count: (sm) => (pairs(sm) ? perRound : 2 * perRound),
    operations: (sm) => [pairs(sm) ? operation.fp32Pair : operation.fp32],
  },
  { kernel: 'gpumark_fma_fp64', count: () => perRound, operations: () => [operation.fp64] },
  {
    kernel: 'gpumark_fma_fp16',
    count: () => perRound,
    operations: () => [operation.fp16Pair, operation.fp16PairOther],
  },
];

for (const [name, cubin] of cubins) {
  test(`${name}: the loop of a probe is its multiply-adds and almost nothing else`, () => {
    for (const probe of probes) {
      const bodies = loops(cubin.codeOf(probe.kernel), cubin.sm);
      assert.equal(bodies.length, 1, probe.kernel);
      const [body = []] = bodies;
      const adds = body.filter((one) => probe.operations(cubin.sm).includes(one.operation));
      assert.equal(adds.length, probe.count(cubin.sm), probe.kernel);
      // fp64 runs at 1/64 of the rate on sm_103 and sm_120: ptxas fills the time between two with moves and empty instructions.
      if (probe.kernel === 'gpumark_fma_fp64' && cubin.sm > 100) continue;
      // Where a multiply-add fills an issue slot each other instruction costs one: at most 1 % may be lost. fp64 takes two slots or more.
      const others = body.length - adds.length;
      const most = (probe.kernel === 'gpumark_fma_fp64' ? 0.02 : 0.01) * adds.length;
      assert.ok(others <= most, `${probe.kernel}: ${others} others`);
      // Beyond the first-level instruction cache the figure would measure the fetch. The packed form without its instruction is not used.
      if (adds.length === perRound) assert.ok(16 * body.length <= firstLevelInstructions, probe.kernel);
    }
  });
}

for (const name of codeObjects.keys()) {
  test(`${name}: the probes hold their multiply-adds, packed where the instruction set has it`, async (t) => {
    const tool = await findObjdump(name);
    if ('missing' in tool) return t.skip(tool.missing);
    const kernels = await disassemble(tool.objdump, pathOfImage(name));
    const count = (kernel: string, mnemonic: RegExp): number =>
      (kernels.get(kernel) ?? []).filter((line) => mnemonic.test(line.split(' ')[0] ?? '')).length;
    // Both names are one operation: fmac is the short form, whose addend is also the destination.
    const plain = /^v_(fma|fmac)_f32(_e32|_e64)?$/;
    const plain64 = /^v_(fma|fmac)_f64(_e32|_e64)?$/;
    // v_pk_fma_f32 is CDNA's, from CDNA2 on, and does two; LLVM uses it for single chains too.
    const packed = name.startsWith('gfx9');
    assert.equal(count('gpumark_fma_fp32', plain) + 2 * count('gpumark_fma_fp32', /^v_pk_fma_f32$/), perRound, name);
    assert.equal(
      count('gpumark_fma_fp32_packed', packed ? /^v_pk_fma_f32$/ : plain),
      packed ? perRound : 2 * perRound,
      name,
    );
    assert.equal(count('gpumark_fma_fp64', plain64), perRound, name);
    assert.equal(count('gpumark_fma_fp16', /^v_pk_fma_f16$/), perRound, name);
    const inLoops = await innermostLoops(tool.objdump, pathOfImage(name));
    for (const { kernel } of probes) {
      // LLVM pairs the chains of the plain probe on CDNA: half as many instructions, each in two slots of time.
      const bodies = inLoops.get(kernel) ?? [];
      assert.equal(bodies.length, 1, kernel);
      const [body = []] = bodies;
      const others = body.filter((line) => !/^v_(pk_)?(fma|fmac)_f/.test(line));
      // Scalar instructions and hints of another wave are issued beside the vector ones.
      assert.ok(64 * others.length <= perRound, `${kernel}: ${others.join(', ')}`);
      assert.ok(others.filter((line) => line.startsWith('v_')).length <= 2, `${kernel}: ${others.join(', ')}`);
      // A counter of 64 bits would be added with carry and compared as u64.
      assert.ok(!others.some((line) => /^s_(addc|subb|cmp_\w+_u64)/.test(line)), `${kernel}: ${others.join(', ')}`);
    }
  });
}
