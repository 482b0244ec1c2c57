import type { StoredFactor, Basis } from './factor.ts';
import { preference } from './sources.ts';

/** An hourly factor counts as "now" no longer than this. */
const FRESH_MS = 2 * 3_600_000;
const DAY_MS = 86_400_000;

/** Shorter than a week: a factor of one or a few hours, which does not apply to other days. */
export const isOfHours = ({ valid_from, valid_to }: Pick<StoredFactor, 'valid_from' | 'valid_to'>): boolean =>
  valid_to.getTime() - valid_from.getTime() < 7 * DAY_MS;

/**
 * The factor to use for a zone at a time: an average of that basis. An hourly one if it is younger than two hours, else a
 * yearly one: by source in the order of `preference`, then the newest year that has begun, then one loaded by an operator.
 */
export function chooseFactor(factors: readonly StoredFactor[], { basis, at }: Wanted): StoredFactor | null {
  const second = Math.floor(at.getTime() / 1000);
  const before = chosen.get(factors)?.[basis];
  if (before?.second === second) return before.factor;
  const factor = choose(factors, { basis, at });
  chosen.set(factors, { ...chosen.get(factors), [basis]: { second, factor } });
  return factor;
}

interface Wanted {
  basis: Basis;
  at: Date;
}

/** The last choice, by zone: an operator may have loaded every hour of several years, and a batch asks fifty times. */
const chosen = new WeakMap<
  readonly StoredFactor[],
  Partial<Record<Basis, { second: number; factor: StoredFactor | null }>>
>();

function choose(factors: readonly StoredFactor[], { basis, at }: Wanted): StoredFactor | null {
  const time = at.getTime();
  const begun = factors.filter(
    (factor) => factor.kind === 'average' && factor.basis === basis && factor.valid_from.getTime() <= time,
  );
  const hour = begun
    .filter((factor) => isOfHours(factor) && time - factor.valid_from.getTime() < FRESH_MS)
    .toSorted((a, b) => b.valid_from.getTime() - a.valid_from.getTime())[0];
  if (hour) return hour;
  const years = begun.filter((factor) => !isOfHours(factor));
  return (
    years.toSorted(
      (a, b) =>
        rank(a) - rank(b) ||
        (b.source_year ?? 0) - (a.source_year ?? 0) ||
        Number(a.shipped) - Number(b.shipped) ||
        b.loaded_at.getTime() - a.loaded_at.getTime(),
    )[0] ?? null
  );
}

/** A source that is not in `preference` comes before ours (-1): an operator has loaded it. */
const rank = ({ source }: StoredFactor): number => preference.findIndex((name) => name === source);
