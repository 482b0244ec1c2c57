import type { GpuProduct } from '../contract/market.ts';
import { DomainError } from '../platform/errors.ts';

export interface GpuIdentifiers {
  gpu_slug: string | null;
  gpu_name: string | null;
}

type Product = Pick<GpuProduct, 'product_slug' | 'name' | 'tdp'>;

/** Slugs that a refusal lists. */
const MOST_LISTED = 5;

/** The slug overrides the name. Neither is an error of the caller's, also within a batch. */
export function requireIdentifier({ gpu_slug, gpu_name }: GpuIdentifiers, where = ''): void {
  if (gpu_slug !== null || gpu_name !== null) return;
  throw business(`${where}gpu_slug or gpu_name is needed; with both, gpu_slug counts.`);
}

/**
 * By slug, else by name, whatever their case. Null: no product has it. Throws -1 if the name is not that of one but part of
 * several, as "H100" is: nothing is guessed.
 */
export function findGpu(
  products: Iterable<Product>,
  { gpu_slug, gpu_name }: GpuIdentifiers,
  where = '',
): Product | null {
  const wanted = (gpu_slug ?? gpu_name ?? '').trim().toLowerCase();
  const named: Product[] = [];
  const fitting: Product[] = [];
  for (const product of products) {
    if (product.product_slug.toLowerCase() === wanted) return product;
    if (gpu_slug !== null) continue;
    const name = product.name.toLowerCase();
    if (name === wanted) named.push(product);
    if (` ${name} `.includes(` ${wanted} `)) fitting.push(product);
  }
  if (named.length === 1) return named[0] ?? null;
  if (fitting.length < 2) return null;
  const slugs = fitting.slice(0, MOST_LISTED).map(({ product_slug }) => product_slug);
  const more = fitting.length > slugs.length ? ` and ${fitting.length - slugs.length} more` : '';
  throw business(`${where}gpu_name "${gpu_name}" fits ${slugs.join(', ')}${more}. Ask by gpu_slug.`);
}

/** Throws -1 if nobody publishes what it may draw: 0 W would be a wrong answer. */
export function tdpOf({ product_slug, tdp }: Product): number {
  if (tdp !== null && tdp > 0) return tdp;
  throw business(`No TDP is published for ${product_slug}, so what it emits cannot be said.`);
}

/** Carbon's own refusals: status 500 and code -1 by the interface. */
export const business = (message: string, code = -1): DomainError => new DomainError('business', message, { code });
