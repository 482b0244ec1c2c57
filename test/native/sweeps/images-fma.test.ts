import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disassemble, findObjdump } from '../support/amd-disassembly.ts';
import { codeObjects, cubins, pathOfImage } from '../support/built-images.ts';
import { registry } from '../support/registry.ts';
import { loops, operation } from '../support/sass.ts';

// x = fma(x, factor, addend) on every chain, `steps` times per round; a packed chain holds two numbers.
const perRound = registry.kernels.fma.chains * registry.kernels.fma.steps;

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
      // Where a multiply-add fills an issue slot each other instruction costs one: at most 1/16 may be lost.
      const others = body.length - adds.length;
      assert.ok(16 * others <= adds.length, `${probe.kernel}: ${others} others`);
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
  });
}
