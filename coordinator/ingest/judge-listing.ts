import type { Listing, ReadRow, Refusal, SourceRecord } from './listing.ts';

/** Before this, accelerators were neither rented by the hour nor sold under the names we know: an older date is a misread one. */
const EARLIEST = Date.UTC(2000, 0, 1);

/** Limits of what one price can be for: from a hundredth of a card to more cards than any machine or network has. */
const [FEWEST_GPUS, MOST_GPUS, MOST_MACHINES] = [0.01, 1_000_000, 32_767];

/** Defaults for what most sources do not state. */
export const unsaid = {
  memoryGb: null,
  formFactor: null,
  region: null,
  country: null,
  currency: 'USD',
  gpuCount: 1,
  clusterSize: 1,
  offer: null,
} as const;

/**
 * The checks that every listing must pass, whatever its source: a label, a seller, a count, a price above 0, a date. Whether
 * the date is in the future is checked where the time is known (`observe.ts`): the day in a file's name does not limit the
 * dates of its rows. `saidPrice` and `saidDate` are as the source writes them, for the line about a refused row.
 */
export function judgeListing(record: SourceRecord, listing: Listing, saidPrice?: string, saidDate?: string): ReadRow {
  if (listing.label === '') return refuse(record, 'no-accelerator', listing.offer ?? 'no name');
  if (listing.provider === '') return refuse(record, 'no-provider', listing.label);
  if (!(isWithin(listing.gpuCount, FEWEST_GPUS, MOST_GPUS) && isWithin(listing.clusterSize, 1, MOST_MACHINES)))
    return refuse(record, 'unknown-count', listing.label);
  if (!Number.isInteger(listing.clusterSize)) return refuse(record, 'unknown-count', listing.label);
  if (!(listing.price > 0 && listing.price < Infinity)) {
    return refuse(record, 'bad-price', `price ${saidPrice ?? listing.price}`);
  }
  const time = listing.observedAt.getTime();
  if (!(time >= EARLIEST)) {
    const date = saidDate ?? (Number.isNaN(time) ? 'none' : listing.observedAt.toISOString());
    return refuse(record, 'bad-date', `date ${date}`);
  }
  return { row: record.number, text: record.text, listing };
}

const isWithin = (value: number, least: number, most: number): boolean => value >= least && value <= most;

export const refuse = ({ number }: Pick<SourceRecord, 'number'>, refused: Refusal, detail: string): ReadRow => ({
  row: number,
  refused,
  detail,
});

export type MachineOffer = Omit<Listing, 'price' | 'priceType'>;

/**
 * Listings per accelerator from the two hourly prices of one whole machine: on demand, then spot. A missing price (null)
 * is not offered, which is not a refusal; a row with neither is `no-price`.
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

/** Why a spot price, given the on-demand price of the same machine, is not a market price; null if it may be one. */
export function spotDoubt(spot: number, onDemand: number | null): Refusal | null {
  if (spot === 0) return 'unknown-spot';
  if (onDemand === null || onDemand === 0) return null;
  if (spot === onDemand) return 'capped-spot';
  return spot > onDemand ? 'spot-above-on-demand' : null;
}
