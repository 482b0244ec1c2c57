import assert from 'node:assert/strict';
import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { canTraverse } from '../../../coordinator/platform/db/embedded/access.ts';
import { chooseServiceUser } from '../../../coordinator/platform/db/embedded/service-user.ts';
import { openDataDir } from '../../../coordinator/platform/open-data-dir.ts';

const silent = { warn: () => undefined };
const isRoot = process.getuid?.() === 0;

async function folder(t: TestContext): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'gpumark-private-'));
  t.after(() => rm(made, { recursive: true, force: true }));
  await chmod(made, 0o755);
  return made;
}
const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

test('DATA_DIR is made for its owner alone where the database is elsewhere', async (t) => {
  const dataDir = join(await folder(t), 'above', 'data');
  await openDataDir({ dataDir, databaseUrl: 'postgres://x' }, silent);
  assert.equal(await modeOf(dataDir), 0o700);
});

test('one that others may read is closed, and it is said', async (t) => {
  const dataDir = await folder(t);
  const said: unknown[] = [];
  const log = { warn: (fields: unknown) => void said.push(fields) };
  await openDataDir({ dataDir, databaseUrl: 'postgres://x' }, log);
  await openDataDir({ dataDir, databaseUrl: 'postgres://x' }, log);
  assert.equal(await modeOf(dataDir), 0o700);
  assert.deepEqual(said, [{ closed: [dataDir] }]);
});

test('the user that runs the embedded server may pass through, and neither look nor pass elsewhere', async (t) => {
  const dataDir = join(await folder(t), 'data');
  await openDataDir({ dataDir, databaseUrl: null }, silent);
  const control = join(dataDir, 'postgres');
  const server = await chooseServiceUser(join(control, 'cluster'));
  for (const path of [dataDir, control]) assert.equal(await modeOf(path), isRoot ? 0o710 : 0o700);
  assert.equal(await canTraverse(control, server), true);
  assert.equal(await canTraverse(control, { uid: 4321, gid: 4321 }), false);
});

test('one that cannot be closed is refused in one sentence that says what to do', async (t) => {
  const parent = await folder(t);
  await writeFile(join(parent, 'file'), '');
  await assert.rejects(
    openDataDir({ dataDir: join(parent, 'file'), databaseUrl: 'postgres://x' }, silent),
    /^Error: DATA_DIR: cannot use \S+ \(.+ is not a directory\)\.$/,
  );
  if (!isRoot) return;
  const dataDir = join(parent, 'theirs');
  await mkdir(dataDir);
  await chmod(dataDir, 0o777);
  await chown(dataDir, 4321, 4321);
  process.seteuid?.(65534);
  try {
    const refused = openDataDir({ dataDir, databaseUrl: 'postgres://x' }, silent);
    await assert.rejects(refused, /is open to other users \(mode 777\) and cannot be closed \(EPERM\)\. Run chmod 700/);
  } finally {
    process.seteuid?.(0);
  }
});
