import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { dumpSchema } from '../../../../coordinator/platform/db/schema-dump/dump-schema.ts';
import { freshDatabase } from '../../../support/postgres.ts';

const GOLDEN = new URL('../../../../coordinator/platform/db/schema.sql', import.meta.url);

test('the migrations make exactly the schema of schema.sql', async (t) => {
  const { sql } = await freshDatabase(t);
  const made = await dumpSchema(sql);
  if (process.env['UPDATE_GOLDEN']) await writeFile(GOLDEN, made);
  const [lines, golden] = [made, await readFile(GOLDEN, 'utf8')].map((text) => text.split('\n'));
  const differs = lines?.findIndex((line, index) => line !== golden?.[index]) ?? 0;
  // The first difference only: the whole text would bury it.
  assert.equal(lines?.[differs], golden?.[differs], `schema.sql line ${differs + 1}; UPDATE_GOLDEN=1 rewrites it`);
  assert.equal(lines?.length, golden?.length);
});

test('the dump shows every kind of change to a table', async (t) => {
  const { sql } = await freshDatabase(t);
  await sql.unsafe(`
    create type mood as enum ('calm', 'busy');
    create domain share as real check (value between 0 and 1);
    create table thing (
      id bigint generated always as identity primary key,
      mood mood not null default 'calm',
      part share,
      twice int generated always as (octet_length(label) * 2) stored,
      label text collate "C"
    ) with (fillfactor = 70);
    create index thing_label on thing (label) where part is not null;
    create view busy as select id from thing where mood = 'busy';
    create function answer() returns int language sql as 'select 42';
  `);
  const text = await dumpSchema(sql);
  for (const expected of [
    "create type mood as enum ('calm', 'busy');",
    'create domain share as real CHECK',
    'id bigint generated always as identity not null',
    "mood mood default 'calm'::mood not null",
    'twice integer generated always as ((octet_length(label) * 2)) stored',
    'label text collate "C"',
    'with (fillfactor=70)',
    'CREATE INDEX thing_label ON public.thing USING btree (label) WHERE (part IS NOT NULL)',
    'create view busy as',
    'FUNCTION public.answer()',
  ]) {
    assert.ok(text.includes(expected), `${expected}\nis not in\n${text}`);
  }
  // Applied twice the dump is the same text: nothing in it depends on ids or time.
  assert.equal(await dumpSchema(sql), text);
});
