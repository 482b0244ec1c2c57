import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataDirFor, isAlive, start, usedDataDirFor } from './fixture.ts';
import { until } from '../../../../support/until.ts';
import { startChild } from './database-child.ts';

test('a second process attaches to the running server, and leaving does not stop it', async (t) => {
  const dataDir = await usedDataDirFor(t);
  const owner = await start(t, { dataDir });
  const child = startChild({ dataDir, profile: 'ephemeral' });
  const ready = await child.ready();
  assert.equal(ready.attached, true);
  assert.equal(ready.pid, owner.server.pid);
  await child.end('SIGTERM');
  assert.equal((await owner.sql`select 1 as one`)[0]?.['one'], 1);
});

test('the last process to leave stops the server, also if another started it', async (t) => {
  const dataDir = await usedDataDirFor(t);
  const starter = startChild({ dataDir, profile: 'ephemeral' });
  const { pid = 0 } = await starter.ready();
  const second = await start(t, { dataDir });
  assert.equal(second.server.attached, true);
  await starter.end('SIGTERM');
  assert.equal((await second.sql`select 1 as one`)[0]?.['one'], 1);
  await second.stop();
  assert.equal(await isAlive(pid), false);
});

test('four processes that start at the same moment share one server on one cluster', async (t) => {
  const dataDir = await dataDirFor(t);
  const children = Array.from({ length: 4 }, () => startChild({ dataDir, profile: 'ephemeral' }));
  const ready = await Promise.all(children.map((child) => child.ready()));
  assert.equal(new Set(ready.map((line) => line.pid)).size, 1);
  assert.equal(ready.filter((line) => line.attached === false).length, 1);
  await Promise.all(children.map((child) => child.end('SIGTERM')));
  assert.equal(await isAlive(ready[0]?.pid ?? 0), false);
});

test('kill -9 of the owner loses no acknowledged row, and the next start adopts and stops the orphan', async (t) => {
  const dataDir = await usedDataDirFor(t);
  const owner = startChild({ dataDir, profile: 'durable' }, { insert: true });
  const { pid = 0 } = await owner.ready();
  await owner.until((line) => (line.acknowledged ?? 0) >= 200);
  await owner.end('SIGKILL');
  const acknowledged = Math.max(...owner.lines.map((line) => line.acknowledged ?? 0));
  const next = await start(t, { dataDir, profile: 'durable' });
  assert.equal(next.server.attached, true);
  assert.equal(next.server.pid, pid);
  const [row] = await next.sql`select count(*)::int as rows from kept where id <= ${acknowledged}`;
  assert.equal(row?.['rows'], acknowledged);
  await next.stop();
  assert.equal(await isAlive(pid), false);
});

test('kill -9 of owner and server together loses no acknowledged row', async (t) => {
  const dataDir = await usedDataDirFor(t);
  const owner = startChild({ dataDir, profile: 'durable' }, { insert: true });
  const { pid = 0 } = await owner.ready();
  await owner.until((line) => (line.acknowledged ?? 0) >= 200);
  const gone = owner.end('SIGKILL');
  process.kill(pid, 'SIGKILL');
  await gone;
  const acknowledged = Math.max(...owner.lines.map((line) => line.acknowledged ?? 0));
  const next = await start(t, { dataDir, profile: 'durable' });
  assert.equal(next.server.attached, false);
  const [row] = await next.sql`select count(*)::int as rows from kept where id <= ${acknowledged}`;
  assert.equal(row?.['rows'], acknowledged);
});

test('an attached process brings the server back after its starter and the server were killed', async (t) => {
  const dataDir = await usedDataDirFor(t);
  const starter = startChild({ dataDir, profile: 'ephemeral' });
  const { pid = 0 } = await starter.ready();
  const second = await start(t, { dataDir });
  await starter.end('SIGKILL');
  process.kill(pid, 'SIGKILL');
  await until('a new server process', () => second.server.pid !== pid);
  await until('the pool answers again', () =>
    second.sql`select 1`.then(
      () => true,
      () => false,
    ),
  );
});
