import assert from 'node:assert/strict';
import { chmod, chown, lstat, mkdir, mkdtemp, readFile, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { canRead } from '../../../../../coordinator/platform/db/embedded/access.ts';
import { layReadyCluster } from '../../../../support/ready-cluster.ts';
import { startChild } from './database-child.ts';
import { dataDirFor, exists, IS_ROOT, isAlive, start, usedDataDirFor } from './fixture.ts';

const NOBODY = { uid: 65534, gid: 65534 };

test('it runs for an ordinary user, who owns everything it made', async (t) => {
  if (!IS_ROOT) return t.skip('this run is an ordinary user already: every other test here shows it');
  const program = new URL('./database-process.ts', import.meta.url).pathname;
  if (!(await canRead(program, NOBODY)) || !(await canRead(process.execPath, NOBODY))) {
    return t.skip('the user nobody cannot read this checkout');
  }
  const dataDir = await dataDirFor(t);
  await chown(dataDir, NOBODY.uid, NOBODY.gid);
  const child = startChild({ dataDir, profile: 'ephemeral' }, NOBODY);
  await child.ready();
  await child.end('SIGTERM');
  const cluster = join(dataDir, 'postgres', 'cluster');
  assert.equal((await stat(cluster)).uid, NOBODY.uid);
  // Root may look after it later without taking it away from its owner.
  const asRoot = await start(t, { dataDir });
  await asRoot.stop();
  assert.equal((await stat(join(cluster, 'global', 'pg_control'))).uid, NOBODY.uid);
  const again = startChild({ dataDir, profile: 'ephemeral' }, NOBODY);
  await again.ready();
  await again.end('SIGTERM');
});

test('a cluster that belongs to somebody else is refused with a sentence', async (t) => {
  if (!IS_ROOT) return t.skip('needs root to make files of another user');
  const dataDir = await usedDataDirFor(t);
  await (await start(t, { dataDir })).stop();
  await chown(join(dataDir, 'postgres'), NOBODY.uid, NOBODY.gid);
  await chown(join(dataDir, 'postgres', 'lock-name'), NOBODY.uid, NOBODY.gid);
  const child = startChild({ dataDir, profile: 'ephemeral' }, NOBODY);
  await assert.rejects(child.ready(), /cannot be read \(EACCES\): the database belongs to another user/);
});

test('as root below a closed directory the cluster goes to the system directory, linked from DATA_DIR', async (t) => {
  if (!IS_ROOT) return t.skip('only root runs the server as another user');
  const closed = await mkdtemp(join(tmpdir(), 'gpumark-closed-'));
  const systemDir = await mkdtemp(join(tmpdir(), 'gpumark-system-'));
  t.after(() => Promise.all([closed, systemDir].map((dir) => rm(dir, { recursive: true, force: true }))));
  await chmod(closed, 0o700);
  const dataDir = join(closed, 'var');
  const first = await start(t, { dataDir, systemDir });
  await first.sql`create table kept (id integer)`;
  await first.stop();
  const link = join(dataDir, 'postgres', 'cluster');
  assert.ok((await lstat(link)).isSymbolicLink());
  assert.ok((await readlink(link)).startsWith(systemDir));
  assert.ok(first.logged.some((line) => line.includes('DATA_DIR is closed')));
  const second = await start(t, { dataDir, systemDir });
  assert.equal((await second.sql`select count(*)::int as rows from kept`)[0]?.['rows'], 0);
  await second.stop();
  await rm(systemDir, { recursive: true });
  await assert.rejects(start(t, { dataDir, systemDir }), /which is gone\. Restore it/);
});

test('a DATA_DIR too deep for a socket path gets a short private socket directory, found again later', async (t) => {
  const dataDir = join(await usedDataDirFor(t), 'd'.repeat(60), 'e'.repeat(60));
  await mkdir(dataDir, { recursive: true });
  const first = await start(t, { dataDir });
  const host = first.server.connection.host;
  t.after(() => rm(host, { recursive: true, force: true }));
  assert.ok(Buffer.byteLength(`${host}/.s.PGSQL.5432`) <= 107, host);
  assert.equal((await stat(host)).mode & 0o777, 0o700);
  assert.equal(await readFile(join(dataDir, 'postgres', 'socket-directory'), 'utf8'), host);
  await first.stop();
  const second = await start(t, { dataDir });
  assert.equal(second.server.connection.host, host);
  await second.stop();
  // A stranger may have taken the name meanwhile: an open directory is not used again.
  await chmod(host, 0o755);
  const third = await start(t, { dataDir });
  t.after(() => rm(third.server.connection.host, { recursive: true, force: true }));
  assert.notEqual(third.server.connection.host, host);
  assert.ok(await exists(join(third.server.connection.host, '.s.PGSQL.5432')));
  await third.stop();
});

test('a DATA_DIR whose name a shell would read otherwise is used as it is called', async (t) => {
  const dataDir = join(await dataDirFor(t), `a 'quoted' "$HOME" $(false) \`false\` \\, name`);
  await layReadyCluster(dataDir);
  const first = await start(t, { dataDir });
  assert.equal((await first.sql`show data_directory`)[0]?.['data_directory'], join(dataDir, 'postgres', 'cluster'));
  await first.stop();
  assert.equal(await isAlive(first.server.pid), false);
});
