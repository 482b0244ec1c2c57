import type { OfferKey } from '../queries/offers.ts';

/** How long a quote of a source holds. */
interface SourceTerms {
  /** days, counted from its own, on which a quote is used for the index */
  validDays: number;
}

/** A price list holds until it changes; reading it at least weekly is enough. */
const PRICE_LIST = 7;
/** A marketplace offer is gone once it is rented. */
const MARKETPLACE = 1;
/** Tables edited by hand, some weeks apart. */
const EDITED = 30;

/**
 * Sources in order of trust, best first: what a provider publishes itself; what an operator imports by hand; catalogues
 * that a program collects from providers; what third parties compute from them; tables that people maintain.
 */
const inOrderOfTrust: readonly (readonly [source: string, SourceTerms])[] = [
  ['aws-pricing-page', { validDays: PRICE_LIST }],
  ['azure-retail', { validDays: PRICE_LIST }],
  ['runpod-gpu-types', { validDays: PRICE_LIST }],
  ['vast-bundles', { validDays: MARKETPLACE }],
  ['ec2instances', { validDays: PRICE_LIST }],
  ['observations', { validDays: PRICE_LIST }],
  ['gpuhunt', { validDays: PRICE_LIST }],
  ['gpuhunt-tpu', { validDays: PRICE_LIST }],
  ['skypilot', { validDays: PRICE_LIST }],
  ['retail-csv', { validDays: PRICE_LIST }],
  ['pc-part', { validDays: EDITED }],
  ['amazon-buybox', { validDays: PRICE_LIST }],
  ['ebay-sold', { validDays: EDITED }],
  ['neocloud-daily', { validDays: PRICE_LIST }],
  ['cheapest-by-provider', { validDays: PRICE_LIST }],
  ['prime-intellect', { validDays: MARKETPLACE }],
  ['aggregator', { validDays: PRICE_LIST }],
  ['fsdl-cloud', { validDays: EDITED }],
  ['fsdl-serverless', { validDays: EDITED }],
];

const terms = new Map(inOrderOfTrust.map(([source, { validDays }], rank) => [source, { validDays, rank }]));

/** `rank` 0 is trusted most; a source that is not in the table ranks last, and its quotes hold for one day. */
export const termsOf = (source: string): { validDays: number; rank: number } =>
  terms.get(source) ?? { validDays: MARKETPLACE, rank: inOrderOfTrust.length };

/** What became of an offer: in its provider's vote, or why not. */
export const fates = {
  votes: 'is in its provider’s vote',
  reseller: 'its seller resells the machines of others',
  doubted: 'it is doubted, and kept aside',
  'same-offer': 'the same offer, from a source that is trusted more',
  'other-size': 'not the standard machine: another number of accelerators',
  'larger-machine': 'not the entry-level machine of its place: a larger host with the same accelerators',
  'size-unstated': 'does not state the size of the machine, and the standard machine is offered',
} as const;
export type Fate = keyof typeof fates;

export interface Offer extends OfferKey {
  source: string;
  /** USD per accelerator, the median of the day's readings */
  price: number;
  /** readings behind it */
  observations: number;
  /** YYYY-MM-DD of the oldest of them */
  quoted: string;
}

export const offerKey = (of: OfferKey): string =>
  [of.product_id, of.price_type, of.country, of.provider_id, of.segment, of.gpu_count, of.sized, of.cluster_size]
    .concat(of.region ?? '\0', of.offer ?? '\0', of.run_id)
    .join('\t');

/** How a provider's offers of a product and term become its vote. */
export interface OfferTerms {
  /** accelerators in the standard machine; null: the smallest machine with whole ones is the standard */
  standardCards: number | null;
  /** every offer is a different seller's machine: none is the entry machine among them */
  isMarketplace: boolean;
}

/**
 * Decides which of a provider's offers of a product and term make up its vote in the standard market. `offers` has no
 * resold or doubted ones.
 *  1. The same offer counts once: for equal machine, region and size only that of the most trusted source; a machine
 *    without a region if no other row of it has one; an offer without a name if no better source has any of this
 *    provider.
 *  2. Only the standard machine: eight cards for cards that are sold by eight, else the smallest machine with whole
 *    cards. A provider without it votes by prices that state no size, else by its machines of the nearest size.
 *  3. In each place only the entry machine, the cheapest of them; for marketplaces every offer.
 */
