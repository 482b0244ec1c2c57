// The harness can fail: a copy of the kernels' source with faults built in, one of which a variable chooses. Each must be found.
import assert from 'node:assert/strict';
import { execa } from 'execa';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { simulatedDriver } from './simulated-driver.ts';

interface Fault {
  what: string;
  file: string;
  right: string;
  /** What stands there instead; FAULT is true where this one is chosen. */
  spoiled: string;
  kernel: string;
}
const faults: Fault[] = [
  {
    what: 'a wait that lets one group of copies too many be under way',
    file: 'mma-sync-loop.h',
    right: '        copies.template wait<S::kStages - 2>();',
    spoiled: 'if (!FAULT) copies.template wait<S::kStages - 2>(); else copies.template wait<S::kStages - 1>();',
    kernel: 'mma_sync_bf16_128x256x64',
  },
  {
    what: 'no barrier between tiles',
    file: 'mma-sync-loop.h',
    right: 'block_barrier(S::kThreads);\n        write = read;',
    spoiled: 'if (!FAULT) block_barrier(S::kThreads);\n        write = read;',
    kernel: 'mma_sync_fp16_128x256x32',
  },
  {
    what: 'copies to the stage that is being read',
    file: 'mma-sync-loop.h',
    right: 'copy_tiles<S>(copies, sources, write)',
    spoiled: 'copy_tiles<S>(copies, sources, FAULT ? read : write)',
    kernel: 'mma_sync_tf32_128x256x16',
  },
  {
    what: 'a swizzle that reads and writes agree on and that sends two lanes to one bank',
    file: 'mma-sync-shape.h',
    right: 'row % 8 : row / 2 % 4;',
    spoiled: 'row % 8 : FAULT ? row % 4 : row / 2 % 4;',
    kernel: 'mma_sync_fp8_128x128x64',
  },
  {
    what: 'fragments of A with the halves of their depth exchanged',
    file: 'mma-sync-warp.h',
    right: 'chunk_at<S>(row + lane % 16, lane / 16)',
    spoiled: 'chunk_at<S>(row + lane % 16, FAULT ? 1 - lane / 16 : lane / 16)',
    kernel: 'mma_sync_mixed_128x128x32',
  },
  {
    what: 'rows read beyond the last',
    file: 'mma-sync-copy.h',
    right: 'return x < y ? x : y;',
    spoiled: 'return x < y || FAULT ? x : y;',
    kernel: 'mma_sync_fp16_128x128x32',
  },
  {
    what: 'a row written beyond the last',
    file: 'mma-sync-write.h',
    right: 'to_row >= args.m',
    spoiled: '(FAULT ? to_row > args.m : to_row >= args.m)',
    kernel: 'mma_sync_bf16_128x128x32',
  },
  {
    what: 'tiles of the second band in the place of those of the first',
    file: 'mma-sync-shape.h',
    right: '(first + within % rows)',
    spoiled: '((FAULT ? 0 : first) + within % rows)',
    kernel: 'mma_sync_tf32_128x256x32',
  },
  {
    what: 'a wrong chunk of a row of fp64',
    file: 'mma-sync-double.h',
    right: 'load_one(second, address ^ 32)',
    spoiled: 'load_one(second, address ^ (FAULT ? 64 : 32))',
    kernel: 'mma_sync_fp64_128x128x16_k8',
  },
  {
    what: 'the tile that is being read overwritten by registers',
    file: 'mma-sync-loop.h',
    right: 'fetched.store(sources, shared + stage)',
    spoiled: 'fetched.store(sources, shared + (FAULT ? S::kStageBytes - stage : stage))',
    kernel: 'mma_sync_fp16_128x128x32_turing',
  },
];

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
  const include = '#include "../block.h"\n';
  const choice = `inline bool gpumark_spoiled(int fault) {
    static const char* const chosen = std::getenv("GPUMARK_SPOILED");
    return chosen && std::atoi(chosen) == fault;
  }\n`;
  await replaceIn(join(matrix, 'mma-sync-ops.h'), include, `${include}#include <cstdlib>\n${choice}`);
  // Only the kernels are built again; what runs them is what was built.
  await cp(join(native, 'build/sim/obj/core'), join(folder, 'out/obj/core'), { recursive: true });
  await rm(join(folder, 'out/obj/core/core/matrix-table.o'));
  const places = [`DEVICE=${folder}/device`, `OUT=${folder}/out`];
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
