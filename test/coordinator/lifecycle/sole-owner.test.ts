import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesUnder, withoutComments } from '../../support/source-files.ts';

const files = filesUnder('coordinator');

test('rows of jobs and tasks, their leases and their states are written in one place each', () => {
  const writes = /\b(?:update|insert into|delete from) (?:job|task|task_lease)\b/;
  // Of a parameter or of a word; what `where` asks for is not a change.
  const setsState = /\bupdate (?:job|task) set\s(?:(?!\bwhere\b)[^`])*?\bstate = [$']/;
  const writing = files.filter((file) => writes.test(withoutComments(file)));
  assert.ok(writing.length > 1, 'the walk found the writes');
  assert.deepEqual(
    writing.filter((file) => !file.startsWith('coordinator/lifecycle/queries/')),
    [],
  );
  const moving = writing.filter((file) => setsState.test(withoutComments(file)));
  assert.deepEqual(moving, ['coordinator/lifecycle/queries/rows.ts']);
});

/** Their statements name a table at run time. */
const namesTables = new Map([
  ['coordinator/accounts/erasure/queries.ts', 'what a customer has goes from every table, jobs and tasks among them'],
  ['coordinator/platform/backup/queries.ts', 'a backup is put back table by table'],
  ['coordinator/platform/readings/queries/replaced-rows.ts', 'tables of readings, which their areas name'],
  ['coordinator/tokens/queries/store-observations.ts', 'its own three tables are filled in one way'],
]);

test('rows of jobs and tasks are locked by lifecycle alone, and a statement for any table is one of four', () => {
  const locks =
    /\b(?:from|join) (?:job|task)\b(?![^`]*\bfor (?:no key )?update of (?!job\b|task\b))[^`]*\bfor (?:no key )?(?:update|share)\b/;
  const sources = files.map((file) => ({ file, text: withoutComments(file) }));
  const locking = sources.filter(({ text }) => locks.test(text)).map(({ file }) => file);
  assert.ok(locking.length > 0, 'the walk found the locks');
  assert.deepEqual(
    locking.filter((file) => !file.startsWith('coordinator/lifecycle/queries/')),
    [],
  );
  const anyTable = /\b(?:update|insert into|delete from) "?\$\{/;
  const naming = sources.filter(({ text }) => anyTable.test(text)).map(({ file }) => file);
  assert.deepEqual(naming.toSorted(), [...namesTables.keys()].toSorted());
});
