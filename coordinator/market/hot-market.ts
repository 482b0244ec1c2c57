import type { Platform } from '../platform/context.ts';
import { shortCache } from '../platform/short-cache.ts';
import type { ProviderRecord } from '../contract/market.ts';
import { hotAnswers, type HotAnswers } from './hot-answers.ts';
import { hotHistory, type PriceYear } from './hot-history.ts';
import {
  countProvidersByCountry,
  selectLatest,
  selectProducts,
  selectProviders,
  type PriceKey,
  type PriceRow,
  type ProductRow,
} from './queries/prices.ts';
import { createProductMatcher } from './identity/match-product.ts';
import { selectMatchable } from './queries/providers.ts';
import { readVersion } from './queries/votes.ts';

/** What nearly every request reads, held in memory until an ingestion changes it: a few thousand rows. */
export interface HotMarket {
  products: Map<number, ProductRow>;
  /** from a label to one of the products */
  match: ReturnType<typeof createProductMatcher>;
  /** newest prices by product, term, country; without those over all countries */
  latest: PriceRow[];
  /** newest prices over all countries */
  worldwide: PriceRow[];
  /** that have votes, by name */
  providers: ProviderRecord[];
  /** country -> providers behind its newest prices */
  providersIn: Map<string, number>;
  /** what was answered out of all this before, by operation and request */
  answers: HotAnswers;
  /** days of one product and term in a year, as they were with all this */
  pricesOfYear: (key: PriceKey & { year: number }) => Promise<PriceYear>;
}

/** How old an answer may be after an ingestion, also one by another process. */
const LOOK_MS = 500;

/** Reads the market again when its version has changed; asks for the version twice a second at most. */
export function hotMarket(platform: Pick<Platform, 'sql' | 'now'>): () => Promise<HotMarket> {
  const known = made.get(platform.sql) ?? readHotMarket(platform);
  made.set(platform.sql, known);
  return known;
}

/** One for each database that the process has open: requests and reports read the same. */
const made = new WeakMap<Platform['sql'], () => Promise<HotMarket>>();

function readHotMarket({ sql, now }: Pick<Platform, 'sql' | 'now'>): () => Promise<HotMarket> {
  const version = shortCache({ lifetimeMs: LOOK_MS, maxEntries: 1, now }, () => readVersion(sql));
  const history = hotHistory({ sql, now });
  const market = shortCache({ lifetimeMs: 24 * 3_600_000, maxEntries: 2, now }, async (known) => {
    const [products, prices, providers, counts, matchable] = await Promise.all([
      selectProducts(sql),
      selectLatest(sql),
      selectProviders(sql),
      countProvidersByCountry(sql),
      selectMatchable(sql),
    ]);
    return {
      match: createProductMatcher(matchable),
      products: new Map(products.map((product) => [product.product_id, product])),
      latest: prices.filter(({ country }) => country !== ''),
      worldwide: prices.filter(({ country }) => country === ''),
      providers,
      answers: hotAnswers(),
      pricesOfYear: (key: PriceKey & { year: number }) => history(known, key),
      providersIn: new Map(counts.map(({ country, provider_count }) => [country, provider_count])),
    };
  });
  return async () => market(await version(''));
}
