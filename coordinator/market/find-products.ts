import type { GpuProduct, SpecsQueryRequest } from '../contract/market.ts';
import { pageOf } from '../platform/page.ts';
import type { HotMarket } from './hot-market.ts';
import { type ProductRow, selectProducts } from './queries/prices.ts';
import { invalidField } from '../platform/errors.ts';
import type { Queryable } from '../platform/db/client.ts';

/** Products that have a price, by name. */
export function listPricedProducts({ products, latest }: HotMarket): { total: number; results: GpuProduct[] } {
  const priced = new Set(latest.map(({ product_id }) => product_id));
  const results = [...products.values()].filter(({ product_id }) => priced.has(product_id)).map(onWire);
  return { total: results.length, results };
}

/** Products whose slug, name or chip contains the keyword, by name. */
export function queryProducts(
  { products }: HotMarket,
  { keyword, ...page }: SpecsQueryRequest,
): { total: number; results: GpuProduct[] } {
  const found = [...products.values()].filter(hasKeyword(keyword));
  return { total: found.length, results: pageOf(found, page).map(onWire) };
}

/** Case-insensitive; an empty keyword matches every product. */
export function hasKeyword(keyword: string): (product: ProductRow) => boolean {
  const wanted = keyword.trim().toLowerCase();
  return ({ product_slug, name, chip }) =>
    [product_slug, name, chip].some((text) => text.toLowerCase().includes(wanted));
}

function onWire({ accelerator_type: _type, form_factor: _form, ...product }: ProductRow): GpuProduct {
  return product;
}

const SUGGESTIONS = 5;

/** The product with this slug or name. Throws `validation` for `field`, listing similar products. */
export function findProduct(products: ReadonlyMap<number, ProductRow>, gpu: string, field: string): ProductRow {
  const wanted = gpu.trim().toLowerCase();
  const all = [...products.values()];
  const found = all.find(({ product_slug, name }) => product_slug === wanted || name.toLowerCase() === wanted);
  if (found) return found;
  const alike = all.filter(({ chip, product_slug }) => chip.toLowerCase() === wanted || product_slug.includes(wanted));
  const known =
    alike.length > 0
      ? `Similar products: ${alike
          .slice(0, SUGGESTIONS)
          .map(({ product_slug }) => product_slug)
          .join(', ')}.`
      : 'gpu-specs lists the products.';
  throw invalidField(field, `is not the slug or name of one product. ${known}`);
}

/** product_id -> slug */
export async function productSlugs({ sql }: { sql: Queryable }): Promise<Map<number, string>> {
  return new Map((await selectProducts(sql)).map(({ product_id, product_slug }) => [product_id, product_slug]));
}
