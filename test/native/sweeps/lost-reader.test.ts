import assert from 'node:assert/strict';
import { execa } from 'execa';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { parseLine } from '../../../agent/kernels/parse-line.ts';
import { until } from '../../support/until.ts';
import { built } from '../built-runner.ts';

// One benchmark of 60 s that prints nothing for the first 15 s: a check between benchmarks, or on a failed write, would
// be too late.
const long = ['run', '--benchmarks', 'gemm_fp32', '--tier', 'standard', '--threads', '1'];
/** CPU seconds; a full run takes 60, and a busy machine only gives less. */
const most_core_seconds = 8;

let runner = '';
before(async () => {
  runner = await built('gpumark-runner');
});

/** CPU seconds of the process so far; null once it has ended, even as a zombie. */
function coreSeconds(pid: number): number | null {
  try {
    // The fields after the name, which is in parentheses: the state, Z for one that has ended, and 11 later two times in hundredths.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return /[ZX]/.test(fields[0] ?? '') ? null : (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return null;
  }
}

/** Waits for its end and returns its CPU seconds shortly before. */
async function coreSecondsAtEnd(pid: number): Promise<number> {
  let used = 0;
  await until('the runner ends', () => {
    const now = coreSeconds(pid);
    used = now ?? used;
    return now === null;
  });
  return used;
}

test('losing the reader in the middle of a long benchmark ends the run with exit 1 long before its end', async () => {
  const child = execa(runner, long, { reject: false, buffer: false, stderr: 'ignore' });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('"event":"phase"')) child.stdout.destroy();
  });
  await new Promise((resolve) => child.stdout.once('close', resolve));
  assert.ok((await coreSecondsAtEnd(child.pid ?? 0)) < most_core_seconds);
  assert.equal((await child).exitCode, 1);
});

test('a runner whose parent is killed ends long before the end of its run', async () => {
  // The parent says the runner's process id, then passes its output on until it is killed.
  const script = `
    const runner = require('node:child_process').spawn(process.argv[1], process.argv.slice(2), { stdio: ['ignore', 'pipe', 'ignore'] });
    process.stdout.write(runner.pid + '\\n');
    runner.stdout.pipe(process.stdout);`;
  const parent = execa(process.execPath, ['-e', script, runner, ...long], { reject: false, buffer: false });
  let text = '';
  for await (const chunk of parent.stdout.setEncoding('utf8')) {
    text += String(chunk);
    if (text.includes('"event":"phase"')) break;
  }
  const pid = Number(text.split('\n')[0]);
  assert.ok(pid > 1 && coreSeconds(pid) !== null);
  parent.kill('SIGKILL');
  await parent;
  assert.ok((await coreSecondsAtEnd(pid)) < most_core_seconds);
});

test('a run into a file outlives the shell that started it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gpumark-file-'));
  const file = join(folder, 'run.ndjson');
  // The shell has gone when execa returns; the runner has 0.5 s of measuring before it.
  const { stdout } = await execa('sh', [
    '-c',
    `"$0" run --benchmarks clock > "$1" 2> /dev/null < /dev/null & echo $!`,
    runner,
    file,
  ]);
  await coreSecondsAtEnd(Number(stdout));
  const events = readFileSync(file, 'utf8').trim().split('\n').map(parseLine);
  const last = events.at(-1);
  assert.ok(last?.event === 'summary' && last.exit_code === 0);
  rmSync(folder, { recursive: true });
});
