import assert from 'node:assert/strict';
import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
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

test('the folder of the embedded server is closed too, also to the user that runs it', async (t) => {
  const dataDir = join(await folder(t), 'data');
  const control = join(dataDir, 'postgres');
  await mkdir(control, { recursive: true });
  // As earlier versions left it for that user.
  for (const path of [dataDir, control]) await chmod(path, 0o710);
  await openDataDir({ dataDir, databaseUrl: null }, silent);
  for (const path of [dataDir, control]) assert.equal(await modeOf(path), 0o700);
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
