import { round, roundStep, svgOf, takeLine, text, widthOf, type Span } from './svg-parts.ts';

interface StripMark {
  /** as a fraction: 0.02 is 2 % above the axis origin */
  at: number;
  /** ends of the whiskers, as fractions */
  low?: number;
  high?: number;
  /** label beside the mark; a mark with a label is a diamond, one without is a dot */
  sign: string;
}

export interface Strip {
  label: string;
  /** the underlying numbers, at the end of the strip */
  note: string;
  /** middle range of other customers or of its own samples, as fractions */
  band?: { low: number; high: number };
  marks: readonly StripMark[];
}

interface Options {
  width: number;
  /** title of the axis, which names the base of the fractions */
  axis: string;
  /** one line per mark */
  isStacked?: boolean;
  /** fraction that the axis reaches at least to either side: small differences must not look large */
  reach?: number;
}

const LINE = 14;
const GAP = 10;
const AXIS = 34;
/** Dots of one row that fit on one line. */
const MOST_IN_LINE = 12;
/** Diamonds of one row that are named: the furthest from zero. The others are in the table below the chart. */
const MOST_NAMED = 3;
/** Half the width of a number such as -10.5 at the end of the axis. */
const HALF_NUMBER = 18;

/** One strip per figure, all on one percent axis so that figures with different units can be compared. */
export function strips(rows: readonly Strip[], { width, axis, isStacked = false, reach = 0.01 }: Options): string {
  const isNarrow = width < 500;
  const [left, right] = isNarrow
    ? [HALF_NUMBER, width - HALF_NUMBER]
    : [roomFor(rows.map(({ label }) => label)), width - roomFor(rows.map(({ note }) => note))];
  const values = rows.flatMap(({ marks, band }) => [
    ...marks.flatMap(({ at, low, high }) => [at, low ?? at, high ?? at]),
    ...(band === undefined ? [] : [band.low, band.high]),
  ]);
  const [least, most] = [Math.min(-reach, ...values), Math.max(reach, ...values)];
  const { step, digits } = roundStep(((most - least) * 100) / (isNarrow ? 4 : 7));
  const [first, last] = [Math.floor((least * 100) / step), Math.ceil((most * 100) / step)];
  const x = (share: number): number => left + ((share * 100 - first * step) / ((last - first) * step)) * (right - left);
  const parts: string[] = [];
  let y = 6;
  for (const row of rows) {
    const placed = isStacked ? stacked(row.marks) : inOneRow(row.marks, x, right);
    const height = LINE * Math.max(1, ...placed.map(({ depth }) => 1 + Math.floor(depth / LINE)));
    if (isNarrow) {
      parts.push(text(4, y + 11, `${row.label}: ${row.note}`, 'start', 'tx'));
      y += 20;
    } else {
      parts.push(text(4, y + height / 2 + 4, row.label, 'start', 'tx'));
      parts.push(text(right + 12, y + height / 2 + 4, row.note, 'start', 'ax'));
    }
    if (row.band !== undefined)
      parts.push(
        `<rect class="band" x="${round(x(row.band.low))}" y="${y}" width="${round(Math.max(2, x(row.band.high) - x(row.band.low)))}" height="${height}"/>`,
      );
    parts.push(...placed.flatMap((one) => drawn(one, x, y)));
    y += height + GAP;
  }
  const grid = Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
  const under = grid.map(
    (percent) =>
      `<line class="${percent === 0 ? 'zero' : 'grid'}" x1="${round(x(percent / 100))}" x2="${round(x(percent / 100))}" y1="4" y2="${y - 4}"/>`,
  );
  const over = grid.map((percent) =>
    text(
      x(percent / 100),
      y + 8,
      percent === 0 ? '0' : `${percent > 0 ? '+' : ''}${percent.toFixed(digits)}`,
      'middle',
      'ax',
    ),
  );
  return svgOf(width, y + AXIS, [...under, ...parts, ...over, text((left + right) / 2, y + 26, axis, 'middle', 'ax')]);
}

/** Width of the labels at either side of the strips; limited so that they never take most of the chart. */
const roomFor = (words: readonly string[]): number =>
  Math.min(240, Math.max(80, ...words.map((one) => widthOf(one) + 16)));

interface Placed {
  mark: StripMark;
  /** distance from the top of the row to the centre of the mark */
  depth: number;
  radius: number;
  /** text anchor of its label, or null if it has none */
  sign: 'start' | 'end' | null;
}

const stacked = (marks: readonly StripMark[]): Placed[] =>
  marks.map((mark, at) => ({
    mark,
    depth: at * LINE + LINE / 2,
    radius: 3.5,
    sign: mark.sign === '' ? null : 'start',
  }));

/** Dots around the centre of the row, and each named diamond on the first line where its name overlaps nothing. */
function inOneRow(marks: readonly StripMark[], x: (share: number) => number, right: number): Placed[] {
  const odd = marks
    .filter(({ sign }) => sign !== '')
    .toSorted((a, b) => Math.abs(b.at) - Math.abs(a.at) || (a.sign < b.sign ? -1 : 1));
  const named = odd.slice(0, MOST_NAMED);
  const others = [...marks.filter(({ sign }) => sign === ''), ...odd.slice(MOST_NAMED)];
  const isCrowded = others.length > MOST_IN_LINE;
  const [depth, radius] = isCrowded ? [LINE, 2] : [LINE / 2, 3.5];
  const reach = others.length > 3 ? 2 * (depth - radius - 0.5) : 0;
  const taken = others.map(({ at, low, high }): Span => [x(low ?? at) - 6, x(high ?? at) + 6]);
  const lines: Span[][] = isCrowded ? [[...taken], [...taken]] : [taken];
  return [
    ...others.map((mark, at): Placed => ({ mark, depth: depth + reach * jitter(at), radius, sign: null })),
    ...named.map((mark): Placed => {
      const [from, to] = [x(mark.low ?? mark.at), x(mark.high ?? mark.at)];
      const room = widthOf(mark.sign) + 12;
      const isLeft = to + room > right;
      const line = takeLine(lines, isLeft ? [from - room, to + 6] : [from - 6, to + room]);
      return { mark, depth: line * LINE + LINE / 2, radius, sign: isLeft ? 'end' : 'start' };
    }),
  ];
}

/** From -0.5 to 0.5 in a fixed pattern, not random: equal figures must give equal pictures. */
const jitter = (position: number): number => ((position * 7) % 13) / 12 - 0.5;

function drawn({ mark, depth, radius, sign }: Placed, x: (share: number) => number, top: number): string[] {
  const { at, low, high } = mark;
  const y = top + depth;
  const whisker =
    low === undefined || high === undefined
      ? []
      : [`<line class="whisker" x1="${round(x(low))}" x2="${round(x(high))}" y1="${round(y)}" y2="${round(y)}"/>`];
  const [cx, cy] = [round(x(at)), round(y)];
  if (mark.sign === '') return [...whisker, `<circle class="d1" cx="${cx}" cy="${cy}" r="${radius}"/>`];
  const diamond = `<path class="d2" d="M${cx} ${round(y - 5)}l5 5-5 5-5-5Z"/>`;
  if (sign === null) return [...whisker, diamond];
  const beside = sign === 'start' ? x(high ?? at) + 7 : x(low ?? at) - 7;
  return [...whisker, diamond, text(beside, y + 4, mark.sign, sign, 'tx')];
}
