import { linearMedian } from '../../figures/statistics.ts';
import type { VoteRow } from '../queries/votes.ts';
import { contractSegments } from '../segments.ts';
import { termsOf, standardOffers, tellOnce, type Fate, type Offer, type OfferTerms } from './standard-offers.ts';

/** What forming votes depends on: which products are sold by eight cards, which providers are marketplaces. */
export interface VoteTerms {
  isSoldByEight: (productId: number) => boolean;
  isMarketplace: (providerId: number) => boolean;
}

const EIGHT = 8;

/**
 * One vote per provider, product, term and segment: the median of its offers, by country and over all (''). In a fixed
 * order, because the last digit of the sum of the votes of a day depends on it. `fates` receives what became of each
 * offer.
 */
export function votesOf(
  offers: readonly Offer[],
  { isSoldByEight, isMarketplace }: VoteTerms,
  fates: Map<Offer, Fate> = new Map(),
): VoteRow[] {
  const votes: VoteRow[] = [];
  for (const ofProvider of Map.groupBy(offers, groupOf).values()) {
    const { product_id, provider_id, segment } = ofProvider[0] as Offer;
    const terms = {
      standardCards: isSoldByEight(product_id) ? EIGHT : null,
      isMarketplace: isMarketplace(provider_id),
    };
    const voting = votingOffers(ofProvider, segment, terms, fates);
    if (voting.length === 0) continue;
    const countries = Map.groupBy(voting, ({ country }) => country);
    votes.push(voteOf('', voting, terms), ...[...countries].map(([country, there]) => voteOf(country, there, terms)));
  }
  return votes.toSorted(
    (a, b) =>
      a.product_id - b.product_id ||
      a.price_type - b.price_type ||
      Number(a.country > b.country) - Number(a.country < b.country) ||
      a.provider_id - b.provider_id ||
      Number(a.segment > b.segment) - Number(a.segment < b.segment),
  );
}

/** In a segment a machine of any size votes, except in the segments of contracts. */
function votingOffers(
  offers: readonly Offer[],
  segment: string,
  terms: OfferTerms,
  fates: Map<Offer, Fate>,
): readonly Offer[] {
  if (segment !== '' && !contractSegments.includes(segment)) {
    const once = tellOnce(offers, terms.isMarketplace, fates);
    for (const offer of once) fates.set(offer, 'votes');
    return once;
  }
  const fate = standardOffers(offers, terms);
  for (const [offer, what] of fate) fates.set(offer, what);
  return offers.filter((offer) => fate.get(offer) === 'votes');
}

const groupOf = ({ product_id, price_type, provider_id, segment }: Offer): string =>
  `${product_id} ${price_type} ${provider_id} ${segment}`;

function voteOf(country: string, offers: readonly Offer[], { isMarketplace }: OfferTerms): VoteRow {
  const { product_id, price_type, provider_id, segment, gpu_count, sized } = offers[0] as Offer;
  const isOneSize = sized && offers.every((offer) => offer.gpu_count === gpu_count);
  return {
    product_id,
    price_type,
    country,
    provider_id,
    segment,
    price: linearMedian(offers.map(({ price }) => price)),
    observations: offers.reduce((sum, { observations }) => sum + observations, 0),
    cards: isOneSize ? gpu_count : null,
    valid_days: isMarketplace ? 1 : Math.max(...offers.map(({ source }) => termsOf(source).validDays)),
    source: sourceOf(offers),
    oldest_quote: offers.reduce((oldest, { quoted }) => (quoted < oldest ? quoted : oldest), '9999-12-31'),
  };
}

/** That of most of them; of equally many the one that is trusted most. */
function sourceOf(offers: readonly Offer[]): string {
  const [first] = offers as readonly [Offer, ...Offer[]];
  if (offers.every(({ source }) => source === first.source)) return first.source;
  const counted = [...Map.groupBy(offers, ({ source }) => source)].map(([source, { length }]) => ({ source, length }));
  const sorted = counted.toSorted((a, b) => b.length - a.length || termsOf(a.source).rank - termsOf(b.source).rank);
  return sorted[0]?.source ?? first.source;
}
