// The simulated matrix instructions of AMD beside AMD's own tables (answers of its matrix instruction calculator), element by element. With
// a wrong layout in the simulation, a kernel with the same mistake would pass for right.
import assert from 'node:assert/strict';
import { execa } from 'execa';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { simulatedDriver } from './simulated-driver.ts';

const folder = join(import.meta.dirname, '../../../shared/data/amd-matrix-layouts');
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

test(
  'every element of A, B and D of every simulated instruction is where AMD’s tables have it',
  { skip: files.length === 0 ? 'AMD’s tables (shared/data/amd-matrix-layouts) are not here' : false },
  async () => {
    const { stdout } = await execa(join(await simulatedDriver('amd'), '../numerics'), ['--layouts', 'amd']);
    const simulated = Map.groupBy(stdout.split('\n'), (line) => line.split(' ').slice(0, 2).join('-') + '.csv');
    assert.deepEqual([...simulated.keys()].toSorted(), files.toSorted(), 'a table for each, and each for a table');
    let compared = 0;
    for (const file of files) {
      const found = (simulated.get(file) ?? []).map((line) => line.split(' ').slice(2).join(' '));
      assert.deepEqual(found, elementsOf(file), file);
      compared += found.length;
    }
    // 13 instructions; by hand for one of them, 32x32x8 f16: 64 lanes with 4 numbers of A, 4 of B and 16 of D.
    assert.equal(elementsOf('cdna3-v_mfma_f32_32x32x8_f16-D.csv').length, 64 * 16);
    assert.ok(compared > 13 * 3 * 64);
  },
);
