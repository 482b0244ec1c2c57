import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRulings } from '../../../../coordinator/market/identity/label-rulings.ts';
import { readRulings } from '../../../../coordinator/market/ingestion/load-reference.ts';
import { products, providers } from './table-rows.ts';

const rows = await readRulings();
const slugOf = new Map(products.map(({ product_id, slug }) => [product_id, slug]));
const bare = ['nvidia-a100-sxm-40gb', 'nvidia-a100-pcie-40gb'];

test('every ruling is of a provider, a chip and a product that are known, and says why', () => {
  const [slugs, names] = [new Set(products.map(({ slug }) => slug)), new Set(providers.map(({ slug }) => slug))];
  const chips = new Set(products.map(({ chip }) => chip));
  for (const row of rows) {
    const text = JSON.stringify(row);
    assert.ok(slugs.has(row.product) && names.has(row.provider) && chips.has(row.chip), text);
    assert.ok(row.reason.length > 20, text);
    assert.ok((row.first_day ?? '') <= (row.last_day ?? '9999-12-31'), text);
    assert.ok(
      row.cards.every((count) => count > 0),
      text,
    );
  }
});

test('a ruling holds for the number of cards that is stated, within its days, and never over a label that is clear', () => {
  const rulings = createRulings(rows, products);
  const lambda = { provider: 'lambda', label: 'A100 (40 GB)', memoryGb: null };
  const held = (candidates: string[], change: object): string[] =>
    rulings({ ...lambda, candidates })
      .filter(({ holds }) => holds({ gpuCount: 4, offer: null, observedAt: new Date('2024-05-20'), ...change }))
      .map(({ productId }) => slugOf.get(productId) ?? '');
  assert.deepEqual(held(bare, {}), ['nvidia-a100-pcie-40gb']);
  assert.deepEqual(held(bare, { gpuCount: 1 }), []);
  assert.deepEqual(held(bare, { isUnsized: true }), [], 'nobody says that there are four');
  assert.deepEqual(held(['nvidia-a100-sxm-40gb'], {}), [], 'the label says which');
  const h100 = rulings({
    provider: 'lambda',
    label: 'H100 (80 GB)',
    memoryGb: null,
    candidates: ['nvidia-h100-sxm-80gb', 'nvidia-h100-pcie-80gb'],
  });
  const on = (day: string): number =>
    h100.filter(({ holds }) => holds({ gpuCount: 1, offer: null, observedAt: new Date(day) })).length;
  assert.deepEqual([on('2023-04-30'), on('2023-05-01'), on('2024-08-31T23:59:59Z'), on('2024-09-01')], [0, 1, 1, 0]);
});

test('one that overrides holds over a label too, and another provider’s label stays what it is', () => {
  const rulings = createRulings(rows, products);
  const of = (provider: string): number =>
    rulings({ provider, label: 'A10G (24 GB)', memoryGb: null, candidates: ['nvidia-a10g-24gb'] }).length;
  assert.deepEqual([of('lambda'), of('aws')], [1, 0]);
});
