import type { ObservedPriceType } from '../../contract/price-type.ts';

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
  clusterSize: number;
  offer: string | null;
}

/** A line of `COPY observation_staging FROM STDIN` in its text format. */
export function copyLine(runId: string, row: Observation): string {
  return `${row.observedAt.toISOString()}\t${runId}\t${row.productId}\t${row.providerId}\t${row.priceType}\t${field(row.country)}\t${field(row.region)}\t${row.price}\t${row.originalPrice}\t${row.currency}\t${row.rate}\t${row.gpuCount}\t${row.clusterSize}\t${field(row.offer)}\n`;
}

const SPECIAL = /[\\\t\n\r]/g;
const ESCAPED: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function field(value: string | null): string {
  if (value === null) return '\\N';
  return value.replace(SPECIAL, (character) => ESCAPED[character] ?? '');
}
