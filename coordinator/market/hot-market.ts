import { hotCopy, hotAnswers, type HotAnswers } from '../platform/hot-copy.ts';
import type { ProviderRecord } from '../contract/market.ts';
import { type IndexDay, chainIndex } from './pricing/chain-index.ts';
import {
  countProvidersByCountry,
  selectLatest,
  selectProducts,
  selectProviders,
  type PriceKey,
  type PriceRow,
  type ProductRow,
  selectDays,
} from './queries/prices.ts';
import { createProductMatcher } from './identity/match-product.ts';
import { selectMatchable } from './queries/reference.ts';
import type { Platform } from '../platform/context.ts';
import { shortCache } from '../platform/cache.ts';
import { selectQuotes } from './queries/votes.ts';

const ON_DEMAND = 0;
const NEW_CARD = 100;

type Matcher = ReturnType<typeof createProductMatcher>;

/** What nearly every request reads, held in memory until an ingestion changes it: a few thousand rows. */
export interface HotMarket {
  products: Map<number, ProductRow>;
  /** matches a label to one of the products */
  match: Matcher;
  /** newest prices by product, term, country; without those over all countries */
  latest: PriceRow[];
  /** newest prices over all countries */
  worldwide: PriceRow[];
  /** worldwide prices on demand, by product */
  rentals: Map<number, PriceRow>;
  /** worldwide prices of new cards, by product */
  retails: Map<number, PriceRow>;
  /** providers with votes, by name */
  providers: ProviderRecord[];
  /** country -> number of providers behind its newest prices */
  providersIn: Map<string, number>;
  /** cached answers computed from this data, by operation and request */
  answers: HotAnswers;
  /** prices of one product and term in a quarter, at this version of the data */
  pricesOfQuarter: (key: PriceKey & { quarter: number }) => Promise<PriceQuarter>;
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
      let matcher: Matcher | null = null;
      const worldwide = prices.filter(({ country }) => country === '');
      const ofType = (type: number): Map<number, PriceRow> =>
        new Map(worldwide.filter(({ price_type }) => price_type === type).map((row) => [row.product_id, row]));
      return {
        // Built on first use: requests for prices identify products by id.
        match: (label) => (matcher ??= createProductMatcher(matchable))(label),
        products: new Map(products.map((product) => [product.product_id, product])),
        latest: prices.filter(({ country }) => country !== ''),
        worldwide,
        rentals: ofType(ON_DEMAND),
        retails: ofType(NEW_CARD),
        providers,
        answers: hotAnswers(),
        pricesOfQuarter: (key: PriceKey & { quarter: number }) => history(known, key),
        indexOf: (key: IndexKey) => indices(`${known} ${now().toISOString().slice(0, 10)}`, key),
        providersIn: new Map(counts.map(({ country, provider_count }) => [country, provider_count])),
      };
    };
  },
});

/** Prices of one product and term in a quarter: the newest day first, then by country, '' over all. */
interface PriceQuarter {
  length: number;
  /** YYYY-MM-DD of a row */
  dayOf: (at: number) => string;
  countryOf: (at: number) => string;
  rowOf: (at: number) => PriceRow;
}

/**
 * Quarters, because a request covers at most 91 days and the first one for a product waits until they are read: a year
 * took four times as long.
 */
export const quarterOf = (day: string): number =>
  Number(day.slice(0, 4)) * 4 + Math.floor((Number(day.slice(5, 7)) - 1) / 3);

const daysOfQuarter = (quarter: number): { first: string; before: string } => {
  const firstOf = (number: number): string =>
    `${String(Math.floor(number / 4)).padStart(4, '0')}-${String((number % 4) * 3 + 1).padStart(2, '0')}-01`;
  return { first: firstOf(quarter), before: firstOf(quarter + 1) };
};

/** At 72 bytes a row and 40 countries on every day a quarter takes 0.25 MB; most take a tenth of that. */
const MOST_QUARTERS = 2048;
const LIFETIME_MS = 24 * 3_600_000;

/** Quarters of prices at one version of the market; the most recently used ones stay in memory. */
function hotHistory({
  sql,
  now,
}: Pick<Platform, 'sql' | 'now'>): (version: string, key: PriceKey & { quarter: number }) => Promise<PriceQuarter> {
  const quarters = shortCache({ lifetimeMs: LIFETIME_MS, maxEntries: MOST_QUARTERS, now }, async (name) => {
    const [productId = 0, priceType = 0, quarter = 0] = name.split('/').slice(1).map(Number);
    const rows = await selectDays(sql, { productId, priceType, ...daysOfQuarter(quarter) });
    return quarterFrom(rows, { product_id: productId, price_type: priceType });
  });
  return (version, { productId, priceType, quarter }) => quarters([version, productId, priceType, quarter].join('/'));
}

/** Stored by column: row objects would take four times the memory. */
function quarterFrom(rows: readonly PriceRow[], of: Pick<PriceRow, 'product_id' | 'price_type'>): PriceQuarter {
  const same = shared();
  const texts = (pick: (row: PriceRow) => string | null): (string | null)[] =>
    rows.map((row) => {
      const text = pick(row);
      return text === null ? null : same(text);
    });
  const numbers = (pick: (row: PriceRow) => number | null): Float64Array =>
    Float64Array.from(rows, (row) => pick(row) ?? Number.NaN);
  const known = (value: number | undefined): number | null =>
    value === undefined || Number.isNaN(value) ? null : value;
  const [days, countries] = [texts(({ day }) => day), texts(({ country }) => country)];
  const [quotes, statuses] = [texts(({ oldest_quote }) => oldest_quote), texts(({ status }) => status)];
  const prices = numbers(({ price }) => price);
  const medians = numbers(({ price_median }) => price_median);
  const [tenths, nineTenths] = [numbers(({ p10 }) => p10), numbers(({ p90 }) => p90)];
  const providers = Int32Array.from(rows, ({ provider_count }) => provider_count);
  const samples = Int32Array.from(rows, ({ sample_size }) => sample_size);
  return {
    length: rows.length,
    dayOf: (at) => days[at] ?? '',
    countryOf: (at) => countries[at] ?? '',
    rowOf: (at) => ({
      ...of,
      day: days[at] ?? '',
      country: countries[at] ?? '',
      price: prices[at] ?? Number.NaN,
      price_median: medians[at] ?? Number.NaN,
      p10: known(tenths[at]),
      p90: known(nineTenths[at]),
      provider_count: providers[at] ?? 0,
      sample_size: samples[at] ?? 0,
      oldest_quote: quotes[at] ?? null,
      status: (statuses[at] ?? null) as PriceRow['status'],
    }),
  };
}

/** Interns strings: the 92 days and few countries of a quarter repeat on many rows. */
function shared(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text);
    if (found === undefined) known.set(text, text);
    return found ?? text;
  };
}

interface IndexKey {
  productId: number;
  /** one kind of provider; null: all */
  sellers: string | null;
}

/** A chain is always computed from its first day, whichever days are requested, so whole indices are cached. */
const MOST_INDICES = 256;

/** Indices at one version of the market; the most recently used ones stay in memory. */
function hotIndex({
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

/** A price older than this does not count as current. */
export const RECENT_DAYS = 30;
const DAY_MS = 86_400_000;

/** The newest price on demand over all countries; null if there is none from the last 30 days. */
export function recentRental({ rentals }: HotMarket, productId: number, now: Date): PriceRow | null {
  const row = rentals.get(productId);
  const age = row === undefined ? Infinity : now.getTime() - Date.parse(row.day);
  return row !== undefined && age >= 0 && age < (RECENT_DAYS + 1) * DAY_MS ? row : null;
}
