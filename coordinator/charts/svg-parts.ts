// Chart elements that use only presentation attributes and classes, so that they work under a CSP without inline
// styles.

/**
 * Pages show one of two widths depending on the screen width, so that text keeps its size; printed, 12 px at the paper
 * width are 8.3 points between the margins.
 */
export const chartWidths = { wide: 980, narrow: 358, paper: 720 } as const;

/** The number of lines that can be distinguished by colour, dash and marker. */
export const MOST_LINES = 4;

interface Scale {
  low: number;
  high: number;
  ticks: number[];
  digits: number;
}

/** Round steps around the values; the axis starts at 0 unless the values are close together and far from it. */
export function scaleOf(values: readonly number[], steps = 4): Scale {
  const least = Math.min(...values);
  const most = Math.max(...values);
  if (values.length === 0 || most <= 0) return { low: 0, high: 1, ticks: [0, 1], digits: 0 };
  const base = least > most * 0.6 ? least - (most - least || most * 0.1) * 0.5 : 0;
  const { step, digits } = roundStep((most - base) / steps);
  const low = Math.max(0, Math.floor(base / step) * step);
  const count = Math.ceil((most - low) / step);
  const ticks = Array.from({ length: count + 1 }, (_, at) => low + at * step);
  return { low, high: low + count * step, ticks, digits };
}

/** The next of 1, 2, 2.5, 5 times a power of ten, and the number of decimals its multiples need. */
export function roundStep(rough: number): { step: number; digits: number } {
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const digits = Math.max(0, Math.ceil(-Math.log10(step)) + ((step / power).toString().startsWith('2.5') ? 1 : 0));
  return { step, digits };
}

export const text = (x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end', kind: string): string =>
  `<text class="${kind}" x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escaped(words)}</text>`;

/** The `d` attribute of a path through these points. */
export const pathOf = (points: readonly (readonly [number, number])[]): string =>
  `M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')}`;

/** A horizontal grid line with its number. */
export const gridLine = (words: string, y: number, { left, right }: { left: number; right: number }): string =>
  `<line class="grid" x1="${left}" x2="${right}" y1="${round(y)}" y2="${round(y)}"/>${text(left - 6, y + 4, words, 'end', 'ax')}`;

/** Approximate width of 12 px text in a common font; the text is not measured. */
export const widthOf = (words: string): number => words.length * 6.8;

export type Span = readonly [from: number, to: number];

/** The first line with no overlap at this stretch, which it then occupies. */
export function takeLine(lines: Span[][], [from, to]: Span): number {
  const free = lines.findIndex((taken) => taken.every(([start, end]) => end < from || start > to));
  const at = free === -1 ? lines.length : free;
  (lines[at] ??= []).push([from, to]);
  return at;
}

export const svgOf = (width: number, height: number, parts: readonly string[]): string =>
  `<svg viewBox="0 0 ${width} ${height}" xmlns="http://www.w3.org/2000/svg" aria-hidden="true">${parts.join('')}</svg>`;

export const round = (value: number): number => Math.round(value * 10) / 10;

export const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
