import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { connectDatabase } from '../../../../coordinator/platform/db/client.ts';
import { migrate } from '../../../../coordinator/platform/db/migrate.ts';
import { emptyDatabase, freshDatabase } from '../../../support/postgres.ts';

const FIRST = { '0001-make-thing.sql': 'create table thing (id integer primary key, label text);\n' };
const INDEX = {
  '0002-index-label.sql':
    '-- nontransactional\ndrop index concurrently if exists thing_label;\ncreate index concurrently thing_label on thing (label);\n',
};

async function directoryFor(t: TestContext, files: Record<string, string>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gpumark-migrations-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  await addFiles(directory, files);
  return directory;
}

async function addFiles(directory: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
}

test('migrating twice is migrating once, and new files are applied alone', async (t) => {
  const { sql } = await emptyDatabase(t);
  const directory = await directoryFor(t, FIRST);
  assert.deepEqual(await migrate(sql, { directory }), { applied: ['0001-make-thing.sql'], version: 1 });
  assert.deepEqual(await migrate(sql, { directory }), { applied: [], version: 1 });
  await addFiles(directory, {
    '0002-fill.sql': "insert into thing values (1, 'a; b');\ninsert into thing values (2, null);\n",
  });
  assert.deepEqual(await migrate(sql, { directory }), { applied: ['0002-fill.sql'], version: 2 });
  assert.equal((await sql`select count(*)::int as rows from thing`)[0]?.['rows'], 2);
});

test('a changed or renamed file that was applied is refused by name, and nothing after it runs', async (t) => {
  const { sql } = await emptyDatabase(t);
  const directory = await directoryFor(t, FIRST);
  await migrate(sql, { directory });
  await addFiles(directory, { '0001-make-thing.sql': '-- harmless\n', '0002-more.sql': 'create table more ();' });
  await assert.rejects(migrate(sql, { directory }), /0001-make-thing\.sql was changed after it had been applied/);
  await rm(join(directory, '0001-make-thing.sql'));
  await addFiles(directory, { '0001-other.sql': FIRST['0001-make-thing.sql'] });
  await assert.rejects(migrate(sql, { directory }), /0001-other\.sql was applied as 0001-make-thing\.sql/);
  assert.equal((await sql`select to_regclass('more') as found`)[0]?.['found'], null);
});

test('gaps, numbers used twice, odd names and files that end their transaction are refused', async (t) => {
  const { sql } = await emptyDatabase(t);
  for (const [files, fault] of [
    [{ ...FIRST, '0003-late.sql': '' }, /number of 0003-late\.sql follows 0001/],
    [{ ...FIRST, '0001-twin.sql': '' }, /number of 0001-twin\.sql is used twice/],
    [{ ...FIRST, 'notes.txt': '' }, /notes\.txt in the migrations is not named/],
    [{ '0001-sneaky.sql': 'create table a ();\ncommit;\n' }, /0001-sneaky\.sql ends or begins a transaction/],
    [
      { '0001-body.sql': '-- nontransactional\ndo $$ begin end $$;' },
      /0001-body\.sql is nontransactional and holds a \$\$/,
    ],
  ] as const) {
    await assert.rejects(migrate(sql, { directory: await directoryFor(t, files) }), fault);
  }
});

test('a file that fails leaves nothing of itself, keeps the files before it, and names its line', async (t) => {
  const { sql } = await emptyDatabase(t);
  const bad = { '0002-bad.sql': 'create table half ();\n\ninsert into nowhere values (1);\n' };
  const directory = await directoryFor(t, { ...FIRST, ...bad });
  await assert.rejects(
    migrate(sql, { directory }),
    /0002-bad\.sql, line 3 failed: relation "nowhere" does not exist\. Nothing of it/,
  );
  const [row] = await sql`select to_regclass('half') as half, to_regclass('thing')::text as thing`;
  assert.deepEqual({ ...row }, { half: null, thing: 'thing' });
  await addFiles(directory, { '0002-bad.sql': 'create table half ();' });
  assert.deepEqual((await migrate(sql, { directory })).applied, ['0002-bad.sql']);
});

test('four migrators at the same time apply each file once, a concurrent index included', async (t) => {
  const { url } = await emptyDatabase(t);
  const directory = await directoryFor(t, {
    ...FIRST,
    ...INDEX,
    '0003-slow.sql': "select pg_sleep(0.2);\ninsert into thing values (1, 'once');\n",
  });
  const pools = Array.from({ length: 4 }, () => connectDatabase({ url, max: 2 }));
  const results = await Promise.all(pools.map((sql) => migrate(sql, { directory })));
  assert.deepEqual(results.flatMap((result) => result.applied).toSorted(), [
    '0001-make-thing.sql',
    '0002-index-label.sql',
    '0003-slow.sql',
  ]);
  assert.ok(results.every((result) => result.version === 3));
  const [row] = await (pools[0] ?? assert.fail())`
    select (select count(*)::int from thing) as rows, indisvalid as valid
    from pg_index where indexrelid = 'thing_label'::regclass
  `;
  assert.deepEqual({ ...row }, { rows: 1, valid: true });
  await Promise.all(pools.map((sql) => sql.end({ timeout: 1 })));
});

test('a nontransactional file that failed half-way runs again, and the connection goes back as it was', async (t) => {
  const { url } = await emptyDatabase(t);
  const sql = connectDatabase({ url, max: 1 });
  const directory = await directoryFor(t, FIRST);
  await migrate(sql, { directory });
  await sql`insert into thing values (1, 'same'), (2, 'same')`;
  const unique = INDEX['0002-index-label.sql'].replace('create index', 'create unique index');
  await addFiles(directory, { '0002-unique-label.sql': unique });
  await assert.rejects(migrate(sql, { directory }), /0002-unique-label\.sql failed: could not create unique index/);
  await sql`delete from thing where id = 2`;
  assert.deepEqual((await migrate(sql, { directory })).applied, ['0002-unique-label.sql']);
  const [row] = await sql`
    select indisvalid as valid, current_setting('statement_timeout') as timeout,
      (select count(*)::int from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks
    from pg_index where indexrelid = 'thing_label'::regclass
  `;
  assert.deepEqual({ ...row }, { valid: true, timeout: '15s', locks: 0 });
  await sql.end({ timeout: 1 });
});

test('an older program runs on a newer schema, unless a file it does not know is marked breaking', async (t) => {
  const { sql } = await emptyDatabase(t);
  const old = await directoryFor(t, FIRST);
  const newer = await directoryFor(t, { ...FIRST, '0002-add.sql': 'alter table thing add extra text;' });
  await migrate(sql, { directory: newer });
  assert.deepEqual(await migrate(sql, { directory: old }), { applied: [], version: 2 });
  await addFiles(newer, { '0003-drop.sql': '-- Labels moved.\n-- breaking\nalter table thing drop label;' });
  await migrate(sql, { directory: newer });
  await assert.rejects(
    migrate(sql, { directory: old }),
    /newer version \(0003-drop\.sql\), and this version, which knows 1 /,
  );
});

test("the product's own migrations are up to date in every fresh database", async (t) => {
  const { sql } = await freshDatabase(t);
  const result = await migrate(sql);
  assert.deepEqual(result.applied, []);
  assert.ok(result.version > 0);
});
