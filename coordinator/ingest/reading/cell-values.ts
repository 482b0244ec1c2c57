/** How sources write a missing value. */
const none = new Set(['', '-', '–', '—', 'N/A', 'n/a', 'NA', 'nan', 'NaN', 'None', 'null']);
const grouped = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const plain = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * A number as written in a cell or JSON field: `40.97`, `$2,918`, `1e-05`, 3. Null if the source marks it as missing
 * (empty, a dash); NaN for anything else, including `1,5` with a decimal comma.
 */
export function amountIn(value: string | number | null | undefined): number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return value;
  // Nearly every cell is empty, one digit or a plain number.
  if (value === '') return null;
  if (value.length === 1 && value >= '0' && value <= '9') return Number(value);
  if (plain.test(value)) return Number(value);
  const text = value.trim();
  if (none.has(text)) return null;
  const bare = text.startsWith('$') ? text.slice(1).trimStart() : text.replace(/^-\s*\$\s*/, '-');
  if (plain.test(bare)) return Number(bare);
  return grouped.test(bare) ? Number(bare.replaceAll(',', '')) : NaN;
}

const shape = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * The instant of `2026-10-10`, `2026-10-10T12:33:53+00:00`, `2024-03-11 01:28`; UTC if there is no zone. Anything else,
 * including 30 February, is an invalid Date, which `judgeListing` refuses.
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

/** `utcTime` for columns that repeat a text over many rows: it is parsed only when it changes. */
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
