import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { connectDatabase } from '../../../../coordinator/platform/db/client.ts';
import { listenForNews } from '../../../../coordinator/platform/db/news.ts';
import { openDatabase } from '../../../../coordinator/platform/db/open-database.ts';
import { pgbouncerPrepares, startPgbouncer, whyNoPgbouncer } from '../../../support/pgbouncer.ts';
import { emptyDatabase, freshDatabase } from '../../../support/postgres.ts';
import { QUIET } from '../../../support/data-dir.ts';
import { until } from '../../../support/until.ts';

describe('behind pgbouncer in transaction mode', { skip: whyNoPgbouncer }, () => {
  test('migrations go past it, and every limit holds on its connections', async (t) => {
    const { url } = await emptyDatabase(t);
    const pooled = await startPgbouncer(t, url, 4);
    const settings = { directUrl: url, isPooled: true, prepare: pgbouncerPrepares };
    const database = await openDatabase({ databaseUrl: pooled, dataDir: '/nowhere', settings, log: QUIET, max: 12 });
    t.after(() => database.close());
    assert.ok(database.migration.version > 20);
    const limits = await database.sql<{ name: string; setting: string }[]>`
      select name, setting from pg_settings
      where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'TimeZone') order by name`;
    assert.deepEqual(Object.fromEntries(limits.map(({ name, setting }) => [name, setting])), {
      TimeZone: 'UTC',
      idle_in_transaction_session_timeout: '30000',
      lock_timeout: '5000',
      statement_timeout: '15000',
    });
    // More at a time than the pool has, in and outside transactions, twice over.
    const asked = Array.from({ length: 400 }, (_, at) => at);
    const answers = await Promise.all(
      asked.map((at) =>
        at % 3 === 0
          ? database.sql.begin(async (tx) => (await tx<{ sum: number }[]>`select ${at}::int + 1 as sum`)[0]?.sum)
          : database.sql<{ sum: number }[]>`select ${at}::int + 1 as sum`.then(([row]) => row?.sum),
      ),
    );
    assert.deepEqual(
      answers,
      asked.map((at) => at + 1),
    );
    // Each of the pool's four connections to the server has them, if any has.
    const prepared = await database.sql<{ count: number }[]>`select count(*)::int as count from pg_prepared_statements`;
    assert.equal((prepared[0]?.count ?? 0) > 0, pgbouncerPrepares);
  });

  test('a second start finds the limits and sets nothing; another process beside it migrates nothing', async (t) => {
    const { url, sql } = await freshDatabase(t);
    const pooled = await startPgbouncer(t, url, 4);
    const settings = { directUrl: url, isPooled: true, prepare: pgbouncerPrepares };
    const open = () => openDatabase({ databaseUrl: pooled, dataDir: '/nowhere', settings, log: QUIET, max: 2 });
    const [first, second] = await Promise.all([open(), open()]);
    t.after(() => Promise.all([first.close(), second.close()]).then(() => undefined));
    assert.deepEqual([first.migration.applied, second.migration.applied], [[], []]);
    const stored = await sql<{ setconfig: string[] }[]>`
      select setconfig from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase where datname = current_database()`;
    assert.deepEqual(stored[0]?.setconfig.toSorted(), [
      'idle_in_transaction_session_timeout=30000',
      'lock_timeout=5000',
      'statement_timeout=15000',
    ]);
  });

  test('news is heard past it; through it nothing is, and the log says what to set', async (t) => {
    const { url } = await freshDatabase(t);
    const pooled = await startPgbouncer(t, url, 2);
    const sql = connectDatabase({ url: pooled, max: 2, prepare: pgbouncerPrepares, sendLimits: false });
    t.after(() => sql.end({ timeout: 1 }));
    const warnings: string[] = [];
    const log = {
      error: () => undefined,
      warn: (fields: unknown) => void warnings.push((fields as { err: Error }).err.message),
    };
    const through = listenForNews({
      sql,
      connectDirectly: () => connectDatabase({ url: pooled, max: 1, prepare: pgbouncerPrepares, sendLimits: false }),
      log,
      randomBytes,
    });
    t.after(() => through.stop());
    const past = listenForNews({ sql, connectDirectly: () => connectDatabase({ url, max: 1 }), log, randomBytes });
    t.after(() => past.stop());
    await until('news past the pooler', () => past.isHearing());
    await until('a warning', () => warnings.length > 0);
    assert.match(warnings[0] ?? '', /is there a pooler in between\? Set DATABASE_DIRECT_URL/);
    assert.equal(through.isHearing(), false);
  });
});
