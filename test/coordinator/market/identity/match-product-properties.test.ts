import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createProductMatcher, type MatchableProduct } from '../../../../coordinator/market/identity/match-product.ts';
import { products } from './table-rows.ts';

const match = createProductMatcher(products);
const product = fc.constantFrom(...products);
const separators = fc.array(fc.constantFrom(' ', '-', '_', '/', ', ', '  ', ' - '), { minLength: 1, maxLength: 12 });
const cases = fc.array(fc.boolean(), { minLength: 1, maxLength: 24 });

/** The words of a text in other cases, with other separators between them. */
function rewritten(text: string, [between, upper]: [string[], boolean[]]): string {
  const words = text.split(/[ -]+/);
  const joined = words
    .map((word, index) => (index === 0 ? word : `${between[index % between.length] ?? ' '}${word}`))
    .join('');
  return joined
    .split('')
    .map((letter, index) => (upper[index % upper.length] ? letter.toUpperCase() : letter.toLowerCase()))
    .join('');
}

function isItselfOrAmbiguous(own: MatchableProduct, label: string, formFactor: string | null = null): void {
  const found = match({ label, memoryGb: null, formFactor });
  if (found.kind === 'product') assert.equal(found.product_id, own.product_id, `${label} is not ${own.slug}`);
  else {
    assert.equal(found.reason, 'ambiguous', label);
    assert.ok(found.candidates.includes(own.slug), label);
  }
}

test('a product’s own name means it, however it is written', () => {
  fc.assert(
    fc.property(product, fc.tuple(separators, cases), (own, style) => {
      const found = match({ label: rewritten(own.name, style), memoryGb: own.mem, formFactor: own.form_factor });
      assert.deepEqual(found, { kind: 'product', product_id: own.product_id });
    }),
  );
});

test('the words of a slug, or chip, memory and form factor, mean the product or leave it open, and never mean another', () => {
  fc.assert(
    fc.property(product, fc.tuple(separators, cases), (own, style) => {
      isItselfOrAmbiguous(own, rewritten(own.name, style));
      isItselfOrAmbiguous(own, rewritten(own.slug, style));
      // nobody says of a chip that is only let that it is a cloud's
      const form = own.form_factor === 'cloud' ? '' : ` ${own.form_factor}`;
      isItselfOrAmbiguous(own, rewritten(`${own.chip} ${own.mem}GB${form}`, style));
      isItselfOrAmbiguous(own, rewritten(`${own.chip} ${own.mem} GB`, style), own.form_factor);
    }),
    { numRuns: 500 },
  );
});

test('whatever a source writes, the answer is a product of the catalogue or a reason', () => {
  const ids = new Set(products.map(({ product_id }) => product_id));
  const word = fc.oneof(
    fc.constantFrom(...products.flatMap(({ name }) => name.split(' '))),
    fc.constantFrom('SXM5', 'PCIe', 'NVL', '(16)', 'x8', '8x', 'MIG', 'Laptop', 'Ti', 'S'),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  );
  const label = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(label, fc.option(fc.double()), fc.option(fc.string()), (label, memoryGb, formFactor) => {
      const found = match({ label, memoryGb, formFactor });
      assert.ok(found.kind === 'none' || ids.has(found.product_id));
    }),
    { numRuns: 1000 },
  );
});

test('a foreign word always keeps a label from meaning anything', () => {
  fc.assert(
    fc.property(
      product,
      fc.constantFrom('MIG', 'Laptop', 'Mobile', 'D', 'vGPU', 'Ultra', 'Embedded', 'X'),
      (own, word) => {
        const found = match({ label: `${own.name} ${word}`, memoryGb: null, formFactor: null });
        assert.equal(found.kind === 'none' && found.reason, 'unknown-words', `${own.name} ${word}`);
      },
    ),
  );
});
