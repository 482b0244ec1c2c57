import assert from 'node:assert/strict';
import { createProductMatcher } from '../../../../coordinator/market/identity/match-product.ts';
import { products } from './table-rows.ts';

const slugOf = new Map(products.map(({ product_id, slug }) => [product_id, slug]));

/** Of the whole catalogue. */
export const match = createProductMatcher(products);

/** What is said means: a slug, or `-` and the reason. */
export function meant(label: string, memoryGb: number | null = null, formFactor: string | null = null): string {
  const found = match({ label, memoryGb, formFactor });
  return found.kind === 'product' ? (slugOf.get(found.product_id) ?? '') : `- ${found.reason}`;
}

/** All these labels mean the one thing. */
export function allMean(expected: string, ...labels: string[]): void {
  for (const label of labels) assert.equal(meant(label), expected, label);
}
