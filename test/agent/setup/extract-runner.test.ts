import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ExitError } from '../../../agent/run/exit-error.ts';
import { extractRunner } from '../../../agent/setup/extract-runner.ts';
import { testHost } from '../support/test-host.ts';

const program = Buffer.from('#!/bin/sh\nexit 0\n');
const runner = { sha256: createHash('sha256').update(program).digest('hex'), bytes: program };

test('the runner is unpacked by its hash, executable, once', async (t) => {
  const { folder } = testHost(t);
  const path = await extractRunner(runner, [folder]);
  assert.equal(path, join(folder, runner.sha256, 'gpumark-runner'));
  assert.equal(statSync(path).mode & 0o777, 0o755);
  const { ino } = statSync(path);
  await extractRunner(runner, [folder]);
  assert.equal(statSync(path).ino, ino);
});

test('a damaged copy is replaced and never executed', async (t) => {
  const { folder } = testHost(t);
  const path = await extractRunner(runner, [folder]);
  const trace = join(folder, 'started');
  writeFileSync(path, `#!/bin/sh\ntouch ${trace}\n`);
  await extractRunner(runner, [folder]);
  assert.deepEqual(readFileSync(path), program);
  assert.ok(!readdirSync(folder).includes('started'));
});

test('a copy that others could write to, a link, and a second name of another file are not started but replaced', async (t) => {
  const { folder } = testHost(t);
  const path = await extractRunner(runner, [folder]);
  const elsewhere = join(folder, 'elsewhere');
  const placed: (() => void)[] = [
    () => chmodSync(path, 0o777),
    () => {
      copyFileSync(path, elsewhere);
      rmSync(path);
      symlinkSync(elsewhere, path);
    },
    () => {
      rmSync(path);
      linkSync(elsewhere, path);
    },
  ];
  for (const place of placed) {
    place();
    const { ino } = statSync(path);
    assert.equal(await extractRunner(runner, [folder]), path);
    const entry = lstatSync(path);
    assert.ok(entry.isFile() && entry.nlink === 1 && entry.ino !== ino);
    assert.equal(entry.mode & 0o777, 0o755);
  }
});

test('a folder of that hash that others may write to, or that is a link, is not unpacked into', async (t) => {
  for (const place of [
    (path: string) => {
      mkdirSync(path);
      chmodSync(path, 0o777);
    },
    (path: string) => symlinkSync('/tmp', path),
  ]) {
    const { folder } = testHost(t);
    place(join(folder, runner.sha256));
    await assert.rejects(extractRunner(runner, [folder]), /is not a directory that only we may write to/);
  }
});

test('many agents unpacking at once all get the complete runner, and leave no other files', async (t) => {
  const { folder } = testHost(t);
  await Promise.all(Array.from({ length: 8 }, () => extractRunner(runner, [folder])));
  assert.deepEqual(readdirSync(join(folder, runner.sha256)), ['gpumark-runner']);
});

test('if the first directory cannot hold a program the next one is used', async (t) => {
  const { folder } = testHost(t);
  const path = await extractRunner(runner, ['/proc/nowhere', folder]);
  assert.ok(path.startsWith(folder));
});

test('if none can, the error names each with the remedy', async () => {
  await assert.rejects(extractRunner(runner, ['/proc/nowhere']), (error: unknown) => {
    assert.ok(error instanceof ExitError);
    assert.equal(error.code, 2);
    assert.match(error.message, /\/proc\/nowhere/);
    return true;
  });
});
