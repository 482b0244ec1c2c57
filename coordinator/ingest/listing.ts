import type { ObservedPriceType } from '../contract/price-type.ts';
import type { Doubt, Segment } from '../market/segments.ts';

/** One offer as its source states it, before provider, product and country are looked up. */
export interface Listing {
  /** the source's own words for the accelerator; `ingest --unmatched` lists those that no product has */
  label: string;
  /** GB of one accelerator, where the source says it beside the label */
  memoryGb: number | null;
  /** SXM, PCIe, NVL, OAM, where the source or the machine's type says it beside the label */
  formFactor: string | null;
  /** the provider in the source's words */
  provider: string;
  /** region or zone code of that provider */
  region: string | null;
  /** ISO 3166-1 alpha-2, where the source itself says it */
  country: string | null;
  priceType: ObservedPriceType;
  /** of one accelerator for an hour, retail: of one card, in `currency` */
  price: number;
  /** ISO 4217 */
  currency: string;
  /** accelerators in the machine; 0.125 is an eighth of one */
  gpuCount: number;
  /** the source does not state `gpuCount`: it is 1, and the price that of one accelerator in a machine of any size */
  isUnsized?: true;
  /** a market of its own, where the source or the machine's type says so */
  segment?: Segment | null;
  /** why it does not vote */
  doubt?: Doubt | null;
  /** machines that are let together */
  clusterSize: number;
  /** what the offer is called there: instance type, SKU, machine */
  offer: string | null;
  /** when the price held */
  observedAt: Date;
}

/** Why a row gives no observation. What is refused is counted by these and never guessed at. */
export const refusals = {
  'no-accelerator': 'a machine without accelerators',
  'no-price': 'no price in it',
  'unknown-count': 'does not say how many accelerators the price is for',
  'host-only': 'the price of the host alone, its accelerators are not in the file',
  'without-host': 'the price of the accelerators alone, the machine they sit in is not in the file',
  'unknown-spot': 'a spot price of 0.00 stands for one that is not known',
  'capped-spot': 'a spot price equal to the price on demand is a fill-in',
  'spot-above-on-demand': 'a spot price above the price on demand is not one that is paid',
  placeholder: 'a price that the provider shows where it has none',
  'same-machine': 'the same machine offered in parts',
  'same-in-every-region': 'one price list repeated for every region',
  'same-in-every-zone': 'the price of a region repeated for another of its zones',
  unverified: 'an offer that the marketplace has not verified',
  'other-system': 'licences of another operating system are in it',
  'low-priority': 'low-priority capacity, no longer sold',
  'other-terms': 'sold on terms that are none of the price types',
  'mixed-terms': 'an average over prices on demand and spot prices',
  'other-unit': 'the price is for something else than an hour',
  'no-provider': 'does not say who sells it',
  'bad-price': 'the price is no number above 0',
  'bad-date': 'the date is none, or lies ahead',
  'unknown-currency': 'no exchange rate for its currency',
  'cells-missing': 'the row has fewer or more cells than the header',
} as const;
export type Refusal = keyof typeof refusals;

/** What a connector makes of one row of a file. `row` counts from 1, the header not included. */
export type ReadRow = { row: number; listing: Listing } | { row: number; refused: Refusal; detail: string };
