import type { Queryable } from '../platform/db/client.ts';
import { selectProducts } from './queries/prices.ts';

/** product_id -> slug */
export async function productSlugs({ sql }: { sql: Queryable }): Promise<Map<number, string>> {
  return new Map((await selectProducts(sql)).map(({ product_id, product_slug }) => [product_id, product_slug]));
}
