import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { linearMedian, quantile, scaledMad } from '../../figures/statistics.ts';
import { LEAST_DAYS, type Screen } from '../segments.ts';
import { isRetail } from '../../contract/price-type.ts';
import { readTable } from '../../platform/read-table.ts';
import type { PricedProduct } from '../queries/pricing.ts';

/** Votes needed to compare one with the others. Prices are compared by their ratio: half is as far away as double. */
const LEAST_VOTES = 3;
/**
 * Allowed distance from the other votes in robust deviations, and the factor that is allowed however closely they
 * agree: hyperscalers ask up to 3.4 times what neoclouds do for the same card (A100 40 GB in 2023: 3.67 and 1.10).
 */
const DEVIATIONS = 3;
const LEAST_FACTOR = 3.5;
/** A price list that moves by more than this factor is screened. */
const LIST_FACTOR = 1.5;
/** The same for spot prices, marketplaces and used cards, which move by this much from day to day in the real files. */
const VOLATILE_FACTOR = 2.5;
/** Allowed instead if wider: this many robust deviations of the provider's own prices. */
const OWN_DEVIATIONS = 4;
/** With fewer days of votes it is unknown how much a provider's prices move. */
const LEAST_DAYS_OF_MOVES = 5;
/** Other providers needed for their median to support or contradict a move. */
const LEAST_PEERS = 2;

/** What a vote is compared with. */
interface Measures {
  band: Band | null;
  own: OwnLevel | null;
  others: OtherVotes | null;
  /** counted prices of the other providers, over all countries */
  peers: () => readonly number[];
  /** the provider's vote over all countries, for its vote in one of them */
  worldwide: ScreenedPrice | null;
  /** the provider's previous vote, within 30 days */
  before: ScreenedPrice | null;
}

export interface ScreenedPrice {
  price: number;
  screened_by: Screen | null;
}

/** The level of what a provider asked before. */
export interface OwnLevel {
  level: number;
  /** number of votes that it is the median of; null if it was stored without that number */
  days: number | null;
  /** `distance` is the logarithm of a factor */
  isTooFar: (distance: number) => boolean;
  /** from one or two days: too short to screen by alone */
  isShort: boolean;
}

/** Median of the votes over all countries of a product and term, and the largest accepted distance from it. */
interface OtherVotes {
  middle: number;
  most: number;
}

/**
 * The first screen that a vote fails; null if it counts. In every scope `others` and `peers` are votes over all
 * countries, and a provider's vote in a country shares the fate of its vote over all countries unless it is far from
 * that. A provider that moves towards the others is believed, because price lists are cut by more than a third now and
 * then; one that was too far from the others stays screened on a day with too few votes to compare.
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

/** From the logarithms, in ascending order, of the counted votes of the 30 days before, at least one. */
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

/** The level that screened out the last vote. */
export const carriedLevel = (level: number, days: number | null, isVolatile: boolean): OwnLevel => ({
  level,
  days,
  isTooFar: (far) => far > leastMove(isVolatile),
  isShort: false,
});

const leastMove = (isVolatile: boolean): number => Math.log(isVolatile ? VOLATILE_FACTOR : LIST_FACTOR);

/** From the votes over all countries that passed the other screens; null if there are fewer than three. */
export function otherVotesOf(prices: readonly number[]): OtherVotes | null {
  if (prices.length < LEAST_VOTES) return null;
  const logs = prices.map(Math.log);
  const middle = linearMedian(logs);
  return { middle: Math.exp(middle), most: Math.max(Math.log(LEAST_FACTOR), DEVIATIONS * scaledMad(logs, middle)) };
}

const distance = (a: number, b: number): number => Math.abs(Math.log(a / b));

/** Plausible prices of a product: USD per accelerator and hour, or for retail USD per card. */
export interface Band {
  low: number;
  high: number;
}

/** A card without a band of its own plausibly costs between a tenth and six times its MSRP. */
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

/** The band of a product and term; null if there is none, and prices are then not screened by a band. */
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
