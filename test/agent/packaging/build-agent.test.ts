import assert from 'node:assert/strict';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { execa } from 'execa';

/** `make agent` builds it; `make test` does that first. */
const agent = join(import.meta.dirname, '..', '..', '..', 'dist', 'gpumark-agent');
const NOBODY = 65534;

/** An empty directory, an empty PATH and a home that cannot be written: all that the agent may count on. */
function bareMachine(t: TestContext, owner: number) {
  const folder = mkdtempSync(join(tmpdir(), 'gpumark-bare-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [empty, home, temporary] = ['empty', 'home', 'tmp'].map((name) => join(folder, name));
  for (const path of [empty, home, temporary]) if (path !== undefined) mkdirSync(path);
  chmodSync(folder, 0o755);
  if (temporary !== undefined) chownSync(temporary, owner, owner);
  if (home !== undefined) chmodSync(home, 0o555);
  const run = (args: string[]) =>
    execa(agent, args, {
      cwd: empty ?? folder,
      extendEnv: false,
      env: { PATH: '', HOME: home ?? '', TMPDIR: temporary ?? '' },
      uid: owner,
      gid: owner,
      reject: false,
      timeout: 60_000,
    });
  return { run, empty: empty ?? '', home: home ?? '', temporary: temporary ?? '' };
}

// Only root can become another user; a user's own home is as unwritable for the mode above.
const owner = process.getuid?.() === 0 ? NOBODY : (process.getuid?.() ?? NOBODY);

test('the agent is one file that prepares itself from an empty directory, an empty PATH and an unwritable home', async (t) => {
  assert.ok(existsSync(agent), 'run make agent first');
  const { run, empty, home, temporary } = bareMachine(t, owner);
  const { exitCode, stdout, stderr } = await run(['--setup']);
  assert.equal(exitCode, 0, stdout + stderr);
  assert.match(stdout, /cpu-0 .*self-test passed/);
  assert.equal(stderr, '');
  assert.deepEqual([readdirSync(empty), readdirSync(home)], [[], []]);
  const [folder] = readdirSync(temporary);
  assert.ok(folder?.startsWith('gpumark-'));
});

test('--version of the packaged agent names a revision and both protocols', async (t) => {
  const { exitCode, stdout } = await bareMachine(t, owner).run(['--version']);
  assert.equal(exitCode, 0);
  assert.match(
    stdout,
    /^gpumark-agent \d+\.\d+\.\d+\nrevision [0-9a-f]{7,}\+?\nnative protocol gpumark\.native\/1\nagent protocol \d+$/m,
  );
});

test('options of other Node programs on the machine do not reach into the agent', async (t) => {
  const { empty } = bareMachine(t, owner);
  const { exitCode } = await execa(agent, ['--version'], {
    cwd: empty,
    env: { NODE_OPTIONS: '--require=/does/not/exist.js' },
    reject: false,
  });
  assert.equal(exitCode, 0);
});
