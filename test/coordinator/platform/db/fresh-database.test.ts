import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshDatabase } from '../../../support/postgres.ts';

test('each fresh database is migrated and its own', async (t) => {
  const [first, second] = await Promise.all([freshDatabase(t), freshDatabase(t)]);
  await first.sql`create table only_here (id integer)`;
  const there = await second.sql`select from pg_class where relname = 'only_here'`;
  assert.equal(there.length, 0);
  const history = await second.sql`select number from schema_migration order by number`;
  assert.equal(history[0]?.['number'], 1);
});

test('a closed database is gone from the server', async () => {
  const kept = await freshDatabase();
  const closed = await freshDatabase();
  const name = new URL(closed.url).pathname.slice(1);
  await closed.close();
  assert.equal((await kept.sql`select from pg_database where datname = ${name}`).length, 0);
  await kept.close();
});
