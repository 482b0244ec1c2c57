import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { RunnerError, type RunnerErrorCode } from '../../../agent/kernels/runner-error.ts';
import type { RunnerEvent } from '../../../agent/kernels/runner-events.ts';
import { type RunnerRequest, runRunner } from '../../../agent/kernels/run-runner.ts';

const folder = mkdtempSync(join(tmpdir(), 'gpumark-runner-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const head = '"schema":"gpumark.native/1","t_ms":1';
const summary = `{${head},"event":"summary","exit_code":0,"seconds":1,"contended":false,"contention_ratio":null}`;
const message = `{${head},"event":"error","device_id":null,"code":"x","message":"m","remedy":"r"}`;

/** A stand-in at the process edge: a shell script in the runner's place. */
function script(name: string, body: string, mode = 0o755): string {
  const path = join(folder, name);
  writeFileSync(path, body.startsWith('#!') || body === '' ? body : `#!/bin/sh\n${body}\n`);
  chmodSync(path, mode);
  return path;
}

async function collect(path: string, more: Partial<RunnerRequest> = {}): Promise<RunnerEvent[]> {
  const events: RunnerEvent[] = [];
  for await (const event of runRunner({ path, args: [], deadline_seconds: 240, ...more })) events.push(event);
  return events;
}

async function failure(path: string, more: Partial<RunnerRequest> = {}): Promise<RunnerError> {
  const error: unknown = await collect(path, more).then(
    () => assert.fail('the run succeeded'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof RunnerError, String(error));
  assert.notEqual(error.remedy, '');
  return error;
}

async function fails(code: RunnerErrorCode, path: string, pattern: RegExp): Promise<void> {
  const error = await failure(path);
  assert.equal(error.code, code);
  assert.match(error.message, pattern);
}

test('events arrive in order, lines split between writes are joined, unknown kinds are skipped', async () => {
  const path = script(
    'ok',
    `printf '%s' '${message.slice(0, 30)}'; echo '${message.slice(30)}'; echo '{${head},"event":"weather"}'; echo '${summary}'`,
  );
  const events = await collect(path);
  assert.deepEqual(
    events.map((event) => event.event),
    ['error', 'summary'],
  );
});

test('a last line without a line feed still counts', async () => {
  const events = await collect(script('no-line-feed', `printf '%s' '${summary}'`));
  assert.equal(events.length, 1);
});

test('a non-zero exit with a summary is an answer, not an error', async () => {
  const events = await collect(script('exit-6', `echo '${summary.replace('"exit_code":0', '"exit_code":6')}'; exit 6`));
  assert.equal(events.at(-1)?.event, 'summary');
});

test('for a missing runner the error says how to build it', async () => {
  await fails('missing', join(folder, 'absent'), /no runner at .*absent/);
});

test('a runner without execute permission is distinguished from a missing one', async () => {
  await fails('not-executable', script('plain', summary, 0o644), /is not executable/);
});

test('a runner that is a folder is not executable', async () => {
  await fails('not-executable', folder, /is not executable/);
});

test('a damaged runner fails with the system’s error', async () => {
  const path = join(folder, 'damaged');
  writeFileSync(path, Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 0]));
  chmodSync(path, 0o755);
  await fails('crashed', path, /without a summary/);
});

test('a line that is not JSON is an error that quotes it', async () => {
  await fails('malformed-line', script('chatty', 'echo hello world'), /hello world/);
});

test('a known event with a field missing is an error, not a half-read event', async () => {
  await fails('malformed-line', script('holes', `echo '{${head},"event":"sample","value":1}'`), /not an event/);
});

test('a value beside a reason, or neither, is refused', async () => {
  const result = (value: string, reason: string) =>
    `echo '{${head},"event":"result","device_id":"d","benchmark":"b","metric":"m","value":${value},"unit":"u","reason":${reason},"stats":null,"verified":null,"engine":"own","details":{}}'`;
  await fails('malformed-line', script('both', result('1', '"r"')), /not an event/);
  await fails('malformed-line', script('neither', result('null', 'null')), /not an event/);
});

test('another protocol version is refused by name', async () => {
  await fails(
    'wrong-schema',
    script('newer', `echo '${summary.replace('native/1', 'native/2')}'`),
    /gpumark\.native\/2/,
  );
});

test('an endless line does not fill the memory', async () => {
  await fails('malformed-line', script('endless', 'head -c 3000000 /dev/zero | tr "\\0" x'), /xxx/);
});

test('death without a summary reports the signal and the end of stderr', async () => {
  const dies = (signal: string): string =>
    script(`dies-${signal}`, `echo '${message}'; echo 'last words' >&2; kill -${signal} $$`);
  await fails('crashed', dies('SEGV'), /SIGSEGV.*last words/s);
  await fails('crashed', dies('KILL'), /SIGKILL.*memory runs out.*last words/s);
});

test('the deadline ends a runner that hangs, even one that ignores SIGTERM', async () => {
  const path = script('hangs', 'trap "" TERM; while :; do :; done');
  const error = await failure(path, { deadline_seconds: 0.3, grace_seconds: 0.2 });
  assert.equal(error.code, 'deadline');
});

test('the deadline begins anew with each report and sign of progress, not with readings of sensors, which go on while a kernel hangs', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  for (const [name, line] of [
    ['reports', message],
    ['slices', `{${head},"event":"progress"}`],
  ] as const) {
    const step = (n: number): string => join(folder, `${name}-${n}`);
    const path = script(
      name,
      `for n in 1 2 3 4 5; do echo '${line}'; until [ -e '${step(0).slice(0, -1)}'$n ]; do sleep 0.01; done; done; echo '${summary}'`,
    );
    let events = 0;
    for await (const event of runRunner({ path, args: [], deadline_seconds: 10 })) {
      events += 1;
      if (event.event === 'summary') break;
      t.mock.timers.tick(9_000);
      writeFileSync(step(events), '');
    }
    assert.equal(events, 6, '45 seconds, none silent for ten');
  }
  const reading = `{${head},"event":"telemetry","device_id":"cpu-0","power_watts":null,"temperature_celsius":null,"clock_mhz":null}`;
  const path = script('readings', `while :; do echo '${reading}'; sleep 0.01; done`);
  const hangs = async (): Promise<void> => {
    for await (const event of runRunner({ path, args: [], deadline_seconds: 10 })) {
      assert.equal(event.event, 'telemetry');
      t.mock.timers.tick(3_000);
    }
  };
  await assert.rejects(hangs(), { code: 'deadline' });
});

