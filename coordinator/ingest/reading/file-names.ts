import { basename } from 'node:path';

const written = [/(?<!\d)(20\d\d)-(\d\d)-(\d\d)(?!\d)/g, /(?<!\d)(20\d\d)(\d\d)(\d\d)(?!\d)/g];

/**
 * The day that a path or URL names, at 00:00 UTC: YYYY-MM-DD, or YYYYMMDD as catalogue runs are numbered. If there are
 * several, the last, which is nearest to the file's own name. Null if there is none. A URL's query is ignored.
 */
export function dateInName(name: string): Date | null {
  const path = name.replace(/^(https?:\/\/[^?#]*).*$/i, '$1');
  let found: { at: number; day: Date } | null = null;
  for (const pattern of written) {
    for (const match of path.matchAll(pattern)) {
      const day = calendarDay(Number(match[1]), Number(match[2]), Number(match[3]));
      if (day !== null && (found === null || match.index > found.at)) found = { at: match.index, day };
    }
  }
  return found?.day ?? null;
}

/** Throws if the day that an operator or a file's name states has not begun: it would become the newest day there is. */
export function refuseTomorrow(place: string, day: Date, now: Date): void {
  if (day.getTime() <= now.getTime()) return;
  const [said, today] = [day, now].map((time) => time.toISOString().slice(0, 10));
  throw new Error(
    `${place}: is for ${said}, a day in the future (today is ${today} in UTC). If the date in its name is wrong, state its day with --as-of.`,
  );
}

/** Null if there is no such calendar day. */
function calendarDay(year: number, month: number, day: number): Date | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date : null;
}

/**
 * The provider that a path or URL names, out of those that the format knows: the first word of the file's own name
 * (`aws.vms.csv`), else of up to `folders` folders above it, innermost first (`v8/aws/vms.csv`). Null if there is none.
 */
export function providerInName(name: string, known: ReadonlySet<string>, folders: number): string | null {
  const parts = name
    .replace(/[?#].*$/, '')
    .split(/[/\\]/)
    .toReversed();
  for (const part of parts.slice(0, folders + 1)) {
    const word = (part.split('.')[0] ?? '').toLowerCase();
    if (known.has(word)) return word;
  }
  return null;
}

const DATED = /[._-]?\d{4}-?\d{2}-?\d{2}[._-]?/;
const ENDINGS = /(\.(csv|json|jsonl|zip|gz|html))+$/i;

/**
 * Which part of its source a file is: its provider, else its name without date and extension. The next file of the same part
 * and day replaces it. `video-card.2023-07-05.json.gz` and `video-card.2025-07-23.csv.gz` are both `video-card`.
 */
export function scopeOf(name: string, provider: string | null): string {
  if (provider !== null) return provider.toLowerCase();
  const path = name.replace(/[?#].*$/, '');
  return basename(path).replace(ENDINGS, '').replace(DATED, '').slice(0, 120) || 'all';
}

/** The file's name if it was packed in an archive, else null. */
export const fileIn = (origin: string, { name }: { name: string }): string | null => (name === origin ? null : name);
