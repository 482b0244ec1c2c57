import { refuse } from '../judge-listing.ts';
import type { ReadRow } from '../listing.ts';
import { spotDoubt } from '../machine-prices.ts';

/** Spot prices of lists that have a row for each kind of price: they wait until the price on demand beside them is known. */
export class HeldSpots {
  readonly #onDemand = new Map<string, number>();
  readonly #held: { key: string; read: ReadRow }[] = [];

  /** `key`: machine and place, the same for both rows. Rows that need not wait come back at once. */
  pass(key: string, read: ReadRow): ReadRow[] {
    if (!('listing' in read)) return [read];
    const { priceType, price } = read.listing;
    if (priceType === -1) {
      this.#held.push({ key, read });
      return [];
    }
    if (priceType === 0) this.#onDemand.set(key, price);
    return [read];
  }

  /** What waited, in the order of the file. */
  end(): ReadRow[] {
    return this.#held.map(({ key, read }) => {
      if (!('listing' in read)) return read;
      const { price, gpuCount } = read.listing;
      const doubt = spotDoubt(price, this.#onDemand.get(key) ?? null);
      return doubt === null ? read : refuse(read.row, doubt, `${key} ${price * gpuCount}`);
    });
  }
}
