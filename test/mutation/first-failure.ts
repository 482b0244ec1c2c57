import { join, relative } from 'node:path';
import { run } from 'node:test';
import { globalSetup, globalTeardown } from '../support/global-setup.ts';
import { root } from '../support/source-files.ts';

/** Runs test files until one fails: exit code 1 and a line of JSON that names it; 0 if none does. */
const files = process.argv.slice(2).map((file) => join(root, file));
const stopped = new AbortController();
let failure: { file: string; test: string } | null = null;

await globalSetup();
try {
  const events = run({ files, concurrency: 3, timeout: 300_000, signal: stopped.signal });
  for await (const { type, data } of events) {
    if (type !== 'test:fail' || failure !== null) continue;
    failure = { file: relative(root, data.file ?? ''), test: data.name };
    stopped.abort();
  }
} finally {
  await globalTeardown();
}
if (failure !== null) {
  process.stdout.write(`\n${JSON.stringify(failure)}\n`);
  process.exitCode = 1;
}
