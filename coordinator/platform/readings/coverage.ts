/** How much of its source a reading has, by kind: rows, products, models, regions. */
export type Counts = Readonly<Record<string, number>>;

/** A reading with far less than its source had before. */
export interface CoverageDrop {
  /** what the reading is compared with: the worst of the days it would replace, the part it would replace, earlier readings */
  against: { day: string; further: number } | { part: string } | { readings: number };
  before: Counts;
  now: Counts;
}

/** Losing more than a fifth is a drop; losing exactly a fifth is accepted. */
const MOST_LOST = 0.2;

/** Each kind of the reading before and now; what only others have is not its to lose. */
const compared = (before: Counts, now: Counts): { kind: string; had: number; has: number }[] =>
  Object.entries(now).map(([kind, has]) => ({ kind, had: before[kind] ?? 0, has }));

const isDrop = (before: Counts, now: Counts): boolean =>
  // Compared as whole numbers: 0.8 of 5 is a little more than 4 in binary.
  compared(before, now).some(({ had, has }) => (had - has) * 100 > had * (MOST_LOST * 100));

/** The largest share that is lost of any kind. */
const lost = (before: Counts, now: Counts): number =>
  Math.max(...compared(before, now).map(({ had, has }) => (had === 0 ? 0 : 1 - has / had)));

/**
 * The drop of the replaced day that loses the largest share. Each day is judged separately, so that one bad day of a
 * hundred is not hidden in a sum.
 */
export function dropOfDays(
  days: readonly { day: string; counts: Counts }[],
  nowOn: (day: string) => Counts,
): CoverageDrop | null {
  const drops = days
    .map(({ day, counts }) => ({ day, before: counts, now: nowOn(day) }))
    .filter(({ before, now }) => isDrop(before, now))
    .toSorted((a, b) => lost(b.before, b.now) - lost(a.before, a.now));
  const [worst] = drops;
  if (worst === undefined) return null;
  const { day, before, now } = worst;
  return { against: { day, further: drops.length - 1 }, before, now };
}

/** The drop from the part of the source that is replaced as a whole. */
export const dropOfPart = (part: string, before: Counts, now: Counts): CoverageDrop | null =>
  isDrop(before, now) ? { against: { part }, before, now } : null;

/** An earlier reading that is still in force. */
export interface EarlierCoverage {
  counts: Counts;
  drop_accepted: boolean;
}

/**
 * The drop from the medians of earlier readings, given newest first; those older than the last accepted drop do not
 * count. `median` is that of figures, which the platform does not import.
 */
export function dropOfReadings(
  earlier: readonly EarlierCoverage[],
  now: Counts,
  median: (values: readonly number[]) => number,
): CoverageDrop | null {
  const accepted = earlier.findIndex(({ drop_accepted }) => drop_accepted);
  const counted = accepted === -1 ? earlier : earlier.slice(0, accepted + 1);
  if (counted.length === 0) return null;
  const before = Object.fromEntries(
    Object.keys(now).map((kind) => [kind, median(counted.map(({ counts }) => counts[kind] ?? 0))]),
  );
  return isDrop(before, now) ? { against: { readings: counted.length }, before, now } : null;
}

/** Why nothing of the reading is kept, and what to do about it. */
export const refusalOf = (drop: CoverageDrop): string =>
  `would drop more than ${MOST_LOST * 100} % of ${describeDrop(drop)}. Nothing of it is kept. ${remedyOf(drop)}`;

/** What the reading is compared with, and the counts before and now. */
export const describeDrop = ({ against, before, now }: CoverageDrop): string =>
  `${named(against)}: ${compared(before, now)
    .flatMap(({ kind, had, has }) => (had + has > 0 ? [`${kind} ${had} -> ${has}`] : []))
    .join(', ')}`;

const ACCEPT = 'If the source did shrink, add --accept-coverage-drop';
const remedyOf = ({ against }: CoverageDrop): string =>
  'part' in against
    ? `${ACCEPT}; if the file is only a part of it, load the whole.`
    : `${ACCEPT}; if the file is only a part of it, give it its own name or --provider, so that it is kept alongside the rest.`;

function named(against: CoverageDrop['against']): string {
  if ('part' in against) return `what stands of ${against.part}`;
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
