import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';

/**
 * `make fuzz [ONLY=name] [SEED=text] [STEPS=n]`: every other program of this folder, one after the other, each with hostile calls
 * drawn from a seed. Each prints a table and last one JSON line with its seed, and ends with 0 where nothing was broken.
 */
const only = new Set(process.argv.slice(2));
const names = readdirSync(import.meta.dirname)
  .flatMap((file) => /^(?!main\.ts)(.+)\.ts$/.exec(file)?.[1] ?? [])
  .filter((name) => only.size === 0 || only.has(name));

const runs: { name: string; exit_code: number; result: unknown }[] = [];
for (const name of names) {
  process.stderr.write(`fuzz: ${name}\n`);
  const run = await execa(process.execPath, [join(import.meta.dirname, `${name}.ts`)], {
    stdin: 'ignore',
    stdout: ['pipe', 'inherit'],
    stderr: 'inherit',
    reject: false,
  });
  runs.push({ name, exit_code: run.exitCode ?? 1, result: lastLine(run.stdout) });
}
process.stdout.write(`${JSON.stringify({ schema: 'gpumark.fuzz/1', runs })}\n`);
process.exitCode = runs.length > 0 && runs.every(({ exit_code }) => exit_code === 0) ? 0 : 8;

function lastLine(text: string): unknown {
  try {
    return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as unknown;
  } catch {
    return null;
  }
}
