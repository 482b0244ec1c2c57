import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { closingTable, type ClosingRow } from './closing-table.ts';

/** One program of a folder: `NAME.ts` prints a table and last one JSON line, and ends with 0 if all that it promises holds. */
export interface Program {
  name: string;
  /** what it proves, in one short sentence */
  promise: string;
  /** One of those that `--fast` runs: a minute or less. */
  fast?: true;
}

interface Programs {
  /** What the whole is called: before each name on stderr, and in the schema of the last line. */
  suite: string;
  folder: string;
  /** in the order of their runs; `main.ts` beside them is not one */
  programs: readonly Program[];
}

/**
 * The programs of a folder, those named in `argv` or all (`--fast`: those that are), one after the other, then one table of
 * all: program, promise, passed or failed, minutes. The last line gathers theirs; the exit code is 8 unless all passed.
 */
export async function runPrograms(suite: Programs, argv: readonly string[]): Promise<number> {
  const chosen = choose(suite, argv);
  const runs: (ClosingRow & { name: string; exit_code: number; result: unknown })[] = [];
  for (const { name, promise } of chosen) {
    process.stderr.write(`${suite.suite}: ${name}\n`);
    const began = performance.now();
    const run = await execa(process.execPath, [join(suite.folder, `${name}.ts`)], {
      stdin: 'ignore',
      stdout: ['pipe', 'inherit'],
      stderr: 'inherit',
      reject: false,
    });
    runs.push({
      name,
      promise,
      passed: run.exitCode === 0,
      seconds: (performance.now() - began) / 1000,
      exit_code: run.exitCode ?? 1,
      result: lastLine(run.stdout),
    });
  }
  const passed = runs.length > 0 && runs.every((run) => run.passed);
  process.stdout.write(`\n${closingTable(runs)}\n`);
  process.stdout.write(`${JSON.stringify({ schema: `gpumark.${suite.suite}/1`, passed, runs })}\n`);
  return passed ? 0 : 8;
}

/** @throws if the list and the folder differ: a program without a promise, a promise without a program, an unknown name */
function choose({ suite, folder, programs }: Programs, argv: readonly string[]): readonly Program[] {
  const listed = new Set(programs.map(({ name }) => name));
  const files = readdirSync(folder).flatMap((file) => /^(?!main\.ts)(.+)\.ts$/.exec(file)?.[1] ?? []);
  const unequal = listed.symmetricDifference(new Set(files));
  if (unequal.size > 0) throw new Error(`${suite}: listed or in ${folder}, not both: ${[...unequal].join(', ')}`);
  const only = new Set(argv.filter((word) => word !== '--fast'));
  const unknown = only.difference(listed);
  if (unknown.size > 0) throw new Error(`${suite}: no ${[...unknown].join(', ')}; there is ${[...listed].join(', ')}`);
  if (only.size > 0) return programs.filter(({ name }) => only.has(name));
  return argv.includes('--fast') ? programs.filter(({ fast }) => fast === true) : programs;
}

function lastLine(text: string): unknown {
  try {
    return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as unknown;
  } catch {
    return null;
  }
}
