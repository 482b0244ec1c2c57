import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectDatabase } from '../../../../coordinator/platform/db/client.ts';
import { DatabaseSilent, ping, watchDatabase } from '../../../../coordinator/platform/db/ping.ts';
import { startDatabaseProxy } from '../../../support/database-proxy.ts';
import { freshDatabase } from '../../../support/postgres.ts';
import { until } from '../../../support/until.ts';

test('a ping of a living database says how long it took', async (t) => {
  const { sql } = await freshDatabase(t);
  const result = await ping(sql, 5000);
  assert.ok(result.ok && result.latency_ms > 0 && result.latency_ms < 5000);
});

test('a ping keeps its deadline against a half-open connection, and many pings cost one connection', async (t) => {
  const { url } = await freshDatabase(t);
  const proxy = await startDatabaseProxy(url);
  proxy.mode = 'silent';
  const sql = connectDatabase({ url: proxy.url, max: 10 });
  const results = await Promise.all(Array.from({ length: 20 }, () => ping(sql, 200)));
  assert.ok(results.every((result) => !result.ok && result.error instanceof DatabaseSilent));
  assert.equal(proxy.accepted, 1);
  await sql.end({ timeout: 0 });
  await proxy.close();
});

test('a refused connection is an answer: the ping fails at once with its code', async (t) => {
  const { url } = await freshDatabase(t);
  const proxy = await startDatabaseProxy(url);
  await proxy.close();
  const sql = connectDatabase({ url: proxy.url, max: 1 });
  const result = await ping(sql, 5000);
  assert.ok(!result.ok && result.error instanceof Error && 'code' in result.error);
  assert.equal(result.error.code, 'ECONNREFUSED');
  await sql.end({ timeout: 0 });
});

test('the watchdog calls once when the pool falls silent', async (t) => {
  const { url } = await freshDatabase(t);
  const proxy = await startDatabaseProxy(url);
  const sql = connectDatabase({ url: proxy.url, max: 1 });
  await sql`select 1`;
  const calls: Error[] = [];
  const end = watchDatabase(sql, { everyMs: 10, silenceMs: 200, onSilent: (error) => calls.push(error) });
  assert.equal((await ping(sql, 5000)).ok, true);
  proxy.mode = 'freeze';
  await until('the call', () => calls.length > 0);
  assert.ok(calls[0] instanceof DatabaseSilent);
  assert.equal(calls.length, 1);
  end();
  await sql.end({ timeout: 0 });
  await proxy.close();
});

test('the watchdog takes errors for answers', async (t) => {
  const { url } = await freshDatabase(t);
  const proxy = await startDatabaseProxy(url);
  proxy.mode = 'close';
  const sql = connectDatabase({ url: proxy.url, max: 1 });
  let called = false;
  const end = watchDatabase(sql, { everyMs: 1, silenceMs: 10_000, onSilent: () => (called = true) });
  await until('four refusals', () => proxy.accepted >= 4);
  assert.equal(called, false);
  end();
  await sql.end({ timeout: 0 });
  await proxy.close();
});
