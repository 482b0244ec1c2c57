// The harness can fail: a copy of the kernels' source with faults built in, one of which a variable chooses. Each must be found.
import assert from 'node:assert/strict';
import { execa } from 'execa';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { simulatedDriver } from './simulated-driver.ts';
import { faults } from './support/matrix-faults.ts';

const native = join(import.meta.dirname, '../../native');
const simulator = join(import.meta.dirname, '../support/simulated-driver');
let folder = '';

async function replaceIn(path: string, right: string, other: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  assert.ok(text.includes(right), `${path} does not hold: ${right}`);
  await writeFile(path, text.replace(right, other));
}

before(async () => {
  await simulatedDriver('nvidia');
  folder = await mkdtemp(join(tmpdir(), 'gpumark-spoiled-'));
  await cp(join(native, 'device'), join(folder, 'device'), { recursive: true });
  const matrix = join(folder, 'device/matrix');
  for (const [index, { file, right, spoiled }] of faults.entries()) {
    await replaceIn(join(matrix, file), right, spoiled.replaceAll('FAULT', `gpumark_spoiled(${index + 1})`));
  }
  const include = '#include "portable.h"\n';
  const choice = `inline bool gpumark_spoiled(int fault) {
    static const char* const chosen = std::getenv("GPUMARK_SPOILED");
    return chosen && std::atoi(chosen) == fault;
  }\n`;
  await replaceIn(join(folder, 'device/block.h'), include, `${include}#include <cstdlib>\n${choice}`);
  // Only the kernels are built again; what runs them is what was built.
  await cp(join(native, 'build/sim/obj/core'), join(folder, 'out/obj/core'), { recursive: true });
  await rm(join(folder, 'out/obj/core/core/matrix-table.o'));
  const places = [`DEVICE=${folder}/device`, `OUT=${folder}/out`, 'STD='];
  await execa('make', ['-s', '-C', simulator, ...places, `${folder}/out/numerics`]);
});
after(() => rm(folder, { recursive: true }));

const run = (fault: number, kernel: string) =>
  execa(join(folder, 'out/numerics'), ['--kernel', `gpumark_${kernel}`, '--random', '1'], {
    reject: false,
    timeout: 60_000,
    env: { GPUMARK_SPOILED: String(fault) },
  });

for (const [index, { what, kernel }] of faults.entries()) {
  test(`found: ${what}`, async () => {
    const right = await run(0, kernel);
    assert.equal(right.exitCode, 0, right.stdout);
    const wrong = await run(index + 1, kernel);
    assert.notEqual(wrong.exitCode, 0, wrong.stdout);
    // A wrong element, a hang that is noticed, an access beyond an array, or an instruction that a card would be slow at.
    const said = [
      /FAILED/.test(wrong.stdout),
      /simulated instruction: /.test(wrong.stderr),
      wrong.signal === 'SIGSEGV',
    ];
    assert.ok(said.includes(true), `${wrong.stdout}${wrong.stderr}`);
  });
}
