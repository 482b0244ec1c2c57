import type { OfferRow, VoteRow } from '../queries/votes.ts';
import { median } from './judge-votes.ts';

const BYTES = Float64Array.BYTES_PER_ELEMENT;

/**
 * One vote per provider: the median of its offers, in each country and over all. In a fixed order, because the sum of the
 * votes of a day depends on it in its last digit.
 */
export function votesOf(offers: readonly OfferRow[]): VoteRow[] {
  const inCountries = offers.map((offer) => voteOf(offer, offer.country, [offer]));
  const providers = Map.groupBy(offers, (offer) => `${offer.product_id} ${offer.price_type} ${offer.provider_id}`);
  const overAll = [...providers.values()].flatMap((ofProvider) =>
    ofProvider.slice(0, 1).map((first) => voteOf(first, '', ofProvider)),
  );
  return [...inCountries, ...overAll].toSorted(
    (a, b) =>
      a.product_id - b.product_id ||
      a.price_type - b.price_type ||
      Number(a.country > b.country) - Number(a.country < b.country) ||
      a.provider_id - b.provider_id,
  );
}

function voteOf(
  { product_id, price_type, provider_id }: OfferRow,
  country: string,
  offers: readonly OfferRow[],
): VoteRow {
  const prices = pricesIn(offers.map((offer) => offer.prices));
  return { product_id, price_type, country, provider_id, price: median(prices), observations: prices.length };
}

/** Postgres sends the highest byte first; what runs this keeps the lowest first. */
function pricesIn(parts: readonly Buffer[]): Float64Array {
  const prices = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0) / BYTES);
  const bytes = Buffer.from(prices.buffer);
  let at = 0;
  for (const part of parts) at += part.copy(bytes, at);
  bytes.swap64();
  return prices;
}
