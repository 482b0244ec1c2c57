import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectDatabase } from '../../../../coordinator/platform/db/client.ts';
import { freshDatabase } from '../../../support/postgres.ts';
import { startDatabaseProxy } from '../../../support/database-proxy.ts';

test('every connection has its timeouts, its name and UTC', async (t) => {
  const { url } = await freshDatabase(t);
  const sql = connectDatabase({ url, max: 2, applicationName: 'the-test' });
  const rows = await sql`
    select name, setting from pg_settings
    where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'application_name', 'TimeZone')
    order by name collate "C"
  `;
  assert.deepEqual(Object.fromEntries(rows.map((row) => [row['name'], row['setting']])), {
    TimeZone: 'UTC',
    application_name: 'the-test',
    idle_in_transaction_session_timeout: '30000',
    lock_timeout: '5000',
    statement_timeout: '15000',
  });
  await sql.end({ timeout: 1 });
});

test('a statement over its time is cancelled by the server, and the connection goes on', async (t) => {
  const { url } = await freshDatabase(t);
  const sql = connectDatabase({ url, max: 1, statementTimeoutMs: 1000 });
  await assert.rejects(sql`select pg_sleep(10)`.execute(), { code: '57014' });
  assert.equal((await sql`select 1 as one`)[0]?.['one'], 1);
  await sql.end({ timeout: 1 });
});

test('ids, prices, days and instants come back as the wire wants them', async (t) => {
  const { sql } = await freshDatabase(t);
  const [row] = await sql`
    select
      9223372036854775807::int8 as id,
      array[9223372036854775807::int8] as ids,
      1.10::numeric as price,
      1.10::numeric::float8 as price_number,
      date '2026-02-28' as day,
      array[date '2026-02-28'] as days,
      timestamptz '2026-02-28 12:00:00.123+02' as instant,
      '{"a": [1]}'::jsonb as body
  `;
  assert.deepEqual(
    { ...row },
    {
      id: '9223372036854775807',
      ids: ['9223372036854775807'],
      price: '1.10',
      price_number: 1.1,
      day: '2026-02-28',
      days: ['2026-02-28'],
      instant: new Date('2026-02-28T10:00:00.123Z'),
      body: { a: [1] },
    },
  );
});

test('a day goes in as text; a Date, which would bring a time zone along, is refused', async (t) => {
  const { url } = await freshDatabase(t);
  const sql = connectDatabase({ url, max: 1 });
  const [row] = await sql`select ${'2026-02-28'}::date + 1 as next`;
  assert.equal(row?.['next'], '2026-03-01');
  await sql`create temporary table diary (day date)`;
  await assert.rejects(sql`insert into diary (day) values (${sql.typed(new Date(0), 1082)})`.execute(), TypeError);
  assert.equal((await sql`select 1 as one`)[0]?.['one'], 1);
  await sql.end({ timeout: 1 });
});

test('an undefined parameter throws instead of becoming null', async (t) => {
  const { sql } = await freshDatabase(t);
  const missing: { id?: string } = {};
  // @ts-expect-error the type refuses it too
  await assert.rejects(sql`select ${missing.id}::int8`.execute(), { code: 'UNDEFINED_VALUE' });
});

test('a server that closes during the log-in fails the first query at once, and the pool recovers', async (t) => {
  const { url } = await freshDatabase(t);
  const proxy = await startDatabaseProxy(url);
  proxy.mode = 'close';
  const sql = connectDatabase({ url: proxy.url, max: 1 });
  await assert.rejects(sql`select 1`.execute(), { code: 'CONNECTION_CLOSED' });
  proxy.mode = 'forward';
  assert.equal((await sql`select 1 as one`)[0]?.['one'], 1);
  await sql.end({ timeout: 1 });
  await proxy.close();
});

test('a server that never answers the log-in fails the first query after the connect timeout of 5 s', async (t) => {
  const { url } = await freshDatabase(t);
  const proxy = await startDatabaseProxy(url);
  proxy.mode = 'silent';
  const sql = connectDatabase({ url: proxy.url, max: 1 });
  const begun = performance.now();
  await assert.rejects(sql`select 1`.execute(), { code: 'CONNECT_TIMEOUT' });
  assert.ok(performance.now() - begun > 4900);
  await sql.end({ timeout: 1 });
  await proxy.close();
});
