import { NO_DATA } from '../contract/index-dates.ts';
import { DomainError, invalidField } from './errors.ts';

const DATE_RANGE = 10008;
const DAY_MS = 86_400_000;

interface IndexDates {
  first: string;
  last: string;
}

/**
 * The requested days, both ends included. Throws `validation` of the field for a day before the index begins or in the
 * future, 10008 for a start after the end.
 */
export function readIndexDates(
  {
    starting_date,
    ending_date,
  }: { starting_date?: string | null | undefined; ending_date?: string | null | undefined },
  { now, earliest }: { now: Date; earliest: string },
): IndexDates {
  const today = now.toISOString().slice(0, 10);
  const first = starting_date ?? today;
  const last = ending_date ?? today;
  for (const [field, day] of [
    ['starting_date', first],
    ['ending_date', last],
  ] as const) {
    if (day < earliest) throw invalidField(field, `${day} must not be before ${earliest}, where the index begins`);
    if (day > today) throw invalidField(field, `${day} must not be in the future (today is ${today})`);
  }
  if (first > last) {
    const unsaid = starting_date == null ? '; it is today unless given' : '';
    const message = `starting_date ${first} must not be after ending_date ${last}${unsaid}`;
    throw new DomainError('validation', message, { code: DATE_RANGE });
  }
  return { first, last };
}

/** Every day of the range with its value as text with four decimals, or NO_DATA. */
export function indexByDay(
  { first, last }: IndexDates,
  valueOf: (day: string) => string | undefined,
): Record<string, string> {
  const days: Record<string, string> = {};
  for (let time = Date.parse(first); time <= Date.parse(last); time += DAY_MS) {
    const day = new Date(time).toISOString().slice(0, 10);
    days[day] = valueOf(day) ?? NO_DATA;
  }
  return days;
}
