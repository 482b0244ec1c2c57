import type { Observation } from '../observation.ts';
import type { Counts } from '../../platform/readings/coverage.ts';

interface Seen {
  rows: number;
  products: Set<number>;
  providers: Set<number>;
}

const DAY_MS = 86_400_000;

/** Counts rows, products and providers of a reading, in total and for each of its days. */
export class Coverage {
  readonly #days = new Map<number, Seen>();
  #time: Date | null = null;
  #seen: Seen = nothing();

  add({ observedAt, priced: { productId, providerId } }: Observation): void {
    if (observedAt !== this.#time) {
      this.#time = observedAt;
      this.#seen = this.#of(Math.floor(observedAt.getTime() / DAY_MS));
    }
    this.#seen.rows += 1;
    this.#seen.products.add(productId);
    this.#seen.providers.add(providerId);
  }

  get rows(): number {
    return [...this.#days.values()].reduce((sum, { rows }) => sum + rows, 0);
  }

  get days(): number {
    return this.#days.size;
  }

  on(day: string): Counts {
    return sizes(this.#days.get(Date.parse(day) / DAY_MS) ?? nothing());
  }

  get all(): Counts {
    const all = nothing();
    for (const { rows, products, providers } of this.#days.values()) {
      all.rows += rows;
      for (const product of products) all.products.add(product);
      for (const provider of providers) all.providers.add(provider);
    }
    return sizes(all);
  }

  #of(day: number): Seen {
    const known = this.#days.get(day);
    if (known) return known;
    const seen = nothing();
    this.#days.set(day, seen);
    return seen;
  }
}

const nothing = (): Seen => ({ rows: 0, products: new Set(), providers: new Set() });

const sizes = ({ rows, products, providers }: Seen): Counts => ({
  rows,
  products: products.size,
  providers: providers.size,
});
