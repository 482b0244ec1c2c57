// Pieces of charts that are drawn with presentation attributes and classes alone, so that a policy without inline style shows them.

/**
 * Pages show one of two widths by the width of the screen, so that text keeps its size; on paper 12 px of this width are 8.3
 * points between the margins.
 */
export const chartWidths = { wide: 980, narrow: 358, paper: 720 } as const;

/** Lines that can be told apart by colour, dash and marker. */
export const MOST_LINES = 4;

interface Scale {
  low: number;
  high: number;
  ticks: number[];
  digits: number;
}

/** Round steps about the values; from 0 unless they lie close together far from it. */
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

/** The next of 1, 2, 2.5, 5 times a power of ten, and the digits that its multiples need. */
export function roundStep(rough: number): { step: number; digits: number } {
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const digits = Math.max(0, Math.ceil(-Math.log10(step)) + ((step / power).toString().startsWith('2.5') ? 1 : 0));
  return { step, digits };
}

export const text = (x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end', kind: string): string =>
  `<text class="${kind}" x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escaped(words)}</text>`;

/** `d` of a path through these points. */
export const pathOf = (points: readonly (readonly [number, number])[]): string =>
  `M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')}`;

/** A horizontal line of the grid with its number. */
export const gridLine = (words: string, y: number, { left, right }: { left: number; right: number }): string =>
  `<line class="grid" x1="${left}" x2="${right}" y1="${round(y)}" y2="${round(y)}"/>${text(left - 6, y + 4, words, 'end', 'ax')}`;

/** About how wide words of 12 px are in a usual font: they are not measured. */
export const widthOf = (words: string): number => words.length * 6.8;

export type Span = readonly [from: number, to: number];

/** The first line on which this stretch meets no other; it is taken there from then on. */
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
