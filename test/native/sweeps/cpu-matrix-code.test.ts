import assert from 'node:assert/strict';
import { execa } from 'execa';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { functionsOf, innermostLoops, type Instruction } from '../support/loops.ts';

// What the compilers made of the 16-bit kernels, which most machines cannot run: the loops do the products and nothing in memory
// but reading the operands.
const sources = join(import.meta.dirname, '../../../native');
let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gpumark-loops-'));
});
after(() => rm(folder, { recursive: true }));

/** Compiles one kernel file as the Makefile does, and gives its functions. */
async function compiled(prefix: string, name: string): Promise<Map<string, Instruction[]>> {
  const object = `${folder}/obj/cpu/kernels/${name}.o`;
  await execa('make', ['-s', '-C', sources, `CXX=${prefix}g++`, `BUILD=${folder}`, object]);
  return functionsOf(`${prefix}objdump`, object);
}

/** The one innermost loop of a function that has the product instruction. */
function productLoop(code: readonly Instruction[] | undefined, product: string): Instruction[] {
  const loops = innermostLoops(code ?? []).filter((loop) => loop.some((one) => one.mnemonic === product));
  assert.equal(loops.length, 1, `${loops.length} loops with ${product}`);
  return loops[0] ?? [];
}

const count = (loop: readonly Instruction[], mnemonic: string) =>
  loop.filter((one) => one.mnemonic === mnemonic).length;

function find(functions: Map<string, Instruction[]>, part: string): Instruction[] | undefined {
  return [...functions].find(([name]) => name.includes(part))?.[1];
}

const isX86 = process.arch === 'x64';

for (const [rows, vectors] of [
  [14, 2],
  [12, 2],
  [8, 3],
] as const) {
  test(
    `avx512-bf16 ${rows} x ${16 * vectors}: four steps of vdpbf16ps on registers, and no stack`,
    { skip: !isX86 },
    async () => {
      const functions = await compiled('', 'gemm-bf16-avx512');
      const loop = productLoop(find(functions, `Bf16Pairs, ${rows}, ${vectors}>`), 'vdpbf16ps');
      assert.equal(count(loop, 'vdpbf16ps'), 4 * rows * vectors);
      assert.equal(count(loop, 'vpbroadcastd'), 4 * rows);
      // Reads only: the one row of b per vector and step. Moves between registers are free beside a product per cycle.
      const moves = loop.filter((one) => one.mnemonic.startsWith('vmov'));
      assert.equal(moves.filter((one) => one.operands.includes('(')).length, 4 * vectors);
      for (const one of loop) {
        assert.doesNotMatch(one.operands, /%[re](sp|bp)\b/, one.mnemonic);
        assert.doesNotMatch(one.operands, /%[xyz]mm\d+,[^%]*\(/, `${one.mnemonic} stores`);
      }
    },
  );
}

for (const [type, product] of [
  ['Bf16Tiles', 'tdpbf16ps'],
  ['Fp16Tiles', 'tdpfp16ps'],
] as const) {
  test(
    `amx ${type}: four ${product} per four tile loads, each on its own sums, and no tile stored in the loop`,
    { skip: !isX86 },
    async (t) => {
      const functions = await compiled('', 'gemm-amx');
      const code = find(functions, `amx_tile<gpumark::(anonymous namespace)::${type}>`) ?? [];
      if (!code.some((one) => one.mnemonic === product)) {
        // The instruction is written in bytes; a disassembler before binutils 2.40 has no name for it.
        const { stdout } = await execa('objdump', ['--version']);
        const version = Number(/2\.(\d+)/.exec(stdout)?.[1]);
        assert.ok(product === 'tdpfp16ps' && version < 40, `no ${product}, binutils 2.${version}`);
        return t.skip(`binutils 2.${version} does not know ${product}`);
      }
      const loop = productLoop(code, product);
      const products = loop.filter((one) => one.mnemonic === product).map((one) => one.operands);
      assert.deepEqual(products, ['%tmm6,%tmm4,%tmm0', '%tmm7,%tmm4,%tmm1', '%tmm6,%tmm5,%tmm2', '%tmm7,%tmm5,%tmm3']);
      assert.deepEqual([count(loop, 'tileloadd'), count(loop, 'tilestored')], [4, 0]);
      assert.ok(loop.every((one) => !/%[xyz]mm|%[re]sp/.test(one.operands)));
    },
  );
}

for (const [name, product, products, loads] of [
  ['gemm-bf16-neon', 'bfmmla', 24, 10],
  ['gemm-fp16-neon', 'fmlal', 2 * 16, 2 * 3],
] as const) {
  test(`${name}: ${product} on registers, and no stack`, async (t) => {
    const prefix = process.arch === 'arm64' ? '' : 'aarch64-linux-gnu-';
    if (prefix !== '' && !existsSync(`/usr/bin/${prefix}g++`)) return t.skip('no compiler for aarch64');
    const functions = await compiled(prefix, name);
    const loop = productLoop(find(functions, `${product}_tile`), product);
    assert.equal(count(loop, product), products);
    if (product === 'fmlal') assert.equal(count(loop, 'fmlal2'), products / 2);
    // ldp loads two registers.
    const loaded = loop.reduce(
      (sum, one) => sum + (/^ldu?r$/.test(one.mnemonic) ? 1 : one.mnemonic === 'ldp' ? 2 : 0),
      0,
    );
    assert.equal(loaded, loads);
    assert.ok(loop.every((one) => !one.mnemonic.startsWith('st') && !/\bsp\b/.test(one.operands)));
  });
}

test('a conversion of sums is one instruction per register of them', { skip: !isX86 }, async () => {
  const functions = await compiled('', 'gemm-bf16-avx512');
  for (const [name, instruction] of [
    ['convert_bf16_avx512', 'vcvtneps2bf16'],
    ['convert_fp16_avx512', 'vcvtps2ph'],
  ] as const) {
    assert.equal(count(productLoop(find(functions, name), instruction), instruction), 1);
  }
});
