import type { Observation } from '../observation.ts';
import { median } from '../../figures/statistics.ts';

/** Coverage of a source in a reading or on a day. */
interface Counts {
  rows: number;
  products: number;
  providers: number;
}

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

/** A reading with far less than its source had before. */
export interface CoverageDrop {
  /** what the reading is compared with: the worst of the days it would replace, or earlier readings */
  against: { day: string; further: number } | { readings: number };
  before: Counts;
  now: Counts;
}

/** Losing more than a fifth is a drop; losing exactly a fifth is accepted. */
const MOST_LOST = 0.2;

const kinds = ['rows', 'products', 'providers'] as const;

const isDrop = (before: Counts, now: Counts): boolean =>
  // Compared as whole numbers: 0.8 of 5 is a little more than 4 in binary.
  kinds.some((kind) => (before[kind] - now[kind]) * 100 > before[kind] * (MOST_LOST * 100));

/**
 * The drop of the replaced day that loses the largest share of its rows. Each day is judged separately, so that one bad
 * day of a hundred is not hidden in a sum.
 */
export function dropOfDays(
  days: readonly ({ day: string } & Counts)[],
  nowOn: (day: string) => Counts,
): CoverageDrop | null {
  const drops = days
    .map(({ day, ...before }) => ({ day, before, now: nowOn(day) }))
    .filter(({ before, now }) => isDrop(before, now))
    .toSorted((a, b) => a.now.rows / a.before.rows - b.now.rows / b.before.rows);
  const [worst] = drops;
  if (worst === undefined) return null;
  const { day, before, now } = worst;
  return { against: { day, further: drops.length - 1 }, before, now };
}

/**
 * The drop from the medians of earlier readings, given newest first; those older than the last accepted drop do not
 * count.
 */
export function dropOfReadings(
  earlier: readonly (Counts & { drop_accepted: boolean })[],
  now: Counts,
): CoverageDrop | null {
  const accepted = earlier.findIndex(({ drop_accepted }) => drop_accepted);
  const counted = accepted === -1 ? earlier : earlier.slice(0, accepted + 1);
  if (counted.length === 0) return null;
  const usual = (kind: keyof Counts): number => median(counted.map((reading) => reading[kind]));
  const before = { rows: usual('rows'), products: usual('products'), providers: usual('providers') };
  return isDrop(before, now) ? { against: { readings: counted.length }, before, now } : null;
}

/** Why nothing of the reading is kept, and what to do about it. */
export const refusalOf = (drop: CoverageDrop): string =>
  `would drop more than ${MOST_LOST * 100} % of ${describeDrop(drop)}. Nothing of it is kept. ${REMEDY}`;

/** What the reading is compared with, and the counts before and now. */
export const describeDrop = ({ against, before, now }: CoverageDrop): string =>
  `${named(against)}: ${kinds.map((kind) => `${kind} ${before[kind]} -> ${now[kind]}`).join(', ')}`;

const REMEDY =
  'If the source did shrink, add --accept-coverage-drop; if the file is only a part of it, give it its own name or --provider, so that it is kept alongside the rest.';

function named(against: CoverageDrop['against']): string {
  if ('day' in against) {
    const { day, further } = against;
    const more = further === 0 ? '' : ` and of ${further} further ${further === 1 ? 'day' : 'days'}`;
    return `what this source has on ${day}${more}`;
  }
  const { readings } = against;
  return readings === 1
    ? 'what the last reading of this source had'
    : `what the last ${readings} readings of this source had (median)`;
}
