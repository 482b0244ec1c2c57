import { hotCopy } from '../platform/hot-copy.ts';
import type { ProviderRecord } from '../contract/market.ts';
import { hotAnswers, type HotAnswers } from '../platform/hot-answers.ts';
import { hotHistory, type PriceYear } from './hot-history.ts';
import { hotIndex, type IndexKey } from './hot-index.ts';
import type { IndexDay } from './pricing/chain-index.ts';
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

const ON_DEMAND = 0;

/** What nearly every request reads, held in memory until an ingestion changes it: a few thousand rows. */
export interface HotMarket {
  products: Map<number, ProductRow>;
  /** from a label to one of the products */
  match: ReturnType<typeof createProductMatcher>;
  /** newest prices by product, term, country; without those over all countries */
  latest: PriceRow[];
  /** newest prices over all countries */
  worldwide: PriceRow[];
  /** of those, on demand, by product */
  rentals: Map<number, PriceRow>;
  /** that have votes, by name */
  providers: ProviderRecord[];
  /** country -> providers behind its newest prices */
  providersIn: Map<string, number>;
  /** what was answered out of all this before, by operation and request */
  answers: HotAnswers;
  /** days of one product and term in a year, as they were with all this */
  pricesOfYear: (key: PriceKey & { year: number }) => Promise<PriceYear>;
  /** the chain-linked index of one product, up to today */
  indexOf: (key: IndexKey) => Promise<ReadonlyMap<string, IndexDay>>;
}

/** Read again when an ingestion has changed it. */
export const hotMarket = hotCopy<HotMarket>({
  area: 'market',
  reader: ({ sql, now }) => {
    const history = hotHistory({ sql, now });
    const indices = hotIndex({ sql, now });
    return async (known) => {
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
        rentals: new Map(
          prices
            .filter(({ country, price_type }) => country === '' && price_type === ON_DEMAND)
            .map((row) => [row.product_id, row]),
        ),
        providers,
        answers: hotAnswers(),
        pricesOfYear: (key: PriceKey & { year: number }) => history(known, key),
        indexOf: (key: IndexKey) => indices(`${known} ${now().toISOString().slice(0, 10)}`, key),
        providersIn: new Map(counts.map(({ country, provider_count }) => [country, provider_count])),
      };
    };
  },
});
