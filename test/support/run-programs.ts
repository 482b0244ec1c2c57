import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';

interface Programs {
  /** What the whole is called: before each name on stderr, and in the schema of the last line. */
  suite: string;
  folder: string;
  /** Its one group is the name of a program; a file that it does not match is none. */
  files: RegExp;
}

/**
 * The programs of a folder, those named in `argv` or all, one after the other. Each prints a table and last one JSON line and
 * ends with 0 if all that it promises holds. The last line here gathers theirs; the exit code is 8 unless all ended with 0.
 */
export async function runPrograms({ suite, folder, files }: Programs, argv: readonly string[]): Promise<number> {
  const only = new Set(argv);
  const names = readdirSync(folder)
    .flatMap((file) => files.exec(file)?.[1] ?? [])
    .filter((name) => only.size === 0 || only.has(name));
  const runs: { name: string; exit_code: number; result: unknown }[] = [];
  for (const name of names) {
    process.stderr.write(`${suite}: ${name}\n`);
    const run = await execa(process.execPath, [join(folder, `${name}.ts`)], {
      stdin: 'ignore',
      stdout: ['pipe', 'inherit'],
      stderr: 'inherit',
      reject: false,
    });
    runs.push({ name, exit_code: run.exitCode ?? 1, result: lastLine(run.stdout) });
  }
  process.stdout.write(`${JSON.stringify({ schema: `gpumark.${suite}/1`, runs })}\n`);
  return runs.length > 0 && runs.every(({ exit_code }) => exit_code === 0) ? 0 : 8;
}

function lastLine(text: string): unknown {
  try {
    return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as unknown;
  } catch {
    return null;
  }
}
