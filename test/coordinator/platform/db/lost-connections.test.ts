import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { connectDatabase, type Queryable } from '../../../../coordinator/platform/db/client.ts';
import { freshDatabase } from '../../../support/postgres.ts';
import { until } from '../../../support/until.ts';

describe('a connection that is lost while nobody asks it anything', async () => {
  const { url, sql: other } = await freshDatabase({ after });
  // With one connection at a time the pool's next query gets the connection that was lost, opened again.
  const sql = connectDatabase({ url, max: 1 });
  after(() => sql.end({ timeout: 5 }));
  await other`create table kept (n int4)`;
  const kept = () => other<{ n: number }[]>`select n from kept`.then((rows) => rows.map(({ n }) => n));
  const lost = { code: 'CONNECTION_CLOSED' };

  async function lose(session: Queryable): Promise<void> {
    const [row] = await session<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await other`select pg_terminate_backend(${row?.pid ?? 0})`;
    const isLost = () =>
      session`select 1`.then(
        () => false,
        () => true,
      );
    await until('the loss to be noticed', isLost);
  }

  test('ends its transaction: what follows is refused, and not executed on the pool’s next connection', async () => {
    const transaction = sql.begin(async (tx) => {
      await tx`insert into kept values (1)`;
      await lose(tx);
      await assert.rejects(tx`insert into kept values (2)`.execute(), lost);
      assert.equal((await sql`select 1 as one`)[0]?.['one'], 1);
      for (const n of [3, 4]) await assert.rejects(tx`insert into kept values (${n})`.execute(), lost);
    });
    await assert.rejects(transaction, lost);
    assert.deepEqual(await kept(), []);
    assert.equal(await sql.begin(async (tx) => (await tx`insert into kept values (5)`).count), 1);
    assert.deepEqual(await kept(), [5]);
    await other`truncate kept`;
  });

  test('ends its reservation, and is not given back twice', async () => {
    const session = await sql.reserve();
    await session`insert into kept values (1)`;
    await lose(session);
    await assert.rejects(session`insert into kept values (2)`.execute(), lost);
    assert.equal((await sql`select 1 as one`)[0]?.['one'], 1);
    await assert.rejects(session`insert into kept values (3)`.execute(), lost);
    session.release();
    const all = await Promise.all([6, 7, 8].map((n) => sql`insert into kept values (${n})`));
    assert.deepEqual(
      all.map(({ count }) => count),
      [1, 1, 1],
    );
    assert.deepEqual(await kept(), [1, 6, 7, 8]);
  });
});
