import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { meant } from './said-means.ts';
import { products } from './table-rows.ts';

const lines = readFileSync(new URL('labels.golden.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

test('labels of public sources mean the product that was decided by hand, or none for the reason given', () => {
  assert.ok(lines.length > 900, 'the file was read');
  const differences = lines.flatMap((line) => {
    const [label = '', memory = '', formFactor = '', product = '', reason = ''] = line.split('\t');
    const ours = meant(label, memory === '' ? null : Number(memory), formFactor || null);
    const decided = `${product} ${reason}`.trim();
    return ours === decided ? [] : [`${label} | ${memory} | ${formFactor}: ${ours}, not ${decided}`];
  });
  assert.deepEqual(differences, []);
});

test('every label is decided once, for a product of the catalogue', () => {
  const questions = lines.map((line) => line.split('\t').slice(0, 3).join('\t'));
  assert.deepEqual(
    questions.filter((question, index) => questions.indexOf(question) !== index),
    [],
  );
  const slugs = new Set(products.map(({ slug }) => slug));
  const strange = lines.map((line) => line.split('\t')[3] ?? '').filter((slug) => slug !== '-' && !slugs.has(slug));
  assert.deepEqual(strange, []);
});
