import assert from 'node:assert/strict';
import { chmodSync, chownSync, lchownSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { ExitError } from '../../../agent/run/exit-error.ts';
import { cacheDirectories, stateDirectory } from '../../../agent/state/private-directory.ts';
import { testHost } from '../support/test-host.ts';
import type { TestHost } from '../support/test-host.ts';

function hostWith(t: TestContext, env: (folder: string) => Record<string, string>): TestHost {
  const host = testHost(t);
  return { ...host, env: env(host.folder) };
}

test('state is kept where the operator says, else under XDG_STATE_HOME, else under the home', (t) => {
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

test('without a home a private directory under TMPDIR is used, and no home is created', (t) => {
  const host = hostWith(t, (folder) => ({ HOME: join(folder, 'nonexistent'), TMPDIR: folder }));
  assert.equal(stateDirectory(host), join(host.folder, `gpumark-${host.user_id}`));
  assert.throws(() => statSync(join(host.folder, 'nonexistent')));
});

test('a directory that others may write to, or a link instead of it, is refused', (t) => {
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

test('root unpacks no runner below a directory of another user, one that others may write to, or a link of theirs', (t) => {
  if (process.getuid?.() !== 0) return t.skip('needs root to make files of another user');
  const make = (prepare: (folder: string) => string): string[] => {
    const host = testHost(t);
    const home = prepare(host.folder);
    return [...cacheDirectories({ ...host, env: { XDG_CACHE_HOME: join(home, 'c'), TMPDIR: join(host.folder, 't') } })];
  };
  const other = (path: string): string => {
    mkdirSync(path);
    chownSync(path, 4321, 4321);
    return path;
  };
  const open = (path: string, mode: number): string => {
    mkdirSync(path);
    chmodSync(path, mode);
    return path;
  };
  const linked = (folder: string, owner: number): string => {
    mkdirSync(join(folder, 'target'));
    symlinkSync(join(folder, 'target'), join(folder, 'link'));
    lchownSync(join(folder, 'link'), owner, owner);
    return join(folder, 'link');
  };
  const chosen = (all: string[]): number => all.filter((path) => path.endsWith('c/gpumark')).length;
  assert.equal(chosen(make((folder) => join(folder, 'own'))), 1);
  assert.equal(chosen(make((folder) => other(join(folder, 'theirs')))), 0);
  assert.equal(chosen(make((folder) => open(join(folder, 'open'), 0o777))), 0);
  assert.equal(chosen(make((folder) => open(join(folder, 'group'), 0o775))), 0);
  assert.equal(chosen(make((folder) => open(join(folder, 'sticky'), 0o1777))), 1);
  assert.equal(chosen(make((folder) => linked(folder, 0))), 1);
  assert.equal(chosen(make((folder) => linked(folder, 4321))), 0);
});
