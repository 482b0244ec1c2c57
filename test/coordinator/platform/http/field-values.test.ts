import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasTag, partOf, rangeOf } from '../../../../coordinator/platform/http/field-values.ts';

const tag = '"abc"';

test('If-None-Match has a tag, a list of any length, weak ones, or a star; never a part of a tag', () => {
  const many = Array.from({ length: 300 }, (_, at) => `"${at}"`).join(', ');
  for (const header of [tag, `W/${tag}`, `"x", ${tag}`, `"x",W/${tag} ,"y"`, '*', ' * ', `${many}, ${tag}`])
    assert.equal(hasTag(header, tag), true, header);
  for (const header of [undefined, '', 'abc', '"ab"', '"abcd"', '"x, abc"', '"*"', many])
    assert.equal(hasTag(header, tag), false, String(header));
});

const part = (range: string, total: number, ifRange?: string) => {
  const asked = rangeOf({ range, ifRange, tag });
  return asked && (partOf(asked, total) ?? 'unsatisfiable');
};

test('one range of bytes is a part of the content, cut at its end, or unsatisfiable', () => {
  // RFC 9110, 14.1.2, for 10,000 bytes
  assert.deepEqual(part('bytes=0-499', 10_000), { first: 0, last: 499 });
  assert.deepEqual(part('bytes=500-999', 10_000), { first: 500, last: 999 });
  assert.deepEqual(part('bytes=-500', 10_000), { first: 9500, last: 9999 });
  assert.deepEqual(part('bytes=9500-', 10_000), { first: 9500, last: 9999 });
  assert.deepEqual(part('BYTES=0-0', 10_000), { first: 0, last: 0 });
  assert.deepEqual(part('bytes=9999-20000', 10_000), { first: 9999, last: 9999 });
  assert.deepEqual(part('bytes=-20000', 10_000), { first: 0, last: 9999 });
  for (const beyond of ['bytes=10000-', 'bytes=10000-10001', 'bytes=-0'])
    assert.equal(part(beyond, 10_000), 'unsatisfiable');
});

test('several ranges, other units, malformed ones and those of other content mean the whole', () => {
  for (const range of ['', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=5-4', 'bytes=-', 'bytes=a-b', 'bytes 0-1', 'bytes=1'])
    assert.equal(part(range, 10), null, range);
  assert.deepEqual(part('bytes=1-2', 10, tag), { first: 1, last: 2 });
  // RFC 9110, 13.1.5: compared strongly, so a weak tag never matches
  for (const other of ['"other"', `W/${tag}`, 'Sat, 28 Nov 2026 12:00:00 GMT'])
    assert.equal(part('bytes=1-2', 10, other), null);
});
