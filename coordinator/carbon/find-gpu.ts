import type { GpuProduct } from '../contract/market.ts';
import { DomainError } from '../platform/errors.ts';

export interface GpuIdentifiers {
  gpu_slug: string | null;
  gpu_name: string | null;
}

type Product = Pick<GpuProduct, 'product_slug' | 'name' | 'tdp'>;

/** Slugs that an error message lists. */
const MOST_LISTED = 5;

/** The slug overrides the name. Throws -1 if there is neither, also within a batch. */
export function requireIdentifier({ gpu_slug, gpu_name }: GpuIdentifiers, where = ''): void {
  if (gpu_slug !== null || gpu_name !== null) return;
  throw business(`${where}gpu_slug or gpu_name is needed; with both, gpu_slug counts.`);
}

type Products = ReadonlyMap<number, Product>;

interface Names {
  bySlug: ReadonlyMap<string, Product>;
  /** in lower case, with every product that has the name */
  byName: ReadonlyMap<string, readonly Product[]>;
}

/** Made once for each state of the catalogue: a batch looks up fifty products. */
const made = new WeakMap<Products, Names>();

function namesOf(products: Products): Names {
  const known = made.get(products);
  if (known) return known;
  const all = [...products.values()];
  const names = {
    bySlug: new Map(all.map((product) => [product.product_slug.toLowerCase(), product])),
    byName: Map.groupBy(all, ({ name }) => name.toLowerCase()),
  };
  made.set(products, names);
  return names;
}

/**
 * By slug, else by name, ignoring case. Null if there is no such product. Throws -1 if the name is not that of one product but
 * part of several names, like "H100": nothing is guessed.
 */
export function findGpu(products: Products, { gpu_slug, gpu_name }: GpuIdentifiers, where = ''): Product | null {
  const { bySlug, byName } = namesOf(products);
  const wanted = (gpu_slug ?? gpu_name ?? '').trim().toLowerCase();
  const slug = bySlug.get(wanted);
  if (slug !== undefined || gpu_slug !== null) return slug ?? null;
  const named = byName.get(wanted) ?? [];
  if (named.length === 1) return named[0] ?? null;
  const fitting = [...byName].flatMap(([name, its]) => (` ${name} `.includes(` ${wanted} `) ? its : []));
  if (fitting.length < 2) return null;
  const slugs = fitting.slice(0, MOST_LISTED).map(({ product_slug }) => product_slug);
  const more = fitting.length > slugs.length ? ` and ${fitting.length - slugs.length} more` : '';
  throw business(`${where}gpu_name "${gpu_name}" fits ${slugs.join(', ')}${more}. Ask by gpu_slug.`);
}

/** Throws -1 if no TDP is published: 0 W would be a wrong answer. */
export function tdpOf({ product_slug, tdp }: Product): number {
  if (tdp !== null && tdp > 0) return tdp;
  throw business(`No TDP is published for ${product_slug}, so its emissions cannot be calculated.`);
}

/** Carbon's own errors: the interface prescribes status 500 and, unless given, code -1. */
export const business = (message: string, code = -1): DomainError => new DomainError('business', message, { code });
