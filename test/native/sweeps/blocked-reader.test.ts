import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../support/until.ts';
import { ofKind } from '../built-runner.ts';
import { readRun, runnerOn } from '../simulated-gpus.ts';

/** CPU time of the process in hundredths of a second, and whether any of its threads is runnable. */
function ticks(pid: number): { used: number; ready: boolean } {
  const all = readdirSync(`/proc/${pid}/task`).map((task) => {
    try {
      return fieldsOf(`/proc/${pid}/task/${task}/stat`);
    } catch {
      // A thread that ended since the list was made.
      return [];
    }
  });
  const [, ...rest] = fieldsOf(`/proc/${pid}/stat`);
  return { used: Number(rest[10]) + Number(rest[11]), ready: all.some(([state]) => state === 'R') };
}

/** From the state on: the name before it may hold anything. */
const fieldsOf = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');

/** Leaves one page of the kernel's usual 64 KiB: less than the output of any run. */
const FILLED = 60 * 1024;

/** A nearly full pipe without a reader; Node's own pipes are sockets with larger buffers. */
function pipe(): { reader: number; writer: number } {
  const folder = mkdtempSync(join(tmpdir(), 'gpumark-pipe-'));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  // Non-blocking, since the other end is opened next.
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  rmSync(folder, { recursive: true });
  assert.equal(writeSync(writer, '\n'.repeat(FILLED)), FILLED);
  return { reader, writer };
}

test('a reader that does not read delays no card: everything is measured before the first line is read', async (t) => {
  const { path, options } = await runnerOn({ drivers: ['nvidia'] });
  const { reader, writer } = pipe();
  const args = ['run', '--device', 'cuda', '--benchmarks', 'clock,fma,copy,memory,dispatch', '--time-scale', '0.3'];
  const child = spawn(path, args, { env: options.env, stdio: ['ignore', writer, 'ignore'] });
  // A runner blocked on its reader would never end by itself.
  t.after(() => child.kill('SIGKILL'));
  closeSync(writer);
  const begin = Date.now();
  const closed = once(child, 'close');
  const pid = child.pid ?? 0;
  // Until only writing is left: it has used CPU time, and then none for a while.
  let [used, rested] = [0, 0];
  await until('the runner rests', () => {
    const now = ticks(pid);
    rested = !now.ready && now.used - used <= 1 && now.used > 50 ? rested + 1 : 0;
    used = now.used;
    return rested >= 40;
  });
  const rest = Date.now() - begin;
  let text = '';
  const bytes = Buffer.alloc(1 << 16);
  await until('all is read', () => {
    try {
      const count = readSync(reader, bytes);
      text += bytes.toString('utf8', 0, count);
      return count === 0;
    } catch {
      // No data at the moment.
      return false;
    }
  });
  closeSync(reader);
  const [code] = (await closed) as [number];
  const { events, exitCode } = readRun(text.trim(), code);
  assert.equal(exitCode, 0);
  assert.ok(text.length > 65536, `${text.length - FILLED} characters of its own`);
  const ends = ofKind(events, 'phase').filter((phase) => phase.state === 'end');
  assert.equal(ends.length, 5);
  for (const { benchmark, t_ms } of ends)
    assert.ok(t_ms < rest, `${benchmark} ended at ${t_ms} ms, read from ${rest} ms on`);
});
