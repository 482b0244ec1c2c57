import assert from 'node:assert/strict';
import { chown, mkdir, readdir, readlink, rename, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { layReadyCluster } from '../../../../support/ready-cluster.ts';
import { startChild } from './database-child.ts';
import { dataDirFor, exists, IS_ROOT, isAlive, isReadable, NOBODY, start, usedDataDirFor } from './fixture.ts';

test('it runs for an ordinary user, who owns everything it made', async (t) => {
  if (!IS_ROOT) return t.skip('this run is an ordinary user already: every other test here shows it');
  const program = new URL('./database-process.ts', import.meta.url).pathname;
  if (!isReadable(program) || !isReadable(process.execPath)) {
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
  const asNobody = () => startChild({ dataDir, profile: 'ephemeral' }, NOBODY).ready();
  await assert.rejects(asNobody(), /The data directory \S+ cannot be used: .*EACCES/);
  for (const path of ['', 'postgres']) await chown(join(dataDir, path), NOBODY.uid, NOBODY.gid);
  await assert.rejects(asNobody(), /start\.lock cannot be locked \(EACCES.*\)\. If the database belongs to another/);
  await chown(join(dataDir, 'postgres', 'start.lock'), NOBODY.uid, NOBODY.gid);
  await assert.rejects(asNobody(), /cannot be read \(EACCES\): the database belongs to another user/);
});

test('as root the cluster stands in a DATA_DIR that its user cannot get to, and nothing above it is opened', async (t) => {
  if (!IS_ROOT) return t.skip('only root runs the server as another user');
  const dataDir = await dataDirFor(t);
  const control = join(dataDir, 'postgres');
  await mkdir(control, { mode: 0o700 });
  const first = await start(t, { dataDir });
  await first.sql`create table kept (id integer)`;
  await first.stop();
  const second = await start(t, { dataDir });
  assert.equal((await second.sql`select count(*)::int as rows from kept`)[0]?.['rows'], 0);
  for (const path of [dataDir, control]) {
    const { uid, mode } = await stat(path);
    assert.deepEqual({ uid, mode: mode & 0o777 }, { uid: 0, mode: 0o700 });
  }
  assert.notEqual((await stat(join(control, 'cluster'))).uid, 0);
});

test('a cluster that stands elsewhere behind a link is used, and one that is gone is refused', async (t) => {
  const dataDir = await usedDataDirFor(t);
  const [link, elsewhere] = [join(dataDir, 'postgres', 'cluster'), join(dataDir, 'elsewhere')];
  await rename(link, elsewhere);
  await symlink(elsewhere, link);
  const first = await start(t, { dataDir });
  assert.equal(await readlink(`/proc/${first.server.pid}/cwd`), elsewhere);
  await first.stop();
  await rm(elsewhere, { recursive: true });
  await assert.rejects(start(t, { dataDir }), /which is gone\. Restore it/);
});

test('a DATA_DIR too deep for the path of a socket is served all the same, also when attached to', async (t) => {
  const dataDir = join(await dataDirFor(t), 'd'.repeat(60), 'e'.repeat(60));
  await layReadyCluster(dataDir);
  const first = await start(t, { dataDir });
  const { host } = first.server.connection;
  assert.ok(Buffer.byteLength(`${host}/.s.PGSQL.5432`) <= 107, host);
  const cluster = await stat(join(dataDir, 'postgres', 'cluster'));
  assert.equal((await stat(host)).ino, cluster.ino);
  assert.equal(cluster.mode & 0o777, 0o700);
  assert.ok(await exists(join(host, '.s.PGSQL.5432')));
  const second = await start(t, { dataDir });
  assert.equal(second.server.attached, true);
  assert.equal((await second.sql`select 1 as one`)[0]?.['one'], 1);
  await first.stop();
  await second.stop();
  assert.deepEqual((await readdir(join(dataDir, 'postgres'))).toSorted(), [
    'cluster',
    'server.log',
    'start.lock',
    'users.lock',
  ]);
});

test('a DATA_DIR whose name a shell would read otherwise is used as it is called', async (t) => {
  const dataDir = join(await dataDirFor(t), `a 'quoted' "$HOME" $(false) \`false\` \\, name`);
  await layReadyCluster(dataDir);
  const first = await start(t, { dataDir });
  assert.equal(await readlink(`/proc/${first.server.pid}/cwd`), join(dataDir, 'postgres', 'cluster'));
  assert.equal((await first.sql`select 1 as one`)[0]?.['one'], 1);
  await first.stop();
  assert.equal(await isAlive(first.server.pid), false);
});
