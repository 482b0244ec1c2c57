import { median } from '../../figures/statistics.ts';
import type { Counts } from './coverage.ts';

/** A reading has far less than its source had before. */
export interface CoverageDrop {
  /** what is measured: the day that it would replace, or the readings before */
  against: { day: string; further: number } | { readings: number };
  before: Counts;
  now: Counts;
}

/** More than a fifth less is a drop; exactly a fifth is none. */
const MOST_LOST = 0.2;

const kinds = ['rows', 'products', 'providers'] as const;

const isDrop = (before: Counts, now: Counts): boolean =>
  // As whole numbers: 0.8 of 5 is a little more than 4 in binary.
  kinds.some((kind) => (before[kind] - now[kind]) * 100 > before[kind] * (MOST_LOST * 100));

/** Of the days that are replaced, the one that loses the largest share of its rows. Each is judged: one bad day of a hundred hides in no sum. */
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

/** Against the medians of the readings before, the last first; those before a drop that was accepted do not count. */
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

/** Of what, and how many before and now. */
export const describeDrop = ({ against, before, now }: CoverageDrop): string =>
  `${named(against)}: ${kinds.map((kind) => `${kind} ${before[kind]} -> ${now[kind]}`).join(', ')}`;

const REMEDY =
  'If the source did shrink, add --accept-coverage-drop; if the file is only a part of it, give it a name of its own or --provider, so that it stands beside the rest.';

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
