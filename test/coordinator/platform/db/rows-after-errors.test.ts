import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { connectDatabase } from '../../../../coordinator/platform/db/client.ts';
import { copyIn, copyOut } from '../../../../coordinator/platform/db/driver/copy.ts';
import { freshDatabase } from '../../../support/postgres.ts';

/** Two rows, then an error of the third. */
const FAILS = 'select g, 1 / (3 - g) as part from generate_series(1, 10) g';

describe('what the next query of a connection answers after a statement that failed behind its first row', async () => {
  const { url, sql: other } = await freshDatabase({ after });
  const sql = connectDatabase({ url, max: 1, statementTimeoutMs: 10_000 });
  after(() => sql.end({ timeout: 5 }));
  const pidOf = async () => String((await sql`select pg_backend_pid() as pid`)[0]?.['pid']);

  /** The statement has sent its first rows once the other connection sees it sleep. */
  const untilAsleep = async (pid: string): Promise<void> => {
    const asleep = () =>
      other`select from pg_stat_activity where pid = ${pid}::int and wait_event = 'PgSleep'`.then(
        (rows) => rows.length > 0,
      );
    while (!(await asleep()));
  };

  /** Every index is there, in order, and nothing else. */
  const isRight = async (): Promise<void> => {
    const [rows, row] = await Promise.all([
      sql<{ n: number }[]>`select n from generate_series(1, ${4}) n`.execute(),
      sql<{ n: number }[]>`select 7 as n`.execute(),
    ]);
    assert.deepEqual(
      Object.entries([...rows]),
      [1, 2, 3, 4].map((n, at) => [String(at), { n }]),
    );
    assert.equal(Object.hasOwn(row, 0), true);
    assert.deepEqual([...row], [{ n: 7 }]);
  };

  test('one that ran over its time', async () => {
    const hasty = connectDatabase({ url, max: 1, statementTimeoutMs: 300 });
    await assert.rejects(hasty`select g, pg_sleep(.1) from generate_series(1, 10) g`.execute(), { code: '57014' });
    const rows = await hasty`select 1 as one`;
    assert.deepEqual([...rows], [{ one: 1 }]);
    await hasty.end({ timeout: 1 });
  });

  test('one with an error of its own', async () => {
    await assert.rejects(sql.unsafe(FAILS).execute(), { code: '22012' });
    await isRight();
  });

  test('one that was prepared, with parameters', async () => {
    for (const at of [3, 2])
      await assert.rejects(sql`select 1 / (${at}::int - g) as part from generate_series(1, 9) g`.execute());
    await isRight();
  });

  test('one that an operator cancelled', async () => {
    const pid = await pidOf();
    const cancelled = sql`select g, pg_sleep(case when g < 4 then 0 else 10 end) from generate_series(1, 10) g`;
    const failed = assert.rejects(cancelled.execute(), { code: '57014' });
    await untilAsleep(pid);
    await other`select pg_cancel_backend(${pid}::int)`;
    await failed;
    await isRight();
  });

  test('queries sent before and behind it without waiting', async () => {
    const size = async (n: number) => (await sql`select * from generate_series(1, ${n}::int)`.execute()).map(() => n);
    const fails = async () =>
      sql.unsafe(FAILS).then(
        () => 'answered',
        () => 'failed',
      );
    const answers = await Promise.all([size(3), fails(), size(2), size(0), fails(), fails(), size(4), isRight()]);
    assert.deepEqual(answers, [[3, 3, 3], 'failed', [2, 2], [], 'failed', 'failed', [4, 4, 4, 4], undefined]);
  });

  test('several statements in one text', async () => {
    for (const text of [
      `select 1 as n; ${FAILS}`,
      `${FAILS}; select 1 as n`,
      `select 1 as n; select 2 as n; ${FAILS}`,
    ]) {
      await assert.rejects(sql.unsafe(text).execute(), { code: '22012' });
      const two = await sql.unsafe('select n from generate_series(1, 3) n; select 5 as n').execute();
      assert.deepEqual(JSON.parse(JSON.stringify(two)), [[{ n: 1 }, { n: 2 }, { n: 3 }], [{ n: 5 }]]);
      await isRight();
    }
  });

  test('a cursor whose second piece failed', async () => {
    const pieces: number[] = [];
    await assert.rejects(
      sql.unsafe('select 1 / (4 - g) as part from generate_series(1, 9) g').cursor(2, (rows) => {
        pieces.push(rows.length);
      }),
      { code: '22012' },
    );
    assert.deepEqual(pieces, [2]);
    await isRight();
  });

  test('a cursor whose reader threw, or had enough', async () => {
    const thrown = new Error('the reader');
    await assert.rejects(
      sql`select g from generate_series(1, 9) g`.cursor(3, () => {
        throw thrown;
      }),
      thrown,
    );
    await isRight();
    for await (const rows of sql`select g from generate_series(1, 9) g`.cursor(3)) {
      assert.equal(rows.length, 3);
      break;
    }
    await isRight();
  });

  test('rows handed on one by one', async () => {
    let seen = 0;
    await assert.rejects(
      sql.unsafe(FAILS).forEach(() => (seen += 1)),
      { code: '22012' },
    );
    assert.equal(seen, 2);
    await isRight();
  });

  test('rows as arrays, and as bytes', async () => {
    await assert.rejects(sql.unsafe(FAILS).values(), { code: '22012' });
    assert.deepEqual([...(await sql`select 7 as n`.values())], [[7]]);
    await assert.rejects(sql.unsafe(FAILS).raw(), { code: '22012' });
    assert.deepEqual([...(await sql`select 7 as n`.raw())], [[Buffer.from('7')]]);
  });

  test('a COPY that failed on its way out, and one on its way in', async () => {
    const read = async () => {
      for await (const piece of copyOut(sql.unsafe(`copy (${FAILS}) to stdout`))) assert.ok(piece.length > 0);
    };
    await assert.rejects(read(), { code: '22012' });
    await isRight();
    await sql`create temporary table number (n int check (n > 0))`;
    const into = await copyIn(sql.unsafe('copy number (n) from stdin'));
    await into.write('1\n2\n-1\n');
    await assert.rejects(into.end(), { code: '23514' });
    await isRight();
  });

  test('one inside a transaction, and behind a savepoint of it', async () => {
    await assert.rejects(
      sql.begin((tx) => tx.unsafe(FAILS).execute()),
      { code: '22012' },
    );
    await isRight();
    const after = await sql.begin(async (tx) => {
      await assert.rejects(
        tx.savepoint((inner) => inner.unsafe(FAILS).execute()),
        { code: '22012' },
      );
      return tx`select 7 as n`;
    });
    assert.deepEqual([...after], [{ n: 7 }]);
    await isRight();
  });

  test('a value that could not be read', async () => {
    const picky = connectDatabase({ url, max: 1 });
    picky.options.parsers[25] = (text: string) => {
      if (text === '3') throw new TypeError('a three');
      return text;
    };
    await assert.rejects(picky`select g::text as g from generate_series(1, 9) g`.execute(), TypeError);
    assert.deepEqual([...(await picky`select '7'::text as n`)], [{ n: '7' }]);
    await picky.end({ timeout: 1 });
  });

  test('a plan that changed under a prepared statement', async () => {
    await sql`create table changing (n int)`;
    await sql`insert into changing values (1), (2)`;
    const read = () => sql`select * from changing where n < ${5}`.execute();
    assert.equal((await read()).length, 2);
    await other`alter table changing add column more int`;
    await assert.rejects(sql.unsafe(FAILS).execute());
    assert.deepEqual(
      [...(await read())],
      [
        { n: 1, more: null },
        { n: 2, more: null },
      ],
    );
    await isRight();
  });

  test('a connection that was ended in the middle of a result', async () => {
    const pid = await pidOf();
    const ended = sql`select g, repeat('x', 2000), pg_sleep(case when g < 40 then 0 else 10 end) from generate_series(1, 50) g`;
    const failed = assert.rejects(ended.execute());
    await untilAsleep(pid);
    await other`select pg_terminate_backend(${pid}::int)`;
    await failed;
    // One that is sent before the socket has closed fails with it; it neither waits nor gets another's error later.
    await sql`select 1`.execute().catch((error: unknown) => assert.match(String(error), /CONNECTION_CLOSED/));
    await isRight();
  });

  test('a thousand statements in any order, sent at once', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('rows'), n: fc.integer({ min: 0, max: 5 }) }),
      fc.record({ kind: fc.constant('fails'), n: fc.integer({ min: 0, max: 5 }) }),
      fc.record({ kind: fc.constant('stopped cursor'), n: fc.integer({ min: 1, max: 5 }) }),
    );
    const send = async ({ kind, n }: { kind: string; n: number }): Promise<number[]> => {
      if (kind === 'rows')
        return [...(await sql<{ g: number }[]>`select g from generate_series(1, ${n}) g`)].map((row) => row.g);
      if (kind === 'fails')
        return sql`select 1 / (${n} + 1 - g) from generate_series(1, 9) g`.then(
          () => [-1],
          () => [],
        );
      return sql`select g from generate_series(1, 9) g`
        .cursor(n, () => {
          throw new Error('enough');
        })
        .then(
          () => [-1],
          () => [],
        );
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const answers = await Promise.all(steps.map(send));
        const expected = steps.map(({ kind, n }) =>
          kind === 'rows' ? Array.from({ length: n }, (_, at) => at + 1) : [],
        );
        assert.deepEqual(answers, expected);
      }),
      { numRuns: 100, seed: 14 },
    );
  });
});
