// Compares the simulated matrix instructions of AMD with AMD's own tables (output of its matrix instruction
// calculator), element by element. With a wrong layout in the simulation, a kernel with the same mistake would pass.
import assert from 'node:assert/strict';
import { execa } from 'execa';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { simulatedDriver } from '../simulated-driver.ts';

const folder = join(import.meta.dirname, '../../../../shared/data/amd-matrix-layouts');
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.csv')) : [];

/** "D[4][0]" of lane 0, place 1: as `0 1 4 0`. Three lines of head, then a line per lane, its numbers in the order of its registers. */
function elementsOf(file: string): string[] {
  const [, , head = '', ...lines] = readFileSync(join(folder, file), 'utf8').trim().split('\n');
  assert.match(head, /^lane,v/);
  return lines.flatMap((line) => {
    const [lane, ...elements] = line.split(',');
    return elements.map((element, place) => {
      const [, row, column] = /^[ABD]\[(\d+)\]\[(\d+)\]$/.exec(element) ?? [];
      assert.ok(row !== undefined && column !== undefined, `${file}: ${element}`);
      return `${lane} ${place} ${row} ${column}`;
    });
  });
}

/**
 * Of gfx9: rows (and columns) of D, depth, how many rows of D stand one below the other in registers before the next lanes, and how
 * many k follow each other in a lane, which are all it has if that is not said.
 */
const formulas: Record<string, { edge: number; depth: number; high: number; run?: number }> = {
  'cdna2-v_mfma_f32_32x32x8f16': { edge: 32, depth: 8, high: 4 },
  'cdna2-v_mfma_f32_32x32x8bf16_1k': { edge: 32, depth: 8, high: 4 },
  'cdna2-v_mfma_f64_16x16x4f64': { edge: 16, depth: 4, high: 1 },
  'cdna3-v_mfma_f32_32x32x8_f16': { edge: 32, depth: 8, high: 4 },
  'cdna3-v_mfma_f32_32x32x8_bf16': { edge: 32, depth: 8, high: 4 },
  'cdna3-v_mfma_f32_32x32x16_fp8_fp8': { edge: 32, depth: 16, high: 4 },
  'cdna3-v_mfma_f32_32x32x4_xf32': { edge: 32, depth: 4, high: 4 },
  'cdna3-v_mfma_f64_16x16x4_f64': { edge: 16, depth: 4, high: 1 },
  'cdna3-v_mfma_f32_32x32x2_f32': { edge: 32, depth: 2, high: 4 },
  'cdna4-v_mfma_f32_32x32x16_f16': { edge: 32, depth: 16, high: 4 },
  'cdna4-v_mfma_f32_32x32x16_bf16': { edge: 32, depth: 16, high: 4 },
  // As AMD's examples load them (ROCm blog, "Matrix Core Programming on AMD CDNA3 and CDNA4 architecture"): of 8 bits a lane has 16
  // consecutive k and those 32 further on, of 4 bits 32 consecutive k.
  'cdna4-v_mfma_f32_32x32x64_f8f6f4': { edge: 32, depth: 64, high: 4, run: 16 },
  'cdna4-v_mfma_scale_f32_32x32x64_f8f6f4-fp8': { edge: 32, depth: 64, high: 4, run: 16 },
  'cdna4-v_mfma_scale_f32_32x32x64_f8f6f4-fp4': { edge: 32, depth: 64, high: 4 },
};

/**
 * Where AMD's calculator puts each element of an instruction of gfx9 with one block (ROCm/amd_matrix_instruction_calculator, class
 * InstCalcGfx9): of A and B, runs of k go round the lanes, 64 / edge of them, before the next registers; row i is in lane i of each
 * `edge` lanes. Of D, segments of `high` rows go round the lanes in the same way. A lane's scale is that of 32 k of a row: a matrix
 * whose row i and block are in lane edge * block + i.
 */
function elementsByFormula(name: string, matrix: string): string[] {
  const { edge, depth, high, run: given } = formulas[name] ?? assert.fail(name);
  const run = matrix.startsWith('scale-') ? 1 : (given ?? (depth * edge) / 64);
  const around = 64 / edge;
  const places = new Map<string, string>();
  for (let i = 0; i < edge; i++) {
    if (matrix === 'D') {
      const place = Math.floor(i / (high * around)) * high + (i % high);
      for (let j = 0; j < edge; j++) places.set(`${(Math.floor(i / high) % around) * edge + j} ${place}`, `${i} ${j}`);
      continue;
    }
    for (let k = 0; k < (matrix.startsWith('scale-') ? depth / 32 : depth); k++) {
      const lane = edge * (Math.floor(k / run) % around) + i;
      const place = Math.floor(k / (run * around)) * run + (k % run);
      places.set(`${lane} ${place}`, matrix.endsWith('A') ? `${i} ${k}` : `${k} ${i}`);
    }
  }
  const numbersOf = (text: string): number[] => text.split(' ').map(Number);
  return [...places]
    .toSorted(([one], [other]) => {
      const [[lane = 0, place = 0], [lane2 = 0, place2 = 0]] = [numbersOf(one), numbersOf(other)];
      return lane - lane2 || place - place2;
    })
    .map(([at, element]) => `${at} ${element}`);
}

