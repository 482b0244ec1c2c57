import { invalidField } from '../platform/errors.ts';
import type { ProductRow } from './queries/prices.ts';

const SUGGESTIONS = 5;

/** The product of a slug or name. Throws `validation` of the field, with products that are alike. */
export function findProduct(products: ReadonlyMap<number, ProductRow>, gpu: string, field: string): ProductRow {
  const wanted = gpu.trim().toLowerCase();
  const all = [...products.values()];
  const found = all.find(({ product_slug, name }) => product_slug === wanted || name.toLowerCase() === wanted);
  if (found) return found;
  const alike = all.filter(({ chip, product_slug }) => chip.toLowerCase() === wanted || product_slug.includes(wanted));
  const known =
    alike.length > 0
      ? `Products with it: ${alike
          .slice(0, SUGGESTIONS)
          .map(({ product_slug }) => product_slug)
          .join(', ')}.`
      : 'gpu-specs lists the products.';
  throw invalidField(field, `is not the slug or name of one product. ${known}`);
}
