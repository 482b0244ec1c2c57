const shape = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * `2026-10-10`, `2026-10-10T12:33:53+00:00`, `2024-03-11 01:28`: an instant; without a zone in UTC. Anything else, the
 * 30th of February too, is an invalid Date, which `judgeListing` refuses.
 */
export function utcTime(text: string): Date {
  const match = shape.exec(text);
  if (match === null) return new Date(NaN);
  const [, year, month, day, zone] = match;
  if (Number(day) > daysIn(Number(year), Number(month))) return new Date(NaN);
  if (text.length === 10) return new Date(text);
  const iso = `${text.replace(' ', 'T')}${zone === undefined ? 'Z' : ''}`;
  return new Date(iso.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
}

/** The same for columns in which a text stands many times in a row: only a change is parsed. */
export function rememberingUtcTime(): (text: string) => Date {
  let last = '';
  let time = new Date(NaN);
  return (text) => {
    if (text !== last) {
      last = text;
      time = utcTime(text);
    }
    return time;
  };
}

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();
