import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Transaction } from '../../../../coordinator/platform/db/client.ts';
import { copyIn } from '../../../../coordinator/platform/db/driver/copy.ts';
import { freshDatabase } from '../../../support/postgres.ts';
import { HANG_MS, until } from '../../../support/until.ts';

describe('COPY from a stream of lines', async () => {
  const { sql } = await freshDatabase({ after });
  await sql`create table kept (n int2)`;
  const into = (tx: Transaction) => copyIn(tx`copy kept from stdin`);
  const count = async (): Promise<number> => {
    const [row] = await sql<{ n: number }[]>`select count(*)::int4 as n from kept`;
    return row?.n ?? -1;
  };
  /** What waits for ever says nothing, so that this must. */
  const inTime = <T>(work: Promise<T>): Promise<T> =>
    Promise.race([work, wait(HANG_MS, undefined, { ref: false }).then(() => assert.fail('it still waits'))]);
  const lines = '7\n'.repeat(40_000);

  test('all lines are in the table once end has resolved', async () => {
    await sql.begin(async (tx) => {
      const copy = await into(tx);
      for (let turn = 0; turn < 10; turn += 1) await copy.write(lines);
      await copy.end();
      assert.equal((await tx`select from kept`).length, 400_000);
      await tx`truncate kept`;
    });
  });

  test('a value that the column does not hold is the error of end where it comes last', async () => {
    const copying = sql.begin(async (tx) => {
      const copy = await into(tx);
      await copy.write('70000\n');
      await copy.end();
    });
    await assert.rejects(inTime(copying), /value "70000" is out of range for type smallint/);
    assert.equal(await count(), 0);
  });

  test('and of a later write, or of end, where more lines follow; nobody need be listening', async () => {
    const copying = sql.begin(async (tx) => {
      const copy = await into(tx);
      await copy.write(`${lines}70000\n`);
      await until(
        'the server has given the copy up',
        async () => (await sql`select from pg_stat_progress_copy`).length === 0,
      );
      for (let turn = 0; turn < 50; turn += 1) await copy.write(lines);
      await copy.end();
    });
    await assert.rejects(inTime(copying), /value "70000" is out of range for type smallint/);
    assert.equal(await count(), 0);
  });

  test('a copy that is abandoned leaves nothing, and the connection to the next query', async () => {
    const copying = sql.begin(async (tx) => {
      const copy = await into(tx);
      await copy.write(lines);
      copy.abandon();
      throw new Error('the source broke off');
    });
    await assert.rejects(inTime(copying), /^Error: the source broke off$/);
    assert.equal(await count(), 0);
  });
});
