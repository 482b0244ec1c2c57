import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { globalSetup, globalTeardown } from '../support/global-setup.ts';
import { beginProof } from '../support/proof.ts';
import { chooseFiles } from './choose-files.ts';
import { CoverageByArea } from './coverage-by-area.ts';
import { groupFiles } from './group-files.ts';
import { Silence } from './silence.ts';
import { SlowestFiles } from './slowest-files.ts';
import { needsDatabase } from './starts-process.ts';

/**
 * `make test [ONLY="coordinator/jobs agent/links"]`, `make test-fast`. Ends with the runner's own closing lines.
 * Five files at a time keep two cores busy while some of them wait.
 */
const CONCURRENCY = 5;
/** For a hang, not for slowness: the longest test took 330 s on a machine whose host gave it half of its cores. */
const TEST_TIMEOUT_MS = 900_000;
/** Files report in their order, so one that takes long keeps the others' events back: more than its longest test. */
const SILENCE_MS = 2 * TEST_TIMEOUT_MS;

const { values, positionals: areas } = parseArgs({
  options: { fast: { type: 'boolean', default: false }, coverage: { type: 'boolean', default: false } },
  allowPositionals: true,
});
process.exitCode = await runTests();

async function runTests(): Promise<number> {
  const native = beginProof('native');
  const { proven } = native;
  let files: string[];
  try {
    files = chooseFiles(areas, { fast: values.fast, proven });
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 2;
  }
  const stopped = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopped.abort());
  if (proven && areas.length === 0)
    process.stdout.write('native/ is as it was at the last full run: its sweeps are left out, FULL=1 runs them\n');
  const withDatabase = files.some(needsDatabase);
  if (withDatabase) await globalSetup();
  const groups = groupFiles(files, CONCURRENCY);
  try {
    const green = await reportOf(groups.entries, stopped);
    if (green && !proven && areas.length === 0 && !values.fast) native.record(new Date());
    return green ? 0 : 1;
  } finally {
    groups.remove();
    if (withDatabase) await globalTeardown();
  }
}

function reportOf(files: string[], stopped: AbortController): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let green = false;
    const events = run({
      files,
      concurrency: CONCURRENCY,
      timeout: TEST_TIMEOUT_MS,
      signal: stopped.signal,
      coverage: values.coverage,
      coverageIncludeGlobs: ['agent/**', 'coordinator/**'],
    });
    events.on('test:summary', ({ file, success }) => {
      if (file === undefined) green = success;
    });
    const silence = new Silence(SILENCE_MS, () => {
      process.stderr.write(
        `No test has begun or ended for ${SILENCE_MS / 60_000} minutes: a file that failed below does not end.\n`,
      );
      stopped.abort();
    });
    const report = events.pipe(silence).pipe(new CoverageByArea()).pipe(new SlowestFiles()).pipe(new spec());
    report.on('end', () => resolve(green)).on('error', reject);
    report.pipe(process.stdout, { end: false });
  });
}
