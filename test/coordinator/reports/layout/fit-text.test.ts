import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as check, integer, property, string } from 'fast-check';
import { fitText } from '../../../../coordinator/reports/layout/fit-text.ts';

/** Every character one point wide, so widths can be counted. */
const measure = (text: string): number => [...new Intl.Segmenter('en').segment(text)].length;

test('lines break at spaces and after joining signs, not inside a number', () => {
  assert.deepEqual(fitText('one two three', 8, 9, measure), ['one two', 'three']);
  assert.deepEqual(fitText('node-17.example', 10, 9, measure), ['node-17.', 'example']);
  assert.deepEqual(fitText('below 0.0032', 9, 9, measure), ['below', '0.0032']);
  assert.deepEqual(fitText('cv 4.5\u00A0%', 6, 9, measure), ['cv', '4.5\u00A0%']);
  assert.deepEqual(fitText('on 2026-11-21', 11, 9, measure), ['on', '2026-11-21']);
  assert.deepEqual(fitText('at 1.5e-7 s', 8, 9, measure), ['at', '1.5e-7 s']);
  assert.deepEqual(fitText('by gpu-006', 9, 9, measure), ['by', 'gpu-006']);
});

test('a word longer than a line is broken, what does not fit ends in an ellipsis', () => {
  assert.deepEqual(fitText('abcdefgh', 3, 9, measure), ['abc', 'def', 'gh']);
  assert.deepEqual(fitText('abcdefgh', 3, 2, measure), ['abc', 'de…']);
  // A number within a long word stays whole; one that is longer than a line cannot.
  assert.deepEqual(fitText('abcde1,234', 8, 9, measure), ['abcde', '1,234']);
  assert.deepEqual(fitText('123456', 4, 9, measure), ['1234', '56']);
  assert.deepEqual(fitText('one two three', 8, 1, measure), ['one two…']);
});

test('no line is wider than asked for, nothing is lost without an ellipsis, and it always ends', () => {
  check(
    property(
      string({ unit: 'grapheme', maxLength: 80 }),
      integer({ min: 1, max: 20 }),
      integer({ min: 1, max: 5 }),
      (text, width, maxLines) => {
        const lines = fitText(text, width, maxLines, measure);
        assert.ok(lines.length <= maxLines);
        for (const line of lines) assert.ok(measure(line) <= width, `${JSON.stringify(line)} > ${width}`);
        const isCut = lines.at(-1)?.endsWith('…') ?? false;
        if (!isCut) assert.equal(lines.join('').replaceAll(/\s/g, ''), text.replaceAll(/\s/g, ''));
      },
    ),
  );
});
