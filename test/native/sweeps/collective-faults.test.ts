import assert from 'node:assert/strict';
import { execa } from 'execa';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { built } from '../built-runner.ts';
import { makeId, parseEvents, runCollectiveJob, simEnvironment } from '../support/collective-job.ts';

for (const { fault, name } of [
  { fault: 'wrong-sum@3', name: 'all-reduce' },
  { fault: 'wrong-copy@3', name: 'broadcast' },
]) {
  test(`one wrong element of one ${name} on one rank of four removes the figures of all nodes`, async () => {
    const runs = await runCollectiveJob({ nodes: 2, devices: 2, sim: { COLLECTIVE_FAULT: fault } });
    for (const { exitCode, measured, error } of runs) {
      assert.equal(measured, undefined);
      assert.equal(exitCode, 6);
      assert.equal(error?.code, 'verification_failed');
    }
    // 1 MiB are 262144 floats; the last one is wrong.
    const message = runs[1]?.error?.message ?? '';
    assert.match(
      message,
      new RegExp(`^${name} of 1048576 bytes: 1 of 262144 elements are wrong on rank 3 \\(GPU-02.*the first at 262143$`),
    );
    assert.match(runs[0]?.error?.message ?? '', /wrong on a rank of another node/);
  });
}

test('if a node never joins, the others stop waiting at the deadline, with the reason', async () => {
  const runs = await runCollectiveJob({ nodes: 3, missing: 2, deadline_seconds: 2 });
  assert.equal(runs.length, 2);
  for (const { exitCode, error, measured, seconds } of runs) {
    assert.equal(exitCode, 4);
    assert.equal(measured, undefined);
    assert.equal(error?.code, 'collective_deadline');
    assert.match(error.message, /waiting for all 3 ranks to join/);
    assert.ok(seconds >= 2, `${seconds} s`);
  }
});

test('if a node hangs in the middle, all end at the deadline', async () => {
  // On a busy machine two processes may take seconds until they measure; a hanging node would wait forever.
  const deadline_seconds = 8;
  const runs = await runCollectiveJob({ nodes: 2, deadline_seconds, sim: { COLLECTIVE_FAULT: 'stall@1:4' } });
  for (const { exitCode, error, seconds } of runs) {
    assert.equal(exitCode, 4);
    assert.match(error?.message ?? '', /(the deadline passed while|while measuring: remote process exited)/);
    assert.ok(seconds >= deadline_seconds, `${seconds} s`);
  }
  // The process that ends slightly later finds the other gone.
  assert.ok(runs.some(({ error }) => error?.message.includes('the deadline passed while measuring')));
});

test('if a node dies in the middle, the others end by the network error, not by the deadline', async () => {
  const [first] = await runCollectiveJob({ nodes: 2, deadline_seconds: 240, sim: { COLLECTIVE_FAULT: 'leave@1:4' } });
  assert.equal(first?.exitCode, 4);
  assert.equal(first.error?.code, 'collective_failed');
  assert.match(first.error.message, /while measuring: remote process exited or there was a network error \(6\)/);
});

test('if a library cannot join, its own error message is reported', async () => {
  const [first] = await runCollectiveJob({ nodes: 2, missing: 1, sim: { COLLECTIVE_FAULT: 'init-error' } });
  assert.equal(first?.exitCode, 4);
  assert.match(first.error?.message ?? '', /unhandled system error: the simulated network has no interface \(2\)/);
});

test('too little memory on one node is reported by all', async () => {
  const runs = await runCollectiveJob({
    nodes: 2,
    simOf: (node): Record<string, string> => (node === 1 ? { FAULT: 'out-of-memory:1' } : {}),
  });
  for (const { exitCode, error } of runs) {
    assert.equal(exitCode, 4);
    assert.equal(error?.code, 'out_of_memory');
  }
});

test('an invalid id is refused and not printed', async () => {
  const path = await built('gpumark-runner');
  const env = await simEnvironment('nvidia', 'collective-nvidia', {});
  const args = ['collective', '--first-rank', '0', '--ranks', '2', '--deadline-seconds', '5'];
  for (const input of ['', 'abc\n', `${'0'.repeat(255)}G\n`, `${'A'.repeat(256)}\n`]) {
    const run = await execa(path, args, { env, extendEnv: false, reject: false, input });
    assert.equal(run.exitCode, 2);
    assert.match(run.stdout, /stdin does not hold an id of 256 hexadecimal digits/);
    assert.ok(input.length < 5 || !run.stdout.includes(input.trim()));
  }
});

test('SIGTERM ends the wait for the others; the process that keeps the id ends with its stdin', async () => {
  const path = await built('gpumark-runner');
  const env = await simEnvironment('nvidia', 'collective-nvidia', {});
  const { id, maker } = await makeId('nvidia', env);
  const args = ['collective', '--first-rank', '0', '--ranks', '2', '--deadline-seconds', '240'];
  const waiting = execa(path, args, { env, extendEnv: false, reject: false, input: `${id}\n` });
  const about = (file: string): string => readFileSync(`/proc/${waiting.pid}/${file}`, 'utf8');
  // SIGTERM is bit 14 of the signals that it catches.
  const catches = (): boolean =>
    (parseInt(/^SigCgt:\s+(\w+)$/m.exec(about('status'))?.[1]?.slice(-4) ?? '0', 16) & 0x4000) !== 0;
  while (!catches()) await setImmediate();
  // Anyone with the id can join, and any user can read command lines.
  assert.ok(about('cmdline').includes('--first-rank') && !about('cmdline').includes(id));
  waiting.kill('SIGTERM');
  const ended = await waiting;
  assert.equal(ended.exitCode, 143);
  assert.equal(parseEvents(ended.stdout).find((event) => event.event === 'error')?.code, 'interrupted');
  maker.stdin.end();
  assert.equal((await maker).exitCode, 0);
});
