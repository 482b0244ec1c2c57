import type { GpuProduct, SpecsQueryRequest } from '../contract/market.ts';
import { pageOf } from '../platform/page.ts';
import type { HotMarket } from './hot-market.ts';
import type { ProductRow } from './queries/prices.ts';

/** Products that have a price, by name. */
export function listPricedProducts({ products, latest }: HotMarket): { total: number; results: GpuProduct[] } {
  const priced = new Set(latest.map(({ product_id }) => product_id));
  const results = [...products.values()].filter(({ product_id }) => priced.has(product_id)).map(onWire);
  return { total: results.length, results };
}

/** Products whose slug, name or chip has the keyword in it, by name. */
export function queryProducts(
  { products }: HotMarket,
  { keyword, ...page }: SpecsQueryRequest,
): { total: number; results: GpuProduct[] } {
  const found = [...products.values()].filter(hasKeyword(keyword));
  return { total: found.length, results: pageOf(found, page).map(onWire) };
}

/** Case does not count; the empty keyword is in everything. */
export function hasKeyword(keyword: string): (product: ProductRow) => boolean {
  const wanted = keyword.trim().toLowerCase();
  return ({ product_slug, name, chip }) =>
    [product_slug, name, chip].some((text) => text.toLowerCase().includes(wanted));
}

function onWire({ accelerator_type: _type, form_factor: _form, ...product }: ProductRow): GpuProduct {
  return product;
}
