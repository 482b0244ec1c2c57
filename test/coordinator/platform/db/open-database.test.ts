import assert from 'node:assert/strict';
import { readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '../../../../coordinator/platform/db/open-database.ts';
import { dumpSchema } from '../../../../coordinator/platform/db/schema-dump/dump-schema.ts';
import { startDatabaseProxy } from '../../../support/database-proxy.ts';
import { emptyDatabase } from '../../../support/postgres.ts';
import { dataDirFor, isAlive } from './embedded/fixture.ts';
import { debianPostgres } from './debian-postgres.ts';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

test('without a URL the database is the embedded one, migrated, and closing stops it', async (t) => {
  const dataDir = await dataDirFor(t);
  const database = await openDatabase({ dataDir, log });
  assert.ok(database.migration.applied.length > 0);
  const [row] = await database.sql`select pg_backend_pid() as pid`;
  assert.equal(await readlink(`/proc/${row?.['pid']}/cwd`), join(dataDir, 'postgres', 'cluster'));
  const again = await openDatabase({ dataDir, log });
  assert.deepEqual(again.migration, { applied: [], version: database.migration.version });
  await again.close();
  assert.equal((await database.sql`select 1 as one`)[0]?.['one'], 1);
  await Promise.all([database.close(), database.close()]);
  assert.equal(await isAlive(Number(row?.['pid'])), false);
});

test('with a URL that database is migrated', async (t) => {
  const { url, sql } = await emptyDatabase(t);
  const database = await openDatabase({ databaseUrl: url, dataDir: '/nonexistent', log });
  const [row] = await sql`select count(*)::int as files from schema_migration`;
  assert.equal(row?.['files'], database.migration.version);
  await database.close();
});

test('a database that cannot be reached is one sentence without the password', async (t) => {
  const { url } = await emptyDatabase(t);
  const proxy = await startDatabaseProxy(url);
  await proxy.close();
  const databaseUrl = proxy.url.replace(':@', ':hunter2@');
  await assert.rejects(openDatabase({ databaseUrl, dataDir: '/nonexistent', log }), (error: Error) => {
    assert.match(
      error.message,
      /^The database "\w+" at 127\.0\.0\.1:\d+ as user "\w+" cannot be used: nothing listens there/,
    );
    assert.ok(!JSON.stringify(error).includes('hunter2') && !error.stack?.includes('hunter2'));
    return true;
  });
});

test('a missing database is named', async (t) => {
  const { url } = await emptyDatabase(t);
  const databaseUrl = url.replace(/\/test_\w+/, '/no_such_database');
  await assert.rejects(openDatabase({ databaseUrl, dataDir: '/nonexistent', log }), /it has no such database\.$/);
});

test("Debian's Postgres 15 gets the same schema as the embedded 18", async (t) => {
  const debian = await debianPostgres(t);
  if (!debian) return t.skip('no /usr/lib/postgresql/15/bin on this machine');
  const database = await openDatabase({ databaseUrl: debian.url, dataDir: '/nonexistent', log });
  const [row] = await database.sql`select current_setting('server_version_num')::int / 10000 as major`;
  assert.equal(row?.['major'], 15);
  const { url } = await emptyDatabase(t);
  const embedded = await openDatabase({ databaseUrl: url, dataDir: '/nonexistent', log });
  assert.equal(await dumpSchema(database.sql), await dumpSchema(embedded.sql));
  await database.close();
  await embedded.close();
});
