import { refuse, spotDoubt } from '../judge-listing.ts';
import type { Listing, ReadRow } from '../listing.ts';

type Held = Extract<ReadRow, { listing: Listing }>;

/**
 * Spot prices of lists that have a row for each kind of price: they wait until all prices on demand are known. One that
 * equals the price on demand of its own place is a fill-in and refused. One that equals that of another place is doubted: lists
 * fill in the cap of their cheapest region too, and seldom a market price is the same to the last digit.
 */
export class HeldSpots {
  readonly #onDemand = new Map<string, number>();
  /** of each machine, wherever it stands */
  readonly #anywhere = new Map<string, Set<number>>();
  readonly #held: { machine: string; place: string; read: Held }[] = [];

  /** `machine` and `place` are the same for both rows of an offer. Rows that need not wait come back at once. */
  pass({ machine, place }: { machine: string; place: string }, read: ReadRow): ReadRow[] {
    if (!('listing' in read)) return [read];
    const { priceType, price } = read.listing;
    if (priceType === -1) {
      this.#held.push({ machine, place, read });
      return [];
    }
    if (priceType === 0) this.#know(machine, place, price);
    return [read];
  }

  /** What waited, in the order of the file. */
  end(): ReadRow[] {
    return this.#held.map(({ machine, place, read }) => {
      const { listing } = read;
      const { price, gpuCount } = listing;
      const refused = spotDoubt(price, this.#onDemand.get(`${machine} ${place}`) ?? null);
      if (refused !== null) return refuse({ number: read.row }, refused, `${machine} ${place} ${price * gpuCount}`);
      const isCap = this.#anywhere.get(machine)?.has(price) === true;
      return isCap ? { ...read, listing: { ...listing, doubt: 'spot-equals-on-demand' } } : read;
    });
  }

  #know(machine: string, place: string, price: number): void {
    this.#onDemand.set(`${machine} ${place}`, price);
    const known = this.#anywhere.get(machine);
    if (known) known.add(price);
    else this.#anywhere.set(machine, new Set([price]));
  }
}
