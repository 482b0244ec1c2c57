/** Four significant digits, grouped by commas: 0.1611, 45.07, 698.2, 2,571. Dash for null. */
export function printNumber(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size < 0.0001 || size >= 1e9) return value.toExponential(3);
  // Decimals that give four significant digits.
  const decimals = Math.max(0, 3 - Math.floor(Math.log10(size)));
  return formatOf(decimals).format(value);
}

/** A figure in its unit: what is counted has no decimals. */
export const printFigure = ({ counted }: { counted?: boolean }, value: number | null | undefined): string =>
  counted === true && value != null ? printInteger(Math.round(value)) : printNumber(value);

/** By number of decimals, eight at most: creating a formatter takes longer than formatting a hundred numbers. */
const formats = new Map<number, Intl.NumberFormat>();

function formatOf(decimals: number): Intl.NumberFormat {
  const known = formats.get(decimals);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: 'always',
  });
  formats.set(decimals, made);
  return made;
}

/** Keeps a number and its unit on one line. */
const NO_BREAK = '\u00A0';

/** A share as percent: 0.0467 -> "4.7 %". */
export const printPercent = (share: number | null | undefined): string =>
  share === null || share === undefined || !Number.isFinite(share) ? '–' : `${(share * 100).toFixed(1)}${NO_BREAK}%`;

/** A deviation as percent with its sign: -0.072 -> "−7.2 %". */
export function printDeviation(share: number): string {
  const text = (Math.abs(share) * 100).toFixed(1);
  return `${share < 0 ? '−' : '+'}${text}${NO_BREAK}%`;
}

/** Bytes in decimal units, like the speeds: 25276510208 -> "25.28 GB". */
export function printBytes(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) return '–';
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${printNumber(bytes / 1000 ** step)}${NO_BREAK}${units[step] ?? 'B'}`;
}

/** "2026-11-21 11:43:12 UTC" */
export const printInstant = (instant: string | null): string =>
  instant === null ? '–' : `${new Date(instant).toISOString().slice(0, 19).replace('T', NO_BREAK)}${NO_BREAK}UTC`;

/** 2032 -> "2,032" */
export const printInteger = (count: number): string => count.toLocaleString('en-US');

/** "1 node", "3 nodes" */
export const printCount = (count: number, noun: string): string =>
  `${printInteger(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Seconds between two instants as "19.4 s" or "3 min 20 s"; null if one is missing. */
export function printDuration(from: string | null, to: string | null): string | null {
  if (from === null || to === null) return null;
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000;
  if (!Number.isFinite(seconds) || seconds < 0) return null;
  if (seconds < 60) return `${seconds.toFixed(1)}${NO_BREAK}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}${NO_BREAK}min${NO_BREAK}${Math.floor(seconds % 60)}${NO_BREAK}s`
    : `${Math.floor(minutes / 60)}${NO_BREAK}h${NO_BREAK}${minutes % 60}${NO_BREAK}min`;
}