test('cancelling stops the runner gracefully and keeps its later events', async () => {
  const last = summary.replace('"exit_code":0', '"exit_code":143');
  const path = script(
    'stops',
    `finish() { echo '${last}'; exit 143; }\ntrap finish TERM\necho '${message}'\nwhile :; do sleep 0.05; done`,
  );
  const controller = new AbortController();
  const events: RunnerEvent[] = [];
  for await (const event of runRunner({ path, args: [], deadline_seconds: 240, cancel_signal: controller.signal })) {
    events.push(event);
    if (event.event === 'error') controller.abort();
  }
  assert.deepEqual(
    events.map((event) => event.event),
    ['error', 'summary'],
  );
});

test('leaving the loop early ends the process', async () => {
  const marker = join(folder, 'ended');
  const path = script('left', `trap "touch '${marker}'; exit 0" TERM\necho '${message}'\nwhile :; do sleep 0.05; done`);
  for await (const event of runRunner({ path, args: [], deadline_seconds: 240 })) {
    assert.equal(event.event, 'error');
    break;
  }
  rmSync(marker);
});

test('text for people is passed on line by line', async () => {
  const lines: string[] = [];
  await collect(script('talks', `echo one >&2; echo two >&2; echo '${summary}'`), {
    on_message: (line) => lines.push(line),
  });
  assert.deepEqual(lines, ['one', 'two']);
});
