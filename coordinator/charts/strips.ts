import { round, roundStep, svgOf, text } from './svg-parts.ts';

interface StripMark {
  /** as a share: 0.02 is 2 % above what the axis counts from */
  at: number;
  /** whiskers, likewise */
  low?: number;
  high?: number;
  /** what stands beside the mark; a mark with a sign is a diamond, one without a dot */
  sign: string;
}

export interface Strip {
  label: string;
  /** the numbers behind it, at its end */
  note: string;
  /** where the middle of others lies, as shares */
  band?: { low: number; high: number };
  marks: readonly StripMark[];
}

interface Options {
  width: number;
  /** what the shares are of */
  axis: string;
  /** each mark on a line of its own */
  isStacked?: boolean;
}

const LINE = 14;
const AXIS = 34;
const LEFT = 150;
const RIGHT = 210;

/** One strip per figure, all on one axis of percent, so that figures of different units stand beside each other. */
export function strips(rows: readonly Strip[], { width, axis, isStacked = false }: Options): string {
  const isNarrow = width < 500;
  const [left, right] = isNarrow ? [12, width - 12] : [LEFT, width - RIGHT];
  const values = rows.flatMap(({ marks, band }) => [
    ...marks.flatMap(({ at, low, high }) => [at, low ?? at, high ?? at]),
    ...(band === undefined ? [] : [band.low, band.high]),
  ]);
  const [least, most] = [Math.min(-0.01, ...values), Math.max(0.01, ...values)];
  const { step, digits } = roundStep(((most - least) * 100) / (isNarrow ? 4 : 7));
  const [first, last] = [Math.floor((least * 100) / step), Math.ceil((most * 100) / step)];
  const x = (share: number): number => left + ((share * 100 - first * step) / ((last - first) * step)) * (right - left);
  const parts: string[] = [];
  let y = 6;
  for (const row of rows) {
    const lines = isStacked ? row.marks.length : 1;
    if (isNarrow) {
      parts.push(text(4, y + 11, `${row.label}: ${row.note}`, 'start', 'tx'));
      y += 20;
    } else {
      parts.push(text(4, y + (lines * LINE) / 2 + 4, row.label, 'start', 'tx'));
      parts.push(text(right + 12, y + (lines * LINE) / 2 + 4, row.note, 'start', 'ax'));
    }
    if (row.band !== undefined)
      parts.push(
        `<rect class="band" x="${round(x(row.band.low))}" y="${y}" width="${round(Math.max(2, x(row.band.high) - x(row.band.low)))}" height="${LINE}"/>`,
      );
    for (const [at, mark] of row.marks.entries())
      parts.push(...drawn(mark, x, y + (isStacked ? at : 0) * LINE + LINE / 2));
    y += lines * LINE + 10;
  }
  const grid = Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
  const under = grid.map(
    (percent) =>
      `<line class="${percent === 0 ? 'zero' : 'grid'}" x1="${round(x(percent / 100))}" x2="${round(x(percent / 100))}" y1="4" y2="${y - 4}"/>`,
  );
  const over = grid.map((percent) =>
    text(x(percent / 100), y + 8, `${percent > 0 ? '+' : ''}${percent.toFixed(digits)}`, 'middle', 'ax'),
  );
  return svgOf(width, y + AXIS, [...under, ...parts, ...over, text((left + right) / 2, y + 26, axis, 'middle', 'ax')]);
}

function drawn({ at, low, high, sign }: StripMark, x: (share: number) => number, y: number): string[] {
  const whisker =
    low === undefined || high === undefined
      ? []
      : [`<line class="whisker" x1="${round(x(low))}" x2="${round(x(high))}" y1="${round(y)}" y2="${round(y)}"/>`];
  const [cx, cy] = [round(x(at)), round(y)];
  if (sign === '') return [...whisker, `<circle class="d1" cx="${cx}" cy="${cy}" r="3.5"/>`];
  return [
    ...whisker,
    `<path class="d2" d="M${cx} ${round(y - 5)}l5 5-5 5-5-5Z"/>`,
    text(x(high ?? at) + 7, y + 4, sign, 'start', 'tx'),
  ];
}
