import { refuse, spotDoubt } from '../judge-listing.ts';
import type { Listing, ReadRow } from '../listing.ts';

type Held = Extract<ReadRow, { listing: Listing }>;

/**
 * Holds spot prices of lists with a row for each kind of price until all on-demand prices are known. A spot price equal to the
 * on-demand price of its own place is a fill-in and refused. One equal to that of another place is doubted: lists also fill in
 * the cap of their cheapest region, and a market price is seldom the same to the last digit.
 */
export class HeldSpots {
  readonly #onDemand = new Map<string, number>();
  /** on-demand prices of each machine, in any place */
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

  /** The spot prices held back, in the order of the file. */
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
