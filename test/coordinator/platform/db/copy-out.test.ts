import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { after, describe, test } from 'node:test';
import { connectDatabase } from '../../../../coordinator/platform/db/client.ts';
import { copyOut } from '../../../../coordinator/platform/db/driver/copy.ts';
import { freshDatabase } from '../../../support/postgres.ts';
import { HANG_MS } from '../../../support/until.ts';

const ROWS = 60_000;
/** 60,000 lines of 100 letters, their numbers in front, and a line end each. */
const statement = `copy (select to_char(n, 'fm00000') || repeat('x', 95) from generate_series(1, ${ROWS}) n) to stdout`;
const BYTES = ROWS * 101;

/** So that the server is ahead and made to wait, above all when it sends the last pieces. */
const slowly = async (size: number, pieces: number): Promise<void> => {
  if (pieces % 100 === 0 || size > BYTES - 100_000) await wait(1);
};

describe('what COPY sends, over the only connection of a pool', async () => {
  const { url } = await freshDatabase({ after });
  const sql = connectDatabase({ url, max: 1, statementTimeoutMs: HANG_MS });
  after(() => sql.end({ timeout: 5 }));
  /** A connection that hangs says nothing, so that this must. */
  const answers = async (): Promise<void> => {
    const answer = sql<{ n: number }[]>`select 1 as n`;
    const late = wait(HANG_MS, 'no answer', { ref: false });
    assert.deepEqual(await Promise.race([answer.then(([row]) => row?.n), late]), 1);
  };

  test('a reader that is slower than the server gets all of it, in order, and the next query is answered', async () => {
    let size = 0;
    let pieces = 0;
    let begin = '';
    let end = '';
    for await (const piece of copyOut(sql.unsafe(statement))) {
      if (pieces === 0) begin = piece.toString('latin1', 0, 5);
      end = piece.toString('latin1').slice(-101, -96);
      size += piece.length;
      pieces += 1;
      await slowly(size, pieces);
    }
    assert.deepEqual([size, begin, end], [BYTES, '00001', String(ROWS)]);
    await answers();
  });

  test('the same within a transaction: what follows in it is answered too', async () => {
    const size = await sql.begin(async (tx) => {
      let [read, pieces] = [0, 0];
      for await (const piece of copyOut(tx.unsafe(statement))) {
        read += piece.length;
        await slowly(read, (pieces += 1));
      }
      const [row] = await tx<{ n: number }[]>`select 2 as n`;
      return [read, row?.n];
    });
    assert.deepEqual(size, [BYTES, 2]);
    await answers();
  });

  test('nothing to send is nothing, and the next query is answered', async () => {
    const pieces = await Array.fromAsync(copyOut(sql.unsafe('copy (select 1 where false) to stdout')));
    assert.deepEqual(pieces, []);
    await answers();
  });

  test('a reader that stops after the first piece leaves the connection to the next query', async () => {
    for await (const piece of copyOut(sql.unsafe(statement))) if (piece.length > 0) break;
    await answers();
  });

  test('a reader that fails leaves it too, and its own error comes through', async () => {
    const reading = async (): Promise<void> => {
      for await (const piece of copyOut(sql.unsafe(statement))) {
        await wait(20);
        throw new Error(`the disk is full after ${piece.length > 0 ? 'a piece' : 'nothing'}`);
      }
    };
    await assert.rejects(reading, /^Error: the disk is full after a piece$/);
    await answers();
  });

  test('an error of the statement is thrown, before the first piece and in the midst of them', async () => {
    await assert.rejects(Array.fromAsync(copyOut(sql.unsafe('copy nowhere to stdout'))), /"nowhere" does not exist/);
    await answers();
    const late = `copy (select 1 / (${ROWS} - n) from generate_series(1, ${ROWS}) n) to stdout`;
    await assert.rejects(Array.fromAsync(copyOut(sql.unsafe(late))), /division by zero/);
    await answers();
  });
});
