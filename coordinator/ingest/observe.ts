import type { Observation } from '../market/ingestion/observation.ts';
import type { Reference } from '../market/ingestion/load-reference.ts';
import { remembering } from '../market/ingestion/remembering.ts';
import type { UnmatchedLabel } from '../platform/readings/unmatched-label.ts';
import type { Listing, Refusal } from './listing.ts';

export type Observed =
  | { kind: 'observation'; observation: Observation }
  | { kind: 'unmatched'; of: 'product' | 'provider'; label: string }
  | { kind: 'refused'; refusal: Refusal; detail: string }
  /** no rate of that day is loaded for any currency: what can be mended, and is no fault of the row */
  | { kind: 'no-rates'; currency: string; day: string };

const AHEAD_MS = 86_400_000;

/** Sources in other time zones may be a day ahead. True for a date that is none. */
export const liesAhead = (date: Date, now: Date): boolean => !(date.getTime() <= now.getTime() + AHEAD_MS);

/** What the words of a listing mean. */
interface Meaning {
  providerId: number | null;
  product: ReturnType<Reference['product']>;
  country: string | null;
}

/**
 * Gives the listings of a file their product, provider, country and price in USD, or says what is missing for that. Nothing
 * is guessed. Of millions of listings nearly all repeat the words of another: those are looked up once.
 */
export function observer(reference: Reference, now: Date): (listing: Listing, row: number) => Observed {
  const meaningOf = remembering(
    (listing: Listing) => readWords(listing, reference),
    ({ provider, label, memoryGb, formFactor, region, country }) =>
      `${provider}\t${label}\t${memoryGb}\t${formFactor ?? ''}\t${region ?? ''}\t${country ?? ''}`,
  );
  return (listing, row) => {
    const { price, currency, observedAt } = listing;
    if (!(price > 0 && price < Infinity)) return { kind: 'refused', refusal: 'bad-price', detail: String(price) };
    if (liesAhead(observedAt, now)) return { kind: 'refused', refusal: 'bad-date', detail: dateText(observedAt) };
    if (!(listing.gpuCount > 0)) return { kind: 'refused', refusal: 'unknown-count', detail: String(listing.gpuCount) };
    const { providerId, product, country } = meaningOf(listing);
    if (providerId === null) return { kind: 'unmatched', of: 'provider', label: listing.provider };
    if (product.kind === 'none') return { kind: 'unmatched', of: 'product', label: wholeLabel(listing) };
    // Writing the day costs more than all the rest, and the dollar needs none.
    const rate = currency === 'USD' ? 1 : reference.usdPer(currency, observedAt.toISOString().slice(0, 10));
    if (rate === null && reference.usdPer('EUR', dateText(observedAt)) === null)
      return { kind: 'no-rates', currency, day: dateText(observedAt) };
    if (rate === null)
      return { kind: 'refused', refusal: 'unknown-currency', detail: `${currency} on ${dateText(observedAt)}` };
    return {
      kind: 'observation',
      observation: {
        observedAt,
        productId: product.product_id,
        providerId,
        priceType: listing.priceType,
        country,
        region: listing.region,
        price: price * rate,
        originalPrice: price,
        currency,
        rate,
        gpuCount: listing.gpuCount,
        sized: listing.isUnsized !== true,
        clusterSize: listing.clusterSize,
        offer: listing.offer,
        segment: listing.segment ?? null,
        doubt: listing.doubt ?? null,
        label: listing.label,
        evidence: null,
        row,
        rowHash: null,
      },
    };
  };
}

function readWords(listing: Listing, reference: Reference): Meaning {
  const providerId = reference.provider(listing.provider);
  const slug = providerId === null ? undefined : reference.providerById.get(providerId)?.slug;
  return {
    providerId,
    product: reference.product(listing),
    country: reference.country(slug ?? '', listing.region, listing.country),
  };
}

const dateText = (date: Date): string => (Number.isNaN(date.getTime()) ? 'no date' : date.toISOString().slice(0, 10));

/** Whether words that were left unmatched mean something now. */
export function isMeant(kind: UnmatchedLabel['kind'], label: string, reference: Reference): boolean {
  if (kind === 'provider') return reference.provider(label) !== null;
  if (kind === 'model') return false;
  const [said = '', ...beside] = label.split(BESIDE);
  const memory = beside.find((part) => MEMORY.test(part));
  const formFactor = beside.find((part) => part !== memory) ?? null;
  const memoryGb = memory === undefined ? null : Number.parseInt(memory, 10);
  return reference.product({ label: said, memoryGb, formFactor }).kind === 'product';
}

const BESIDE = ' | ';
const MEMORY = /^\d+ GB$/;

/** The label with what the source said beside it: the same word may be matched with it and not without. */
const wholeLabel = ({ label, memoryGb, formFactor }: Listing): string =>
  [label, memoryGb === null ? null : `${Math.round(memoryGb)} GB`, formFactor]
    .filter((part) => part !== null)
    .join(BESIDE);
