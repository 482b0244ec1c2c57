import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DomainError } from '../../../../coordinator/platform/errors.ts';
import { boundsOf, type JsonBounds } from '../../../../coordinator/platform/http/scan-json.ts';
import { parseJson } from '../../../../coordinator/platform/http/check-body.ts';

const bounds: JsonBounds = { values: 100, entries: 20, text: 50 };
const outcome = (text: string, given = bounds): unknown => {
  try {
    return parseJson(Buffer.from(text), given);
  } catch (error) {
    assert.ok(error instanceof DomainError && error.kind === 'validation', String(error));
    return error.message;
  }
};
const list = (count: number, item = '1') => `[${Array.from({ length: count }, () => item).join(',')}]`;

test('values, entries and the length of texts are bounded before the parse', () => {
  assert.match(String(outcome(list(21))), /^body: must hold at most 20 entries in one place/);
  assert.match(String(outcome(list(12, list(10)))), /^body: must hold at most 100 values/);
  assert.match(String(outcome(`["${'x'.repeat(60)}"]`)), /^body: must hold texts of at most 50 bytes/);
  // not JSON from the first byte on: refused by the counts all the same
  assert.match(String(outcome(`x${','.repeat(200)}`)), /entries in one place/);
});

test('as many as are allowed pass, and commas inside texts do not count', () => {
  assert.deepEqual(
    outcome(list(20)),
    Array.from({ length: 20 }, () => 1),
  );
  assert.equal(outcome(`"${','.repeat(40)}"`), ','.repeat(40));
  assert.deepEqual(outcome(String.raw`["\",\",[[[", "\\"]`), ['",",[[[', '\\']);
});

test('entries count anew in every container and after it', () => {
  const ten = list(10);
  assert.deepEqual(outcome(`[${ten},${ten},{"a":${ten}},${ten}]`), [
    JSON.parse(ten),
    JSON.parse(ten),
    { a: JSON.parse(ten) },
    JSON.parse(ten),
  ]);
});

test('a long integer as a name, with a zero in front or behind a letter stays refused, at its own place', () => {
  for (const text of [
    '{1234567890123456789: 1}',
    '[01234567890123456789]',
    '[t1234567890123456789]',
    '[1234567890123456789 2]',
  ])
    assert.match(String(outcome(text)), /^body: is not valid JSON/, text);
  assert.match(String(outcome('[1234567890123456789, 1234567890123456789 oops]')), /at character 42$/);
  assert.deepEqual(outcome('[-1234567890123456789,1e30,12345678901234567.5,9007199254740992]'), [
    '-1234567890123456789',
    1e30,
    Number('12345678901234567.5'),
    '9007199254740992',
  ]);
});

test('__proto__ is dropped at every depth and however it is written', () => {
  const value = outcome(
    String.raw`{"a":[{"__proto__":1,"b":2},{"\u005f_proto\u005f_":{"c":1}}],"__proto__":{"__proto__":1}}`,
  );
  assert.deepEqual(value, { a: [{ b: 2 }, {}] });
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.deepEqual(outcome('{"a":{"__proto__":1},"a":{"b":1}}'), { a: { b: 1 } });
  assert.match(
    String(outcome(`[${Array.from({ length: 101 }, () => '{"__proto__":1}').join(',')}]`, boundsOf(1 << 20))),
    /must not hold fields named __proto__/,
  );
});

test('bad text is named by its field at any depth, and good escapes pass', () => {
  assert.match(String(outcome(String.raw`{"a":[{"note":"\ud83d x"}]}`)), /^note: must be valid text/);
  assert.match(String(outcome(String.raw`["a","\u0000"]`)), /^1: must be valid text/);
  assert.match(String(outcome(String.raw`"\ud83d\ud83d"`)), /^body: must be valid text/);
  assert.equal(outcome(String.raw`"\ud83d\ude00 \u00e9 \\u0000"`), '😀 é \\u0000');
});
