import type { Platform } from '../platform/context.ts';
import { shortCache } from '../platform/short-cache.ts';
import { chainIndex, type IndexDay } from './pricing/chain-index.ts';
import { selectQuotes } from './queries/votes.ts';

export interface IndexKey {
  productId: number;
  /** one kind of provider; null: all */
  sellers: string | null;
}

/** A chain is computed from its first day on, whichever days are asked for. */
const MOST_INDICES = 256;
const LIFETIME_MS = 24 * 3_600_000;

/** Indices as they are at a version of the market; those that were asked for last are in memory. */
export function hotIndex({
  sql,
  now,
}: Pick<Platform, 'sql' | 'now'>): (version: string, key: IndexKey) => Promise<ReadonlyMap<string, IndexDay>> {
  const indices = shortCache({ lifetimeMs: LIFETIME_MS, maxEntries: MOST_INDICES, now }, async (name) => {
    const [productId = '0', sellers = ''] = name.split('/').slice(1);
    const quotes = await selectQuotes(sql, { productId: Number(productId), sellers: sellers === '' ? null : sellers });
    return chainIndex(quotes, now().toISOString().slice(0, 10));
  });
  return (version, { productId, sellers }) => indices([version, productId, sellers ?? ''].join('/'));
}
