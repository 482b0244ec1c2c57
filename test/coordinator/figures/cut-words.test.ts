import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutWords } from '../../../coordinator/figures/cut-words.ts';
import { healthSentence } from '../../../coordinator/figures/tell-health.ts';

test('a text that is too long ends after a whole word or number, and says that there was more', () => {
  const text = 'it ran at 1410 of 1980 MHz';
  assert.equal(cutWords(text, text.length), text);
  assert.equal(cutWords(text, 25), 'it ran at 1410 of 1980…');
  // 13 characters would end in the middle of 1410
  assert.equal(cutWords(text, 13), 'it ran at…');
  for (let most = 1; most < text.length; most += 1) {
    const cut = cutWords(text, most);
    assert.ok(cut.length <= most, cut);
    const words = cut
      .slice(0, -1)
      .split(' ')
      .filter((word) => word !== '');
    assert.deepEqual(words, text.split(' ').slice(0, words.length), cut);
  }
});

test('the sentence of a health finding keeps its rule and what to do, however long its evidence is', () => {
  const evidence = Array.from({ length: 60 }, (_, at) => `${1000 + at}`).join(' ');
  const finding = { rule: 'row_remap_failed', severity: 'critical', evidence, action: 'return', source: 's' } as const;
  const sentence = healthSentence(
    'GPU 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14 and 15 of a long machine name '.repeat(2),
    finding,
  );
  assert.ok(sentence.length <= 480);
  assert.match(sentence, / 1\d{3}… \(health rule row_remap_failed, critical\)\. Do: [^…]+\.$/);
});
