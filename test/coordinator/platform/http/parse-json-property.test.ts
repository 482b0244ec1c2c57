import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { agrees } from './json-reference.ts';

const space = fc.constantFrom('', '', '', ' ', '\n  ', '\t\r\n', ' '.repeat(15), ' '.repeat(16), ' '.repeat(45));
const digits = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String);
const edges = ['9007199254740991', '9007199254740992', '-9007199254740991', '-9007199254740993', '9999999999999999'];
const odd = ['0', '-0', '1e20', '1E-7', '-1.5e+300', '1e400', '12345678901234567.5', '0.12345678901234567'];
const number = fc.oneof(
  digits,
  fc.tuple(digits, fc.integer({ min: 1, max: 21 })).map(([all, length]) => String(BigInt(all.slice(0, length + 1)))),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom(...edges, ...odd),
);
const good = String.raw`\n \" \\ \/ \u0041 \u00e9 \u0001 \ud83d\ude00 \uD83D\uDE00 \u005f _`.split(' ');
const bad = String.raw`\u0000 \ud83d \udc00 \ud83d\ud83d \ude00\ud83d`.split(' ');
/** Pieces of strings; few hold what is refused. */
const piece = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => JSON.stringify(text).slice(1, -1)),
  },
  {
    weight: 30,
    arbitrary: fc.constantFrom(...good, 'x'.repeat(14), 'x'.repeat(16), 'é'.repeat(30), '1234567890123456789'),
  },
  { weight: 1, arbitrary: fc.constantFrom(...bad) },
);
const string = fc.array(piece, { maxLength: 4 }).map((pieces) => `"${pieces.join('')}"`);
const name = fc.oneof(
  { weight: 12, arbitrary: string },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '"__proto__"',
      '"__proto_"',
      '"__proto___"',
      String.raw`"\u005f_proto\u005F_"`,
      String.raw`"__prot\u006f__"`,
      String.raw`"\u005f\u005f\u0070\u0072\u006f\u0074\u006f\u005f\u005f"`,
    ),
  },
);

const { value } = fc.letrec<{ value: string }>((tie) => {
  const spaced = fc.tuple(space, tie('value'), space).map((parts) => parts.join(''));
  const field = fc
    .tuple(space, name, space, spaced)
    .map(([before, key, after, inner]) => `${before}${key}${after}:${inner}`);
  return {
    value: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(number, string, fc.constantFrom('true', 'false', 'null')),
      fc.array(spaced, { maxLength: 6 }).map((items) => `[${items.join(',')}]`),
      fc.array(field, { maxLength: 6 }).map((fields) => `{${fields.join(',')}}`),
    ),
  };
});
const text = fc.tuple(space, value, space).map((parts) => Buffer.from(parts.join('')));

test('any JSON text becomes the value that a slow, exact parse makes of it', () => {
  fc.assert(
    fc.property(text, (bytes) => assert.ok(agrees(bytes))),
    { numRuns: 2000 },
  );
});

const mutation = fc.record({
  at: fc.nat(),
  removed: fc.nat(3),
  added: fc.oneof(
    fc
      .constantFrom(...Array.from('"\\[]{},:-0.eEtnfu \n\0'), '\\u', '"\\u0000"', '12345678901234567', '{}', ',"a":')
      .map((made) => Buffer.from(made)),
    fc.uint8Array({ maxLength: 2 }),
  ),
});

test('a JSON text with changed bytes is refused or read as by a slow, exact parse', () => {
  fc.assert(
    fc.property(text, fc.array(mutation, { minLength: 1, maxLength: 3 }), (bytes, mutations) => {
      let mutated: Uint8Array = bytes;
      for (const { at, removed, added } of mutations) {
        const place = at % (mutated.length + 1);
        mutated = Buffer.concat([mutated.subarray(0, place), added, mutated.subarray(place + removed)]);
      }
      assert.ok(agrees(mutated), Buffer.from(mutated).toString('latin1'));
    }),
    { numRuns: 3000 },
  );
});
