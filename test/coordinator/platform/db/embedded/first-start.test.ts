import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataDirFor, exists, isAlive, start, usedDataDirFor } from './fixture.ts';

test('a first start makes a durable Postgres 18 without TCP behind a private socket directory', async (t) => {
  const first = await start(t, { dataDir: await dataDirFor(t), profile: 'durable' });
  const [row] = await first.sql`
    select
      current_setting('server_version_num')::int / 10000 as major,
      current_setting('listen_addresses') as addresses,
      current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit,
      current_setting('full_page_writes') as pages,
      current_setting('max_connections') as connections,
      current_setting('server_encoding') as encoding,
      (select datlocale from pg_database where datname = current_database()) as locale
  `;
  assert.deepEqual(
    { ...row },
    {
      major: 18,
      addresses: '',
      fsync: 'on',
      commit: 'on',
      pages: 'on',
      connections: '60',
      encoding: 'UTF8',
      locale: 'C.UTF-8',
    },
  );
  assert.equal((await stat(first.server.connection.host)).mode & 0o777, 0o700);
  assert.equal(first.server.attached, false);
});

test('data is kept between runs, and a clean stop leaves neither process, lock nor socket', async (t) => {
  const dataDir = await usedDataDirFor(t);
  const first = await start(t, { dataDir });
  await first.sql`create table kept (word text)`;
  await first.sql`insert into kept values ('still here')`;
  await first.stop();
  assert.equal(await isAlive(first.server.pid), false);
  assert.equal(await exists(join(dataDir, 'postgres', 'cluster', 'postmaster.pid')), false);
  assert.equal(await exists(join(first.server.connection.host, '.s.PGSQL.5432')), false);
  const second = await start(t, { dataDir });
  assert.equal((await second.sql`select word from kept`)[0]?.['word'], 'still here');
  assert.ok(!second.logged.some((line) => line.includes('did not stop cleanly')));
});

test('stopping twice is stopping once', async (t) => {
  const first = await start(t, { dataDir: await usedDataDirFor(t) });
  await Promise.all([first.stop(), first.server.stop()]);
  await first.server.stop();
  assert.equal(await isAlive(first.server.pid), false);
});
