import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { root } from '../support/source-files.ts';
import { drawFaults } from './draw-faults.ts';
import type { Fault } from './find-faults.ts';
import { testsFor } from './tests-for.ts';

/**
 * `make mutate [SEED=text] [COUNT=40] [FIRST=0]`: puts small faults into a copy of the product, one at a time, and asks the tests.
 * A fault that no test finds is printed: it is either no fault (the same behaviour in other words) or a test that is missing.
 */
const seed = process.env['SEED'] || 'gpumark';
const count = Number(process.env['COUNT'] || 40);
/** How many of them an earlier run has been through. */
const first = Number(process.env['FIRST'] || 0);

interface Outcome {
  fault: Fault;
  found_by: string | null;
}

const tree = copyOfTree();
const outcomes: Outcome[] = [];
try {
  for (const fault of drawFaults(seed, count).slice(first)) {
    const found_by = await whoFinds(fault);
    outcomes.push({ fault, found_by });
    const { file, line, what, before, after } = fault;
    process.stdout.write(`${found_by === null ? 'NOT FOUND' : 'found    '}  ${file}:${line}  ${what}\n`);
    process.stdout.write(found_by === null ? `  - ${before.trim()}\n  + ${after.trim()}\n` : `  by ${found_by}\n`);
  }
} finally {
  rmSync(join(tree, '..'), { recursive: true, force: true });
}
const found = outcomes.filter(({ found_by }) => found_by !== null).length;
process.stdout.write(`\n${found} of ${outcomes.length} faults found (SEED=${seed})\n`);
process.stdout.write(`${JSON.stringify({ schema: 'gpumark.mutation/1', seed, found, outcomes })}\n`);

/** The working tree with what was built in it, which faults are put into; the rest of its top level is the original's. */
function copyOfTree(): string {
  const copy = join(mkdtempSync(join(tmpdir(), 'gpumark-mutation-')), 'tree');
  const copied = ['agent', 'coordinator', 'test', 'native', 'containers', 'dist'];
  for (const name of copied)
    cpSync(join(root, name), join(copy, name), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  for (const name of readdirSync(root).filter((name) => !copied.includes(name) && name !== 'var'))
    symlinkSync(join(root, name), join(copy, name));
  // Real files of others, which tests read beside the tree where they are.
  symlinkSync(join(root, '../shared'), join(copy, '../shared'));
  return copy;
}

/** The first test that fails with the fault and passes without it. */
async function whoFinds(fault: Fault): Promise<string | null> {
  for (const tests of testsFor(fault.file)) {
    for (let asked = tests; asked.length > 0;) {
      const failing = await withFault(fault, () => firstFailure(asked));
      if (failing === null) break;
      if ((await firstFailure([failing.file])) === null) return `${failing.file}: ${failing.test}`;
      // It fails without the fault as well and says nothing about it; the others are still to be heard.
      process.stdout.write(`  fails without a fault: ${failing.file}: ${failing.test}\n`);
      asked = asked.filter((file) => file !== failing.file);
    }
  }
  return null;
}

async function withFault<T>({ file, line, after }: Fault, work: () => Promise<T>): Promise<T> {
  const path = join(tree, file);
  const sound = readFileSync(path, 'utf8');
  const lines = sound.split('\n');
  lines[line - 1] = after;
  writeFileSync(path, lines.join('\n'));
  try {
    return await work();
  } finally {
    writeFileSync(path, sound);
  }
}

async function firstFailure(tests: readonly string[]): Promise<{ file: string; test: string } | null> {
  const run = execa(process.execPath, [join(tree, 'test/mutation/first-failure.ts'), ...tests], {
    cwd: tree,
    reject: false,
    stdin: 'ignore',
  });
  const { stdout, stderr, exitCode } = await run;
  if (exitCode === 0) return null;
  if (exitCode !== 1) throw new Error(`the tests did not run: ${stderr}`);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as { file: string; test: string };
}
