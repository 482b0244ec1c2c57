import { judgeListing, refuse } from './judge-listing.ts';
import type { Listing, ReadRow, Refusal, SourceRecord } from './listing.ts';

export type MachineOffer = Omit<Listing, 'price' | 'priceType'>;

/**
 * The two prices of one machine, each for the whole machine and an hour: on demand, then spot, both as prices of one
 * accelerator. A price that is not given (null) is not offered and no reason to refuse; a row without either is `no-price`.
 */
export function machinePrices(
  record: SourceRecord,
  machine: MachineOffer,
  onDemand: number | null,
  spot: number | null,
): ReadRow[] {
  if (onDemand === null && spot === null) return [refuse(record, 'no-price', machine.offer ?? machine.label)];
  if (!(machine.gpuCount > 0)) return [refuse(record, 'unknown-count', machine.offer ?? machine.label)];
  const rows: ReadRow[] = [];
  if (onDemand !== null) {
    const listing: Listing = { ...machine, priceType: 0, price: onDemand / machine.gpuCount };
    rows.push(judgeListing(record, listing, String(onDemand)));
  }
  if (spot === null) return rows;
  const doubt = spotDoubt(spot, onDemand);
  const listing: Listing = { ...machine, priceType: -1, price: spot / machine.gpuCount };
  rows.push(
    doubt === null
      ? judgeListing(record, listing, String(spot))
      : refuse(record, doubt, `${machine.offer ?? machine.label} ${spot}`),
  );
  return rows;
}

/** Why a spot price beside the price on demand of the same machine is no market price; null: no reason. */
export function spotDoubt(spot: number, onDemand: number | null): Refusal | null {
  if (spot === 0) return 'unknown-spot';
  if (onDemand === null || onDemand === 0) return null;
  if (spot === onDemand) return 'capped-spot';
  return spot > onDemand ? 'spot-above-on-demand' : null;
}
