export type ArchiveInterval = 'day' | 'month' | 'quarter' | 'year';

/** A range of whole days, both ends included, with its name in archive files. */
export interface Period {
  interval: ArchiveInterval;
  /** 2026-08-21, 2026-08, 2026-Q3, 2026 */
  name: string;
  firstDay: string;
  lastDay: string;
}

const MONTHS: Record<ArchiveInterval, number> = { day: 0, month: 1, quarter: 3, year: 12 };

/** The periods of an interval that contain at least one of these days, in order. */
export function periodsOf(interval: ArchiveInterval, days: readonly string[]): Period[] {
  const periods = new Map(days.map((day) => periodOf(interval, day)).map((period) => [period.name, period]));
  return [...periods.values()].toSorted((a, b) => a.firstDay.localeCompare(b.firstDay));
}

/** The period that contains a day. */
export function periodOf(interval: ArchiveInterval, day: string): Period {
  const [year = 0, month = 1] = day.split('-').map(Number);
  if (interval === 'day') return { interval, name: day, firstDay: day, lastDay: day };
  const length = MONTHS[interval];
  const first = Math.floor((month - 1) / length) * length;
  const date = (at: number, dayOfMonth: number): string =>
    new Date(Date.UTC(year, at, dayOfMonth)).toISOString().slice(0, 10);
  const firstDay = date(first, 1);
  const names = {
    month: firstDay.slice(0, 7),
    quarter: `${year}-Q${first / 3 + 1}`,
    year: String(year).padStart(4, '0'),
  };
  return { interval, name: names[interval], firstDay, lastDay: date(first + length, 0) };
}

export interface AskedPeriods {
  /** periods by their own names */
  names: string[];
  /** ranges of days: periods within them */
  ranges: { from: string; to: string }[];
}

/** Parses periods as written in filters, '2026-08' or '2026/08/01-2026/08/31'; a file matches any of them. Null: all files. */
export function askedPeriods(written: readonly string[]): AskedPeriods | null {
  if (written.length === 0) return null;
  const [ranges, names] = [written.filter(isRange), written.filter((text) => !isRange(text))];
  return {
    names,
    ranges: ranges.map((text) => {
      const [from = '', to = ''] = text.split('-').map((day) => day.replaceAll('/', '-'));
      return { from, to };
    }),
  };
}

const isRange = (text: string): boolean => text.includes('/');
