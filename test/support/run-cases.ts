import { styleText } from 'node:util';
import { withLifetime, type Lifetime } from './lifetime.ts';

/** One promise of a program, kept unless `run` throws. */
export interface Case {
  title: string;
  run: (t: Lifetime) => Promise<void>;
}

/**
 * A program (see run-programs.ts) of cases, one after the other: a line for each, last the JSON line, exit code 8 unless all
 * held. `why`: the sentence why none of them can be tried here, which is not a success.
 */
export async function runCases(name: string, cases: readonly Case[], why: string | null = null): Promise<void> {
  const rows: { title: string; passed: boolean; seconds: number; error: string | null }[] = [];
  for (const { title, run } of why === null ? cases : []) {
    const began = performance.now();
    const error = await withLifetime(run).then(
      () => null,
      (thrown: unknown) => (thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)),
    );
    const row = { title, passed: error === null, seconds: (performance.now() - began) / 1000, error };
    rows.push(row);
    const result = styleText(row.passed ? 'green' : 'red', row.passed ? 'passed' : 'FAILED');
    process.stdout.write(`${result} ${row.seconds.toFixed(0).padStart(5)} s  ${title}\n`);
    if (error !== null) process.stdout.write(`${error}\n`);
  }
  if (why !== null) process.stdout.write(`${why}\n`);
  const passed = rows.length > 0 && rows.every((row) => row.passed);
  process.stdout.write(`${JSON.stringify({ program: name, passed, skipped: why, rows })}\n`);
  process.exitCode = passed ? 0 : 8;
}
