import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { ExitError } from '../../../agent/cli/exit-error.ts';
import { cacheDirectories, stateDirectory } from '../../../agent/setup/private-directory.ts';
import { testHost } from '../support/test-host.ts';
import type { TestHost } from '../support/test-host.ts';

function hostWith(t: TestContext, env: (folder: string) => Record<string, string>): TestHost {
  const host = testHost(t);
  return { ...host, env: env(host.folder) };
}

test('state lies where the operator says, else under XDG_STATE_HOME, else under the home', (t) => {
  const chosen = hostWith(t, (folder) => ({
    GPUMARK_STATE_DIR: join(folder, 'a'),
    XDG_STATE_HOME: folder,
    HOME: folder,
  }));
  assert.equal(stateDirectory(chosen), join(chosen.folder, 'a'));
  const xdg = hostWith(t, (folder) => ({ XDG_STATE_HOME: join(folder, 'x'), HOME: folder }));
  assert.equal(stateDirectory(xdg), join(xdg.folder, 'x', 'gpumark'));
  const home = hostWith(t, (folder) => ({ HOME: folder }));
  assert.equal(stateDirectory(home), join(home.folder, '.local/state/gpumark'));
  assert.equal(statSync(stateDirectory(home)).mode & 0o777, 0o700);
});

test('without a home a private directory under TMPDIR is used, and no home is made', (t) => {
  const host = hostWith(t, (folder) => ({ HOME: join(folder, 'nonexistent'), TMPDIR: folder }));
  assert.equal(stateDirectory(host), join(host.folder, `gpumark-${host.user_id}`));
  assert.throws(() => statSync(join(host.folder, 'nonexistent')));
});

test('a directory that others may write to, or a link in its place, is refused', (t) => {
  const open = hostWith(t, (folder) => ({ TMPDIR: folder }));
  mkdirSync(join(open.folder, `gpumark-${open.user_id}`));
  chmodSync(join(open.folder, `gpumark-${open.user_id}`), 0o777);
  assert.throws(() => stateDirectory(open), ExitError);
  const link = hostWith(t, (folder) => ({ TMPDIR: folder }));
  mkdirSync(join(link.folder, 'elsewhere'));
  symlinkSync(join(link.folder, 'elsewhere'), join(link.folder, `gpumark-${link.user_id}`));
  assert.throws(() => stateDirectory(link), ExitError);
});

test("the operator's choice is not silently replaced when it cannot be written", (t) => {
  const host = hostWith(t, (folder) => ({ GPUMARK_STATE_DIR: '/proc/nowhere', HOME: folder }));
  assert.throws(
    () => stateDirectory(host),
    (error: unknown) => error instanceof ExitError && error.message.includes('/proc/nowhere'),
  );
});

test('cache directories are tried from the best to the temporary one', (t) => {
  const host = hostWith(t, (folder) => ({
    XDG_CACHE_HOME: join(folder, 'c'),
    HOME: folder,
    TMPDIR: join(folder, 't'),
  }));
  assert.deepEqual(
    [...cacheDirectories(host)],
    [
      join(host.folder, 'c/gpumark'),
      join(host.folder, '.local/state/gpumark'),
      join(host.folder, `t/gpumark-${host.user_id}`),
    ],
  );
});
