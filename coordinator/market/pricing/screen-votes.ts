import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { linearMedian, quantile, scaledMad } from '../../figures/statistics.ts';
import { LEAST_DAYS, type Screen } from '../segments.ts';
import { isRetail } from '../../contract/price-type.ts';
import { readTable } from '../../platform/read-table.ts';
import type { PricedProduct } from '../queries/pricing.ts';

/** Prices are compared by their ratio: half is as far away as double. */
const LEAST_VOTES = 3;
/**
 * Robust deviations from the other votes, and the factor within which nobody is odd however closely they agree: hyperscalers ask
 * up to 3.4 times what neoclouds do for the same card (A100 40 GB in 2023: 3.67 and 1.10).
 */
const DEVIATIONS = 3;
const LEAST_FACTOR = 3.5;
/** A price list that moves by more is asked about first. */
const LIST_FACTOR = 1.5;
/** Spot prices, marketplaces and used cards move by as much from day to day on the real files. */
const VOLATILE_FACTOR = 2.5;
/** More if the provider's own prices have moved more. */
const OWN_DEVIATIONS = 4;
/** With fewer it is not known how much its prices move. */
const LEAST_DAYS_OF_MOVES = 5;
/** Other providers from which on they have a middle that can speak for or against a move. */
const LEAST_PEERS = 2;

/** What a vote is held against. */
interface Measures {
  band: Band | null;
  own: OwnLevel | null;
  others: OtherVotes | null;
  /** counted prices of the other providers, over all countries */
  peers: () => readonly number[];
  /** the provider's vote over all countries, for its vote in one of them */
  worldwide: ScreenedPrice | null;
  /** the provider's vote before, within 30 days */
  before: ScreenedPrice | null;
}

export interface ScreenedPrice {
  price: number;
  screened_by: Screen | null;
}

/** What a provider asked before. */
export interface OwnLevel {
  level: number;
  /** votes that it is the median of; null: made before this was kept */
  days: number | null;
  /** by the logarithm of a factor */
  isTooFar: (distance: number) => boolean;
  /** of a day or two: too short to screen by alone */
  isShort: boolean;
}

/** The votes over all countries of a product and term; null: fewer than three. */
interface OtherVotes {
  middle: number;
  most: number;
}

/**
 * The first of the screens that a vote fails; null: it counts. The same in every scope: `others` and `peers` are votes over
 * all countries, and what a provider asks in a country is judged as its price over all is, unless it is far from that too. A provider that moves towards the
 * others is believed, for price lists are cut by more than a third now and then; one that was too far from the others stays
 * so on a day on which there are too few to tell.
 */
export function screenVote(price: number, { band, own, others, peers, worldwide, before }: Measures): Screen | null {
  if (band !== null && (price < band.low || price > band.high)) return 'band';
  if (own !== null && own.isTooFar(distance(price, own.level)) && !isBelieved(price, own, peers()))
    return 'own-history';
  if (worldwide !== null && distance(price, worldwide.price) <= Math.log(LEAST_FACTOR)) return worldwide.screened_by;
  if (others !== null) return distance(price, others.middle) > others.most ? 'others' : null;
  const isRepeated = before?.screened_by === 'others' && distance(price, before.price) <= Math.log(LIST_FACTOR);
  return isRepeated ? 'others' : null;
}

function isBelieved(price: number, { level, isShort }: OwnLevel, peers: readonly number[]): boolean {
  if (peers.length < LEAST_PEERS) return isShort;
  const middle = linearMedian(peers);
  return distance(price, middle) < distance(level, middle);
}

/** By the logarithms, in ascending order, of the counted votes of the 30 days before, at least one. */
export function ownLevelOf(ascending: readonly number[], isVolatile: boolean): OwnLevel {
  const least = leastMove(isVolatile);
  const isTooFar = (far: number): boolean => {
    if (far <= least) return false;
    return (
      ascending.length < LEAST_DAYS_OF_MOVES || far > OWN_DEVIATIONS * scaledMad(ascending, quantile(ascending, 0.5))
    );
  };
  const level = Math.exp(quantile(ascending, 0.5));
  return { level, days: ascending.length, isTooFar, isShort: ascending.length < LEAST_DAYS };
}

/** The level that kept the last vote out. */
export const carriedLevel = (level: number, days: number | null, isVolatile: boolean): OwnLevel => ({
  level,
  days,
  isTooFar: (far) => far > leastMove(isVolatile),
  isShort: false,
});

const leastMove = (isVolatile: boolean): number => Math.log(isVolatile ? VOLATILE_FACTOR : LIST_FACTOR);

/** Of votes over all countries that passed the other screens. */
export function otherVotesOf(prices: readonly number[]): OtherVotes | null {
  if (prices.length < LEAST_VOTES) return null;
  const logs = prices.map(Math.log);
  const middle = linearMedian(logs);
  return { middle: Math.exp(middle), most: Math.max(Math.log(LEAST_FACTOR), DEVIATIONS * scaledMad(logs, middle)) };
}

const distance = (a: number, b: number): number => Math.abs(Math.log(a / b));

/** What a product plausibly costs: USD per accelerator and hour, or of retail USD per card. */
export interface Band {
  low: number;
  high: number;
}

/** A card without a band of its own costs between a tenth and six times of what its maker asked. */
const RETAIL_OF_MSRP: Band = { low: 0.1, high: 6 };

const price = z.coerce.number().positive();
/** A row of `bands.csv`; its reason says which published prices it was drawn around. */
const bandRow = z.strictObject({
  product_slug: z.string(),
  market: z.enum(['rental', 'retail']),
  low: price,
  high: price,
  reason: z.string().min(1),
});
type BandRow = z.output<typeof bandRow>;

export const readBands = async (): Promise<BandRow[]> =>
  readTable('bands.csv', await readFile(join(import.meta.dirname, 'bands.csv'), 'utf8'), bandRow);

/** The band of a product and term; null: none is known, and nothing is held against it. */
export async function plausibleBands(
  products: readonly PricedProduct[],
): Promise<(productId: number, priceType: number) => Band | null> {
  const bands = new Map((await readBands()).map((row) => [`${row.product_slug} ${row.market}`, row]));
  const byId = new Map(products.map((product) => [product.product_id, product]));
  return (productId, priceType) => {
    const product = byId.get(productId);
    if (product === undefined) return null;
    const known = bands.get(`${product.slug} ${isRetail(priceType) ? 'retail' : 'rental'}`);
    if (known !== undefined || !isRetail(priceType) || product.msrp === null) return known ?? null;
    return { low: product.msrp * RETAIL_OF_MSRP.low, high: product.msrp * RETAIL_OF_MSRP.high };
  };
}
