const written = [/(?<!\d)(20\d\d)-(\d\d)-(\d\d)(?!\d)/g, /(?<!\d)(20\d\d)(\d\d)(\d\d)(?!\d)/g];

/**
 * The day that a path or URL names, at 00:00 UTC: YYYY-MM-DD, or YYYYMMDD as catalogue runs are numbered. Of several the
 * last, which is nearest to the file's own name. Null: none. A query of a URL is not looked at.
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

/** Null: the calendar has no such day. */
function calendarDay(year: number, month: number, day: number): Date | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date : null;
}
