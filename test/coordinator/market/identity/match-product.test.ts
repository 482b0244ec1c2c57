import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createProductMatcher, type MatchableProduct } from '../../../../coordinator/market/identity/match-product.ts';
import { match, meant } from './said-means.ts';

describe('the catalogue’s own labels', () => {
  const own: MatchableProduct = {
    product_id: 1,
    slug: 'acme-one-8gb',
    chip: 'One',
    name: 'Acme One 8GB',
    manufacturer: 'Acme',
    mem: 8,
    form_factor: null,
    labels: ['the-first (8)'],
  };

  test('they mean the product before all rules, in any case and with any separators', () => {
    const match = createProductMatcher([own]);
    const said = { memoryGb: 99, formFactor: null };
    assert.deepEqual(match({ ...said, label: 'THE_FIRST 8GB' }), { kind: 'product', product_id: 1 });
    assert.equal(match({ ...said, label: 'the first' }).kind, 'none', 'the whole label only');
  });

  test('a label of two products means neither', () => {
    const match = createProductMatcher([own, { ...own, product_id: 2, slug: 'acme-two-8gb' }]);
    const found = match({ label: 'the first 8gb', memoryGb: null, formFactor: null });
    assert.deepEqual(found, { kind: 'none', reason: 'ambiguous', candidates: ['acme-one-8gb', 'acme-two-8gb'] });
  });

  test('without products nothing matches', () => {
    const found = createProductMatcher([])({ label: 'H100', memoryGb: null, formFactor: null });
    assert.deepEqual(found, { kind: 'none', reason: 'unknown-words', candidates: [] });
  });
});

test('who does not match learns what it may have meant', () => {
  const found = match({ label: 'H100 80GB', memoryGb: null, formFactor: null });
  assert.deepEqual(found, {
    kind: 'none',
    reason: 'ambiguous',
    candidates: ['nvidia-h100-sxm-80gb', 'nvidia-h100-pcie-80gb'],
  });
});

test('an answer is the same the second time, and what stands beside the label is part of the question', () => {
  assert.equal(meant('A100', 80, 'SXM'), meant('A100', 80, 'SXM'));
  assert.notEqual(meant('A100', 80, 'SXM'), meant('A100', 80, 'PCIe'));
});
