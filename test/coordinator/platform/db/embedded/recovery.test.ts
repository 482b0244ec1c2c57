import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataDirFor, exists, isAlive, start, usedDataDirFor } from './fixture.ts';
import { until } from '../../../../support/until.ts';

test('a server that was killed is brought back with every acknowledged row, on the same socket', async (t) => {
  const first = await start(t, { dataDir: await usedDataDirFor(t), profile: 'durable' });
  await first.sql`create table kept (id integer)`;
  for (let id = 0; id < 50; id += 1) await first.sql`insert into kept values (${id})`;
  const killed = first.server.pid;
  process.kill(killed, 'SIGKILL');
  await until('another server process', () => first.server.pid !== killed);
  await until('the pool answers again', () =>
    first.sql`select 1`.then(
      () => true,
      () => false,
    ),
  );
  assert.equal((await first.sql`select count(*)::int as rows from kept`)[0]?.['rows'], 50);
});

test('a lock of a dead server whose process id another program took is recovered', async (t) => {
  const dataDir = await usedDataDirFor(t);
  const first = await start(t, { dataDir });
  await first.sql`create table kept (id integer)`;
  const host = first.server.connection.host;
  const lockFile = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
  const lines = (await readFile(lockFile, 'utf8')).split('\n');
  await first.stop();
  // Our own process stands for the program that got the id of the dead server.
  const stale = [String(process.pid), ...lines.slice(1)].join('\n');
  await writeFile(lockFile, stale);
  await writeFile(join(host, '.s.PGSQL.5432.lock'), stale);
  const second = await start(t, { dataDir });
  assert.equal((await second.sql`select count(*)::int as rows from kept`)[0]?.['rows'], 0);
  assert.ok(second.logged.some((line) => line.includes('did not stop cleanly')));
});

test('what an interrupted first start left is removed, and a half-initialised directory is put aside, not deleted', async (t) => {
  const dataDir = await dataDirFor(t);
  const control = join(dataDir, 'postgres');
  await mkdir(join(control, 'cluster.tmp', 'base'), { recursive: true });
  await mkdir(join(control, 'cluster', 'base'), { recursive: true });
  await writeFile(join(control, 'cluster', 'PG_VERSION'), '18\n');
  const first = await start(t, { dataDir });
  const names = await readdir(control);
  assert.ok(!names.includes('cluster.tmp'), names.join());
  const aside = names.find((name) => name.startsWith('cluster.incomplete-')) ?? '';
  assert.equal(await readFile(join(control, aside, 'PG_VERSION'), 'utf8'), '18\n');
  assert.ok(first.logged.some((line) => line.includes('put aside')));
});

test('an empty directory where the cluster belongs is used', async (t) => {
  const dataDir = await dataDirFor(t);
  await mkdir(join(dataDir, 'postgres', 'cluster'), { recursive: true });
  const first = await start(t, { dataDir });
  assert.equal((await first.sql`select 1 as one`)[0]?.['one'], 1);
});

test('a cluster of another major version is refused with the remedy, and left as it is', async (t) => {
  const dataDir = await usedDataDirFor(t);
  const first = await start(t, { dataDir });
  await first.stop();
  const versionFile = join(dataDir, 'postgres', 'cluster', 'PG_VERSION');
  await writeFile(versionFile, '16\n');
  await assert.rejects(start(t, { dataDir }), /made by Postgres 16, .*brings Postgres 18.*pg_dump.*DATABASE_URL/);
  assert.equal(await readFile(versionFile, 'utf8'), '16\n');
  await writeFile(versionFile, '18\n');
  await (await start(t, { dataDir })).stop();
});

test('a damaged cluster is refused, never replaced by an empty one', async (t) => {
  const dataDir = await usedDataDirFor(t);
  const first = await start(t, { dataDir });
  await first.stop();
  const cluster = join(dataDir, 'postgres', 'cluster');
  await rm(join(cluster, 'PG_VERSION'));
  await assert.rejects(start(t, { dataDir }), /not a complete cluster/);
  assert.ok(await exists(join(cluster, 'global', 'pg_control')));
});

test('a server that cannot start says why, in the words of its own log', async (t) => {
  const dataDir = await usedDataDirFor(t);
  const first = await start(t, { dataDir });
  await first.stop();
  const cluster = join(dataDir, 'postgres', 'cluster');
  const control = join(cluster, 'global', 'pg_control');
  const bytes = await readFile(control);
  await writeFile(control, bytes.fill(0, 0, 300));
  await assert.rejects(start(t, { dataDir }), /Postgres did not start on .*It said: .*(FATAL|PANIC)/s);
});

test('a server that starts but refuses every log-in is stopped again and named', async (t) => {
  const dataDir = await usedDataDirFor(t);
  const first = await start(t, { dataDir });
  await first.stop();
  // 1262 is pg_database: without it the server starts and can open no database.
  await rm(join(dataDir, 'postgres', 'cluster', 'global', '1262'));
  await assert.rejects(start(t, { dataDir }), /Postgres runs but cannot be used: /);
  assert.equal(await exists(join(dataDir, 'postgres', 'cluster', 'postmaster.pid')), false);
});

test('a server whose DATA_DIR was removed under it is still stopped', async (t) => {
  const dataDir = await usedDataDirFor(t);
  const first = await start(t, { dataDir });
  await rm(dataDir, { recursive: true });
  await first.stop();
  // A process that is exiting has left its directory, by which we know it, a moment before it is gone.
  await until('the server process is gone', async () => !(await isAlive(first.server.pid)));
});
