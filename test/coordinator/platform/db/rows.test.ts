import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maybeOne, one, UnexpectedRows } from '../../../../coordinator/platform/db/rows.ts';

/** What the driver answered before it was mended: `[<hole>, row]`. */
function withHole(): { n: number }[] {
  const rows: { n: number }[] = [];
  rows[1] = { n: 1 };
  return rows;
}

test('one row is given, and no row is an absence only if there may be none', () => {
  assert.deepEqual(one([{ n: 1 }]), { n: 1 });
  assert.deepEqual(maybeOne([{ n: 1 }]), { n: 1 });
  assert.equal(maybeOne([]), undefined);
  assert.throws(() => one([]), UnexpectedRows);
});

test('a hole is an error and never an absence', () => {
  for (const rows of [withHole(), Array.from<{ n: number }>({ length: 1 }), [undefined]]) {
    assert.throws(() => one(rows), UnexpectedRows);
    assert.throws(() => maybeOne(rows), UnexpectedRows);
  }
});

test('more than one row is an error', () => {
  assert.throws(() => one([1, 2]), /2 rows where a query has at most one/);
  assert.throws(() => maybeOne([1, 2]), UnexpectedRows);
});
