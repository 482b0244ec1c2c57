import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { productRow } from '../../../coordinator/catalog/product-row.ts';
import { readTable } from '../../../coordinator/platform/read-table.ts';

const rows = readTable(
  'products.csv',
  readFileSync(new URL('../../../coordinator/catalog/products.csv', import.meta.url), 'utf8'),
  productRow,
);

test('the catalogue has at least 110 products, each once, each with a source', () => {
  assert.ok(rows.length >= 110, `${rows.length}`);
  for (const column of ['product_id', 'slug', 'name'] as const)
    assert.equal(new Set(rows.map((row) => row[column])).size, rows.length, column);
  for (const { slug, source } of rows) assert.ok(source.length > 8, slug);
  const makers = new Set(rows.map(({ manufacturer }) => manufacturer));
  for (const maker of ['NVIDIA', 'AMD', 'Intel', 'Google', 'AWS']) assert.ok(makers.has(maker), maker);
  assert.ok(rows.some(({ accelerator_type }) => accelerator_type === 'asic'));
});
