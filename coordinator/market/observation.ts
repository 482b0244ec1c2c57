import type { ObservedPriceType } from '../contract/price-type.ts';
import type { Doubt, Segment } from './segments.ts';

/** What a price is for, on which terms, and what its source calls it. */
export interface Priced {
  productId: number;
  providerId: number;
  priceType: ObservedPriceType;
  /** ISO 3166-1 alpha-2; null: not said */
  country: string | null;
  region: string | null;
  currency: string;
  gpuCount: number;
  /** the source states `gpuCount`; else it is 1 and the price that of one accelerator in a machine of any size */
  sized: boolean;
  clusterSize: number;
  offer: string | null;
  /** a market of its own; null: the standard one */
  segment: Segment | null;
  /** why it does not vote */
  doubt: Doubt | null;
  /** the source's own words for the accelerator */
  label: string;
  /** why they mean the product if they alone would not */
  evidence: string | null;
  /** its part of a line, once one was written */
  line: string | null;
}

/** One price as it is stored: of a known product by a known provider, in USD. */
export interface Observation {
  /** the same object in observations of the same thing, as far as the source lets that be known cheaply */
  priced: Priced;
  observedAt: Date;
  /** USD per accelerator and hour; retail: per card */
  price: number;
  originalPrice: number;
  /** USD for one of the currency on that day */
  rate: number;
  /** in its file, counted from 1 */
  row: number;
  /** the first 8 bytes of the SHA-256 of what the row says, in hex */
  rowHash: string;
}
