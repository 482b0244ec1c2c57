import type { ObservedPriceType } from '../contract/price-type.ts';
import type { Doubt, Segment } from '../market/segments.ts';

/** Caches the lookup result for listings with the same words. */
interface SharedWords {
  found: object | null;
}

/** One offer as its source states it, before provider, product and country are looked up. */
export interface Listing {
  /** the source's own words for the accelerator; `ingest --unmatched` lists those that match no product */
  label: string;
  /** the source's literal words, if `label` is derived from them: `H100_80GB_SXM5`, the name of a machine type */
  said?: string;
  /** label, memory or form factor are those that the cloud publishes for the machine type `offer` */
  isByMachine?: boolean;
  /** GB of one accelerator, if the source states it besides the label */
  memoryGb: number | null;
  /** SXM, PCIe, NVL, OAM, if the source states it besides the label or the machine type implies it */
  formFactor: string | null;
  /** the provider in the source's words */
  provider: string;
  /** region or zone code of that provider */
  region: string | null;
  /** ISO 3166-1 alpha-2, if the source itself states it */
  country: string | null;
  priceType: ObservedPriceType;
  /** per accelerator and hour, for retail per card, in `currency` */
  price: number;
  /** ISO 4217 */
  currency: string;
  /** accelerators in the machine; 0.125 is an eighth of one */
  gpuCount: number;
  /** the source does not state `gpuCount`: it is set to 1, and the price is per accelerator in a machine of any size */
  isUnsized?: true;
  /** a market of its own, if the source or the machine type implies one */
  segment?: Segment | null;
  /** why it does not vote */
  doubt?: Doubt | null;
  /** machines rented out together */
  clusterSize: number;
  /** the source's name of the offer: instance type, SKU, machine */
  offer: string | null;
  /** `offer` is the seller's own name of the machine, copied by a program: what it says is true of the machine */
  isSellersName?: true;
  /** when the price held */
  observedAt: Date;
  /** the same object in all listings of a file that differ only in price and time, for a format with millions of rows */
  words?: SharedWords;
}

/** Why a row gives no observation. Refused rows are counted by reason; nothing is guessed for them. */
export const refusals = {
  'no-accelerator': 'a machine without accelerators',
  'no-price': 'no price in it',
  'unknown-count': 'does not say how many accelerators the price is for',
  'host-only': 'the price of the host alone, its accelerators are not in the file',
  'without-host': 'the price of the accelerators alone, the machine they sit in is not in the file',
  'unknown-spot': 'a spot price of 0.00 means that it is unknown',
  'capped-spot': 'a spot price equal to the price on demand is a fill-in',
  'spot-above-on-demand': 'a spot price above the price on demand is not one that is paid',
  placeholder: 'a price that the provider shows if it has none',
  'auction-floor': 'the least that an auction takes, not a price that is paid',
  'same-machine': 'the same machine offered in parts',
  'same-in-every-region': 'one price list repeated for every region',
  'same-in-every-zone': 'the price of a region repeated for another of its zones',
  'same-row': 'the same offer at the same price again',
  unverified: 'an offer that the marketplace has not verified',
  'other-system': 'the price includes a licence for another operating system',
  'low-priority': 'low-priority capacity, no longer sold',
  'other-terms': 'sold on terms other than the price types',
  'other-unit': 'the price is not per hour',
  'no-provider': 'does not say who sells it',
  'bad-price': 'the price is not a number above 0',
  'bad-date': 'the date is missing or in the future',
  'unknown-currency': 'no exchange rate for its currency',
  'cells-missing': 'the row has fewer or more cells than the header',
} as const;
export type Refusal = keyof typeof refusals;

/** A row of a file, or its equivalent in a document. */
export interface SourceRecord {
  /** counts from 1, the header not included */
  readonly number: number;
  /** verbatim, without the line end; for a JSON document, the value serialised again without whitespace */
  readonly text: string;
}

/** What a connector makes of one row of a file; `row` and `text` are the `SourceRecord`'s `number` and `text`. */
export type ReadRow =
  | { row: number; text: string; listing: Listing }
  | { row: number; refused: Refusal; detail: string };
