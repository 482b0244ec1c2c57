import type { ObservedPriceType } from '../contract/price-type.ts';
import type { Doubt, Segment } from './segments.ts';

/** What a price is for, on which terms, and what its source calls it. */
export interface Priced {
  productId: number;
  providerId: number;
  priceType: ObservedPriceType;
  /** ISO 3166-1 alpha-2; null if not stated */
  country: string | null;
  region: string | null;
  currency: string;
  gpuCount: number;
  /** if false, `gpuCount` is 1 and the price is for one accelerator in a machine of any size */
  sized: boolean;
  clusterSize: number;
  offer: string | null;
  /** null for the standard market */
  segment: Segment | null;
  /** why it does not vote */
  doubt: Doubt | null;
  /** the source's own words for the accelerator */
  label: string;
  /** why the label means this product, if the label alone would not */
  evidence: string | null;
  /** its part of a COPY line, cached once it is formatted */
  line: string | null;
}

/** One price as it is stored: of a known product by a known provider, in USD. */
export interface Observation {
  /** shared by observations of the same thing, as far as the source makes that cheap to detect */
  priced: Priced;
  observedAt: Date;
  /** USD per accelerator and hour; retail: per card */
  price: number;
  originalPrice: number;
  /** USD per unit of the original currency on that day */
  rate: number;
  /** row number in its file, counted from 1 */
  row: number;
  /** the first 8 bytes of the SHA-256 of the row's text, in hex */
  rowHash: string;
}
