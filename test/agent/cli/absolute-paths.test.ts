import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { absolutePaths } from '../../../agent/cli/absolute-paths.ts';
import type { ExitError } from '../../../agent/run/exit-error.ts';
import { cacheDirectories } from '../../../agent/state/private-directory.ts';
import { jobToken, testHost } from '../support/test-host.ts';
import { watchedAgent, whoSaw } from '../support/watched-agent.ts';

const here = (): string => '/srv/node';
const never = (): string => assert.fail('the current directory is not asked for');

test('a relative path in the environment is the one below the current directory at the start', () => {
  assert.deepEqual(
    absolutePaths(
      {
        GPUMARK_STATE_DIR: './state',
        TMPDIR: 'tmp',
        HOME: '.',
        GPUMARK_CA: '../ca.pem',
        ROCM_PATH: 'rocm',
        PATH: '/usr/bin:bin:',
        LD_LIBRARY_PATH: 'lib:/opt/lib',
        GPUMARK_BLAS_PATH: './blas',
      },
      here,
    ),
    {
      GPUMARK_STATE_DIR: '/srv/node/state',
      TMPDIR: '/srv/node/tmp',
      HOME: '/srv/node',
      GPUMARK_CA: '/srv/ca.pem',
      ROCM_PATH: '/srv/node/rocm',
      PATH: '/usr/bin:/srv/node/bin:',
      LD_LIBRARY_PATH: '/srv/node/lib:/opt/lib',
      GPUMARK_BLAS_PATH: '/srv/node/blas',
    },
  );
});

test('absolute, empty and absent paths stay as they are, and relative XDG directories are ignored as XDG says', () => {
  assert.deepEqual(absolutePaths({ TMPDIR: '/tmp', HOME: '', PATH: '/bin::/sbin', XDG_STATE_HOME: 'x' }, never), {});
});

test('a relative path in a current directory that was removed is an error that names the variable', (t) => {
  const { folder } = testHost(t);
  const before = process.cwd();
  mkdirSync(join(folder, 'gone'));
  process.chdir(join(folder, 'gone'));
  t.after(() => process.chdir(before));
  rmSync(join(folder, 'gone'), { recursive: true });
  assert.throws(
    () => absolutePaths({ TMPDIR: 'tmp' }, () => process.cwd()),
    (error: ExitError) => error.code === 2 && error.message.startsWith("TMPDIR is 'tmp'"),
  );
});

test('a run whose state directory, temporary directory and home are relative keeps its result there and tells its children', async (t) => {
  const { tree, path, seen } = watchedAgent(t);
  const env = { GPUMARK_API_KEY: jobToken('http://127.0.0.1:9'), PATH: `${path}:tools` };
  mkdirSync(join(tree.folder, 'home'));
  for (const [name, relative, spool] of [
    ['GPUMARK_STATE_DIR', './waiting', 'waiting/spool'],
    ['HOME', 'home', 'home/.local/state/gpumark/spool'],
    ['TMPDIR', 'tmp', `tmp/gpumark-${process.getuid?.() ?? 0}/spool`],
  ] as const) {
    const rest = name === 'TMPDIR' ? { HOME: '/nonexistent' } : {};
    const { exitCode, stderr } = await tree.spawn(['--offline'], {
      ...env,
      ...(name === 'GPUMARK_STATE_DIR' ? {} : { GPUMARK_STATE_DIR: '' }),
      ...rest,
      [name]: relative,
    });
    assert.ok([0, 3].includes(exitCode ?? -1), `${name}: ${stderr}`);
    const kept = existsSync(join(tree.folder, spool)) ? readdirSync(join(tree.folder, spool)) : [];
    assert.ok(
      kept.some((file) => file.endsWith('.json')),
      `${name}: ${stderr}`,
    );
    const absolute = join(tree.folder, relative);
    assert.ok(whoSaw(seen(), `${name}=${absolute}\n`).length > 0, name);
    assert.deepEqual(whoSaw(seen(), `${name}=${relative}\n`), []);
  }
  assert.ok(whoSaw(seen(), `:${join(tree.folder, 'tools')}:`).length > 0, 'PATH');
});

test('root finds no runner’s directory below a path that is still relative, and the search ends', (t) => {
  const host = { ...testHost(t, { env: { TMPDIR: 'gpumark-relative', HOME: '/nonexistent' } }), user_id: 0 };
  const before = process.cwd();
  process.chdir(host.folder);
  t.after(() => process.chdir(before));
  const env = { TMPDIR: 'gpumark-relative', HOME: '/nonexistent' };
  assert.deepEqual([...cacheDirectories({ ...host, env })], []);
});
