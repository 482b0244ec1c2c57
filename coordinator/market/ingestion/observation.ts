import type { ObservedPriceType } from '../../contract/price-type.ts';
import { storable } from '../../platform/readings/storable.ts';
import type { Doubt, Segment } from '../segments.ts';

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
  /** why they mean the product where they alone would not */
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

/** The columns of the lines. */
export const lineColumns = `observed_at, run_id, price, original_price, rate, row, row_hash, product_id, provider_id,
  price_type, country, region, currency, gpu_count, cluster_size, offer, sized, segment, doubt, label, evidence`;

/** Writes lines for `COPY ... FROM STDIN` in its text format. What repeats, a time or what is priced, is written out once. */
export function lineWriter(runId: string): (row: Observation) => string {
  let time: Date | null = null;
  let head = '';
  return ({ observedAt, price, originalPrice, rate, row, rowHash, priced }) => {
    if (observedAt !== time) {
      time = observedAt;
      head = `${time.toISOString()}\t${runId}`;
    }
    priced.line ??= lineOf(priced);
    const inUsd = String(price);
    const original = originalPrice === price ? inUsd : String(originalPrice);
    return `${head}\t${inUsd}\t${original}\t${rate}\t${row}\t\\\\x${rowHash}\t${priced.line}`;
  };
}

const lineOf = (priced: Priced): string =>
  [
    priced.productId,
    priced.providerId,
    priced.priceType,
    field(priced.country),
    field(priced.region),
    priced.currency,
    priced.gpuCount,
    priced.clusterSize,
    field(priced.offer),
    priced.sized ? 't' : 'f',
    field(priced.segment),
    field(priced.doubt),
    field(priced.label),
    field(priced.evidence),
  ].join('\t') + '\n';

/** Nearly every word: nothing in it that is to be escaped or that Postgres has no place for. */
const PLAIN = /^[\x20-\x5B\x5D-\x7E]*$/;
const SPECIAL = /[\\\t\n\r]/g;
const ESCAPED: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function field(value: string | null): string {
  if (value === null) return '\\N';
  if (PLAIN.test(value)) return value;
  return storable(value).replace(SPECIAL, (character) => ESCAPED[character] ?? '');
}
