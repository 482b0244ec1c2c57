import type { ObservedPriceType } from '../../contract/price-type.ts';
import { storable } from '../../platform/readings/storable.ts';
import type { Doubt, Segment } from '../segments.ts';

/** One price as it is stored: of a known product by a known provider, in USD. */
export interface Observation {
  observedAt: Date;
  productId: number;
  providerId: number;
  priceType: ObservedPriceType;
  /** ISO 3166-1 alpha-2; null: not said */
  country: string | null;
  region: string | null;
  /** USD per accelerator and hour; retail: per card */
  price: number;
  originalPrice: number;
  currency: string;
  /** USD for one of the currency on that day */
  rate: number;
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
  /** in its file, counted from 1 */
  row: number;
  /** the first 8 bytes of the SHA-256 of what the row says, in hex */
  rowHash: string | null;
}

/** Writes lines of `COPY observation_staging FROM STDIN` in its text format. A time that repeats is written out once. */
export function lineWriter(runId: string): (row: Observation) => string {
  let time: Date | null = null;
  let head = '';
  return (row) => {
    if (row.observedAt !== time) {
      time = row.observedAt;
      head = `${time.toISOString()}\t${runId}`;
    }
    return `${head}\t${row.productId}\t${row.providerId}\t${row.priceType}\t${field(row.country)}\t${field(row.region)}\t${row.price}\t${row.originalPrice}\t${row.currency}\t${row.rate}\t${row.gpuCount}\t${row.clusterSize}\t${field(row.offer)}\t${row.sized ? 't' : 'f'}\t${row.segment ?? '\\N'}\t${row.doubt ?? '\\N'}\t${field(row.label)}\t${field(row.evidence)}\t${row.row}\t${row.rowHash === null ? '\\N' : `\\\\x${row.rowHash}`}\n`;
  };
}

/** Nearly every word: nothing in it that is to be escaped or that Postgres has no place for. */
const PLAIN = /^[\x20-\x5B\x5D-\x7E]*$/;
const SPECIAL = /[\\\t\n\r]/g;
const ESCAPED: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function field(value: string | null): string {
  if (value === null) return '\\N';
  if (PLAIN.test(value)) return value;
  return storable(value).replace(SPECIAL, (character) => ESCAPED[character] ?? '');
}
