import { judgeListing, refuse, unsaid } from '../judge-listing.ts';
import type { Listing, ReadRow, SourceRecord } from '../listing.ts';
import { amountIn } from '../reading/cell-values.ts';

type RetailOffer = Pick<Listing, 'label' | 'provider' | 'priceType' | 'observedAt'> & Partial<Listing>;

/** A card for sale. `said` is the price as the source writes it; without one the row is `no-price`. */
export function retailListing(
  record: SourceRecord,
  card: RetailOffer,
  said: string | number | null | undefined,
  saidDate?: string,
): ReadRow {
  const price = amountIn(said);
  if (price === null) return refuse(record, 'no-price', card.label);
  return judgeListing(record, { ...unsaid, ...card, price }, String(said), saidDate);
}
