import type { Figure, IndexDayRow, Restatement } from '../queries/index-days.ts';

const DAY_MS = 86_400_000;
/** A day takes late data until the end of the seventh day after it. */
const OPEN_DAYS = 7;
/** A day that is loaded later than that takes data until its value has been unchanged for a day. */
const SETTLING_MS = DAY_MS;

const closesAt = (day: string): number => Date.parse(day) + (OPEN_DAYS + 1) * DAY_MS;

/** The value was computed while the day was open, so that a caller who asked in time has seen it. */
const wasInTime = ({ day, computed_at }: IndexDayRow): boolean => computed_at.getTime() < closesAt(day);

/**
 * Whether a day's value may no longer change. A day whose value came in time is frozen when the seven days are over. A day of
 * history, loaded afterwards, is frozen once its value has been unchanged for 24 hours: the files of one load may come in any
 * order, and each may complete the day of another.
 */
export function isFrozen(row: IndexDayRow, now: Date): boolean {
  if (row.status === 'missing') return false;
  if (row.status === 'frozen') return true;
  return now.getTime() >= (wasInTime(row) ? closesAt(row.day) : row.computed_at.getTime() + SETTLING_MS);
}

interface Derived {
  token: string;
  version: string;
  figures: readonly Figure[];
  /** days whose frozen figure is computed again; `cause` is the operator's reason then */
  restated: ReadonlySet<string>;
}

/** The rows to write for newly derived figures, and the changes that they make to published ones. */
export function settle(
  stored: ReadonlyMap<string, IndexDayRow>,
  { token, version, figures, restated }: Derived,
  { now, cause }: { now: Date; cause: string },
): { rows: IndexDayRow[]; restatements: Restatement[] } {
  const rows: IndexDayRow[] = [];
  const restatements: Restatement[] = [];
  for (const figure of figures) {
    const before = stored.get(figure.day);
    const frozen = before !== undefined && isFrozen(before, now);
    if (frozen && !restated.has(figure.day)) {
      if (before.status !== 'frozen') rows.push({ ...before, status: 'frozen' });
      continue;
    }
    const same = before !== undefined && before.value === figure.value;
    const status = figure.value === null ? 'missing' : frozen ? 'frozen' : 'provisional';
    const row = { ...figure, token, version, status, computed_at: same ? before.computed_at : now } as const;
    if (!same || isOtherwise(before, row)) rows.push(row);
    const wasPublished = before !== undefined && before.value !== null && (frozen || wasInTime(before));
    if (same || !wasPublished) continue;
    const change = { from_value: before.value, to_value: figure.value };
    restatements.push({ token, version, day: figure.day, restated_at: now, ...change, reason: cause });
  }
  return { rows, restatements };
}

const isOtherwise = (a: IndexDayRow, b: IndexDayRow): boolean =>
  a.coverage !== b.coverage ||
  a.models !== b.models ||
  a.tokens !== b.tokens ||
  a.reason !== b.reason ||
  a.status !== b.status;
