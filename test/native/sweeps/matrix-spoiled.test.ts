// The harness can fail: a copy of the kernels' source with faults built in, one of which a variable chooses. Each must be found.
import assert from 'node:assert/strict';
import { execa } from 'execa';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { simulatedDriver } from '../simulated-driver.ts';
import { plainFaults } from '../support/matrix-faults.ts';
import { lanesFaults } from '../support/matrix-faults-lanes.ts';
import { scaledFaults } from '../support/matrix-faults-scaled.ts';

const faults = [...plainFaults, ...scaledFaults, ...lanesFaults];
const native = join(import.meta.dirname, '../../../native');
const simulator = join(import.meta.dirname, '../../support/simulated-driver');
/** Kept between runs; out-of-date files are rebuilt. */
const folder = join(native, 'build/spoiled');

const include = '#include "portable.h"\n';
const choice = `inline bool gpumark_spoiled(int fault) {
  static const char* const chosen = std::getenv("GPUMARK_SPOILED");
  return chosen && std::atoi(chosen) == fault;
}\n`;
const replacements = [
  { path: 'block.h', right: include, other: `${include}#include <cstdlib>\n${choice}` },
  ...faults.map(({ file, right, spoiled }, index) => ({
    path: join('matrix', file),
    right,
    other: spoiled.replaceAll('FAULT', `gpumark_spoiled(${index + 1})`),
  })),
];

/** The kernels' source with the faults, written where it is another than the last time. */
async function spoil(): Promise<void> {
  const names = await readdir(join(native, 'device'), { recursive: true, withFileTypes: true });
  for (const name of names.filter((one) => one.isFile())) {
    const from = join(name.parentPath, name.name);
    const path = from.slice(join(native, 'device/').length);
    let text = await readFile(from, 'utf8');
    for (const { right, other } of replacements.filter((one) => one.path === path)) {
      assert.ok(text.includes(right), `${path} does not hold: ${right}`);
      text = text.replace(right, other);
    }
    const to = join(folder, 'device', path);
    await mkdir(dirname(to), { recursive: true });
    if ((await readFile(to, 'utf8').catch(() => null)) !== text) await writeFile(to, text);
  }
}

before(async () => {
  await simulatedDriver('nvidia');
  await spoil();
  // Only the kernels are rebuilt; the code that runs them is reused.
  await cp(join(native, 'build/sim/obj/core'), join(folder, 'out/obj/core'), {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !path.endsWith('/matrix-table.o') && !path.endsWith('/matrix-table.d'),
  });
  const places = [`DEVICE=${folder}/device`, `OUT=${folder}/out`, 'STD='];
  await execa('make', ['-s', '-C', simulator, ...places, `${folder}/out/numerics`]);
});

const run = (fault: number, kernel: string) =>
  execa(join(folder, 'out/numerics'), ['--kernel', `gpumark_${kernel}`, '--random', '1'], {
    reject: false,
    env: { GPUMARK_SPOILED: String(fault) },
  });
const sound = new Map<string, ReturnType<typeof run>>();

for (const fault of faults) {
  const { what, kernel } = fault;
  test(`found: ${what}`, async () => {
    const right = await sound.getOrInsertComputed(kernel, () => run(0, kernel));
    assert.equal(right.exitCode, 0, right.stdout);
    const wrong = await run(faults.indexOf(fault) + 1, kernel);
    assert.notEqual(wrong.exitCode, 0, wrong.stdout);
    // A wrong element, a detected hang, an access out of bounds, or an instruction that would be slow on a card.
    const said = [
      /FAILED/.test(wrong.stdout),
      /simulated instruction: /.test(wrong.stderr),
      wrong.signal === 'SIGSEGV',
    ];
    assert.ok(said.includes(true), `${wrong.stdout}${wrong.stderr}`);
  });
}
