import assert from 'node:assert/strict';
import { execa } from 'execa';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { parseLine } from '../../agent/kernels/parse-line.ts';
import { built } from './built-runner.ts';

// One benchmark of 60 s that says nothing for its first 15: whoever looks between benchmarks, or when a line fails, is late.
const long = ['run', '--benchmarks', 'gemm_fp32', '--tier', 'standard'];
const limit_seconds = 5;

let runner = '';
before(async () => {
  runner = await built('gpumark-runner');
});

/** False once the process has ended, also while nobody has collected its exit code yet. */
function isRunning(pid: number): boolean {
  try {
    // The state follows the name, which is in parentheses; Z is a process that has ended.
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function endsSoon(pid: number): Promise<boolean> {
  for (const until = Date.now() + limit_seconds * 1000; Date.now() < until; await wait(50)) {
    if (!isRunning(pid)) return true;
  }
  process.kill(pid, 'SIGKILL');
  return false;
}

test('a reader that goes away in the middle of a long benchmark ends the run by exit 1 within seconds', async () => {
  const child = execa(runner, long, { reject: false, buffer: false, stderr: 'ignore' });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('"event":"phase"')) child.stdout.destroy();
  });
  await new Promise((resolve) => child.stdout.once('close', resolve));
  assert.ok(child.pid !== undefined && (await endsSoon(child.pid)));
  assert.equal((await child).exitCode, 1);
});

test('a parent killed without a chance to stop the runner takes it along within seconds', async () => {
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
  assert.ok(pid > 1 && isRunning(pid));
  parent.kill('SIGKILL');
  await parent;
  assert.ok(await endsSoon(pid));
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
  assert.ok(await endsSoon(Number(stdout)));
  const events = readFileSync(file, 'utf8').trim().split('\n').map(parseLine);
  const last = events.at(-1);
  assert.ok(last?.event === 'summary' && last.exit_code === 0);
  rmSync(folder, { recursive: true });
});