export function standardOffers(
  offers: readonly Offer[],
  { standardCards, isMarketplace }: OfferTerms,
): Map<Offer, Fate> {
  const fate = new Map<Offer, Fate>();
  const once = tellOnce(offers, isMarketplace, fate);
  const whole = once.filter(({ sized, gpu_count, cluster_size }) => sized && cluster_size === 1 && gpu_count >= 1);
  const unsized = once.filter(({ sized }) => !sized);
  const cards = nearestSize(whole, standardCards);
  const isStandard = cards !== null && (standardCards === null || cards === standardCards);
  const chosen = isStandard || unsized.length === 0 ? whole.filter(({ gpu_count }) => gpu_count === cards) : unsized;
  const votes = new Set(isMarketplace || chosen === unsized ? chosen : entryMachines(chosen));
  for (const offer of once) {
    if (votes.has(offer)) fate.set(offer, 'votes');
    else if (!offer.sized) fate.set(offer, 'size-unstated');
    else fate.set(offer, chosen.includes(offer) ? 'larger-machine' : 'other-size');
  }
  return fate;
}

/** Drops offers that a better source also has; in a segment this is the only rule. */
export function tellOnce(offers: readonly Offer[], isMarketplace: boolean, fate: Map<Offer, Fate>): Offer[] {
  if (offers.length === 1) return [...offers];
  const best = offers.reduce((least, { source }) => Math.min(least, termsOf(source).rank), Infinity);
  const told = new Map<string, Offer>();
  const placed = new Set<string>();
  for (const offer of offers) {
    if (offer.offer === null || !offer.sized) continue;
    const known = told.get(keyOf(offer));
    if (known === undefined || isBetter(offer, known)) told.set(keyOf(offer), offer);
    if (offer.region !== null) placed.add(machineOf(offer));
  }
  return offers.filter((offer) => {
    const isNamed = offer.offer !== null && offer.sized;
    const isOnce =
      isMarketplace || !isNamed
        ? termsOf(offer.source).rank === best && (!isNamed || told.get(keyOf(offer)) === offer)
        : told.get(keyOf(offer)) === offer && (offer.region !== null || !placed.has(machineOf(offer)));
    if (!isOnce) fate.set(offer, 'same-offer');
    return isOnce;
  });
}

const machineOf = ({ offer, gpu_count, cluster_size }: Offer): string =>
  `${(offer ?? '').toLowerCase()} ${gpu_count} ${cluster_size}`;
const keyOf = (offer: Offer): string => `${machineOf(offer)} ${(offer.region ?? '').toLowerCase()}`;

/** The more trusted source wins; within one source the later reading. */
const isBetter = (a: Offer, b: Offer): boolean =>
  termsOf(a.source).rank - termsOf(b.source).rank < 0 || (a.source === b.source && BigInt(a.run_id) > BigInt(b.run_id));

/**
 * The standard size if it is offered, else the largest below it, else the smallest above it; without a standard the
 * smallest. Null if there is no machine with whole cards.
 */
function nearestSize(whole: readonly Offer[], standard: number | null): number | null {
  const sizes = whole.map(({ gpu_count }) => gpu_count);
  if (sizes.length === 0) return null;
  const below = sizes.filter((size) => standard !== null && size <= standard);
  return below.length > 0 ? Math.max(...below) : Math.min(...sizes);
}

/** The cheapest named machine of each place; an offer without a name is not a machine of a price list, and stays. */
function entryMachines(offers: readonly Offer[]): Offer[] {
  const cheapest = new Map<string, Offer>();
  for (const offer of offers) {
    if (offer.offer === null) continue;
    const place = placeOf(offer);
    const known = cheapest.get(place);
    if (known === undefined || offer.price < known.price) cheapest.set(place, offer);
  }
  return offers.filter((offer) => offer.offer === null || cheapest.get(placeOf(offer)) === offer);
}

const placeOf = ({ country, region }: Offer): string => `${country} ${region ?? ''}`;
