import { resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { root } from '../support/source-files.ts';
import { CoverageByArea } from './coverage-by-area.ts';
import { shareProcesses } from './share-processes.ts';
import { Silence } from './silence.ts';
import { SlowestFiles } from './slowest-files.ts';

/** For a hang, not for slowness: ten times what the longest test takes beside four busy processes. */
const TEST_TIMEOUT_MS = 1_800_000;
/** Files report in their order, so one that takes long keeps the others' events back: a little more than its longest test. */
const SILENCE_MS = TEST_TIMEOUT_MS + 300_000;

export interface RunOptions {
  /** how many processes at a time */
  atOnce: number;
  signal: AbortSignal;
  coverage?: boolean;
  /** Files that need no process of their own share one. */
  shares: boolean;
}

/** Runs test files with node's own runner, whose closing lines come last; true if all passed. */
export async function runFiles(files: readonly string[], options: RunOptions): Promise<boolean> {
  if (!options.shares) return report(files, options);
  const shared = shareProcesses(files, options.atOnce);
  try {
    return await report(shared.entries, options);
  } finally {
    shared.remove();
  }
}

function report(files: readonly string[], { atOnce, signal, coverage = false }: RunOptions): Promise<boolean> {
  return new Promise((done, reject) => {
    let green = false;
    const silenced = new AbortController();
    const events = run({
      files: files.map((file) => resolve(root, file)),
      concurrency: atOnce,
      timeout: TEST_TIMEOUT_MS,
      signal: AbortSignal.any([signal, silenced.signal]),
      coverage,
      coverageIncludeGlobs: ['agent/**', 'coordinator/**'],
    });
    events.on('test:summary', ({ file, success }) => {
      if (file === undefined) green = success;
    });
    const silence = new Silence(SILENCE_MS, () => {
      process.stderr.write(
        `No test has begun or ended for ${SILENCE_MS / 60_000} minutes: a file that failed below does not end.\n`,
      );
      silenced.abort();
    });
    const lines = events.pipe(silence).pipe(new CoverageByArea()).pipe(new SlowestFiles()).pipe(new spec());
    lines.on('end', () => done(green)).on('error', reject);
    lines.pipe(process.stdout, { end: false });
  });
}
