import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DomainError } from '../../../../coordinator/platform/errors.ts';
import { parseJson } from '../../../../coordinator/platform/http/check-body.ts';

const parse = (text: string): unknown => parseJson(Buffer.from(text));
const refusal = (bytes: Uint8Array): string => {
  try {
    parseJson(bytes);
  } catch (error) {
    assert(error instanceof DomainError && error.kind === 'validation', String(error));
    return error.message;
  }
  return 'accepted';
};

test('integers beyond 2^53 keep every digit, as strings; all other numbers stay numbers', () => {
  assert.deepEqual(
    parse('{"id": 1847032911563124737, "n": 9007199254740991, "x": 1.5, "big": 1e20, "neg": -9007199254740993}'),
    {
      id: '1847032911563124737',
      n: 9_007_199_254_740_991,
      x: 1.5,
      big: 1e20,
      neg: '-9007199254740993',
    },
  );
});

test('digits inside strings and fractions with many digits are left alone', () => {
  assert.deepEqual(parse('{"a": "18470329115631247371", "b": 0.12345678901234567}'), {
    a: '18470329115631247371',
    b: Number('0.12345678901234567'),
  });
});

test('NUL and lone surrogates are refused in values and in names, pairs are not', () => {
  assert.match(refusal(Buffer.from(String.raw`{"name": "a\u0000b"}`)), /^name: must be valid text without NUL/);
  assert.match(refusal(Buffer.from(String.raw`{"name": "\ud83d"}`)), /^name: must be valid text/);
  assert.match(refusal(Buffer.from(String.raw`{"\udc00": 1}`)), /^body: must have valid text/);
  assert.deepEqual(parse(String.raw`{"name": "\ud83d\ude00"}`), { name: '😀' });
});

test('bytes that are not UTF-8 are refused', () => {
  assert.equal(refusal(Buffer.from([0x22, 0xff, 0x22])), 'body: must be UTF-8');
});

test('text that is not JSON is refused with the position and without a word of it', () => {
  const message = refusal(Buffer.from('{"password": "hunter2" oops}'));
  assert.match(message, /^body: is not valid JSON at character 23$/);
});

test('nesting beyond 64 levels is refused, however deep, with and without the exact parse', () => {
  const nested = (levels: number, core = '') => '['.repeat(levels) + core + ']'.repeat(levels);
  assert.equal(refusal(Buffer.from(nested(64))), 'accepted');
  assert.equal(refusal(Buffer.from(nested(65))), 'body: must not nest deeper than 64 levels');
  assert.equal(refusal(Buffer.from(nested(200_000))), 'body: must not nest deeper than 64 levels');
  assert.equal(
    refusal(Buffer.from(nested(200_000, '1847032911563124737'))),
    'body: must not nest deeper than 64 levels',
  );
});

test('a field named __proto__ is dropped and reaches no prototype', () => {
  const value = parse('{"__proto__": {"admin": true}, "a": 1}');
  assert.deepEqual(value, { a: 1 });
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
});
