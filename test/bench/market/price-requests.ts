import { seededRandom } from '../../../coordinator/network/schedule/seeded-random.ts';
import { latestPriceRoute, historyPriceRoute } from '../../../coordinator/contract/market-routes.ts';
import { httpRequest } from '../coordinator/load.ts';
import type { MarketDatabase } from './market-database.ts';
import { days } from './synthetic-market.ts';

export interface PricedKey {
  product_id: number;
  price_type: number;
  country: string;
  chip: string;
}

/** What has a price in this market: requests are drawn from it. */
export async function pricedKeys({ context: { sql } }: MarketDatabase): Promise<PricedKey[]> {
  return sql<PricedKey[]>`
    select product_id, price_type, country, chip from latest_price join product using (product_id)
    where country <> '' and price_type not in (24, 36) order by product_id, price_type, country`;
}

/** Different requests of each kind, which then repeat. */
const KINDS = 1000;
/** The longest range that the API answers. */
const RANGE_DAYS = 90;

export type RequestOf = (n: number) => Buffer;

/** The newest price of a product, of one country and term, of a chip, of a country, and without any filter. */
export function latestRequests(keys: readonly PricedKey[], bearer: string, query = ''): RequestOf {
  return drawn('latest', keys, (key, n) => {
    const bodies = [
      { product_id: key.product_id },
      { product_id: key.product_id },
      { product_id: key.product_id, country: key.country, price_type: key.price_type },
      { product_id: key.product_id, country: key.country },
      { keyword: key.chip },
      { keyword: key.chip, price_type: key.price_type },
      { country: key.country },
      {},
    ];
    return httpRequest('POST', `${latestPriceRoute.path}${query}`, bearer, bodies[n % bodies.length]);
  });
}

/** Ninety days of a product and term, alternately of one country and of all, ending on any day. */
export function historyRequests(keys: readonly PricedKey[], bearer: string, query = ''): RequestOf {
  return drawn('history', keys, ({ product_id, price_type, country }, n, below) => {
    const first = below(days.length - RANGE_DAYS);
    const body = {
      product_id,
      price_type,
      country: n % 2 === 0 ? country : '',
      start_date: days[first],
      end_date: days[first + RANGE_DAYS],
    };
    return httpRequest('POST', `${historyPriceRoute.path}${query}`, bearer, body);
  });
}

function drawn(
  seed: string,
  keys: readonly PricedKey[],
  make: (key: PricedKey, n: number, below: (limit: number) => number) => Buffer,
): RequestOf {
  const random = seededRandom(seed);
  const below = (limit: number): number => random.below(limit);
  const requests = Array.from({ length: KINDS }, (_, n) => {
    const key = keys[below(keys.length)];
    if (!key) throw new Error('nothing in this market has a price');
    return make(key, n, below);
  });
  return (n) => requests[n % KINDS] ?? Buffer.alloc(0);
}