/** Lines of every simulated instruction in the order of lanes and places, by instruction and matrix: "cdna3-v_mfma_f32_32x32x8_f16-A". */
async function simulatedLayouts(): Promise<Map<string, string[]>> {
  const { stdout } = await execa(join(await simulatedDriver('amd'), '../numerics'), ['--layouts', 'amd']);
  const lines = stdout.split('\n').map((line) => line.split(' '));
  return new Map(
    [...Map.groupBy(lines, ([instruction, matrix]) => `${instruction}-${matrix}`)].map(([name, all]) => [
      name,
      all
        .map((words) => words.slice(2).map(Number))
        .toSorted(([lane = 0, place = 0], [lane2 = 0, place2 = 0]) => lane - lane2 || place - place2)
        .map((numbers) => numbers.join(' ')),
    ]),
  );
}

test('every element and scale of fp32’s and of gfx950’s instructions is where AMD’s formula puts it', async () => {
  const simulated = await simulatedLayouts();
  for (const name of Object.keys(formulas)) {
    for (const matrix of ['A', 'B', 'D', ...(name.includes('_scale_') ? ['scale-A', 'scale-B'] : [])])
      assert.deepEqual(simulated.get(`${name}-${matrix}`), elementsByFormula(name, matrix), `${name}-${matrix}`);
  }
  // By hand: row 5, step 9 of a 16-bit 32x32x16 instruction. Eight steps per lane: lane 32 + 5, place 1.
  assert.ok(elementsByFormula('cdna4-v_mfma_f32_32x32x16_f16', 'A').includes('37 1 5 9'));
  // Row 5, step 51 of 32x32x64: of 8 bits 51 = 32 + 16 + 3, the second run of lane 32 + 5; of 4 bits 51 = 32 + 19.
  assert.ok(elementsByFormula('cdna4-v_mfma_f32_32x32x64_f8f6f4', 'A').includes('37 19 5 51'));
  assert.ok(elementsByFormula('cdna4-v_mfma_scale_f32_32x32x64_f8f6f4-fp4', 'A').includes('37 19 5 51'));
  assert.ok(elementsByFormula('cdna4-v_mfma_scale_f32_32x32x64_f8f6f4-fp8', 'A').includes('5 19 5 35'));
  // Its scale is that of k 32 to 63.
  assert.ok(elementsByFormula('cdna4-v_mfma_scale_f32_32x32x64_f8f6f4-fp8', 'scale-A').includes('37 0 5 1'));
});

test(
  'every element of A, B and D of every simulated instruction is where AMD’s tables have it',
  { skip: files.length === 0 ? 'AMD’s tables (shared/data/amd-matrix-layouts) are not here' : false },
  async () => {
    const simulated = await simulatedLayouts();
    const withTable = [...simulated.keys()].map((name) => `${name}.csv`).filter((name) => files.includes(name));
    assert.deepEqual(withTable.toSorted(), files.toSorted(), 'each table is of a simulated instruction');
    // Those without a table are checked by the formula, which reproduces the existing tables.
    for (const name of simulated.keys())
      assert.ok(files.includes(`${name}.csv`) || formulas[name.replace(/-(scale-)?[ABD]$/, '')] !== undefined, name);
    let compared = 0;
    for (const file of files) {
      const found = simulated.get(file.replace('.csv', '')) ?? [];
      assert.deepEqual(found, elementsOf(file), file);
      const [, instruction = '', matrix = ''] = /^(.*)-([ABD])\.csv$/.exec(file) ?? [];
      if (instruction.startsWith('cdna'))
        assert.deepEqual(elementsByFormula(instruction, matrix), elementsOf(file), file);
      compared += found.length;
    }
    // 13 instructions; by hand for one of them, 32x32x8 f16: 64 lanes with 4 numbers of A, 4 of B and 16 of D.
    assert.equal(elementsOf('cdna3-v_mfma_f32_32x32x8_f16-D.csv').length, 64 * 16);
    assert.ok(compared > 13 * 3 * 64);
  },
);
