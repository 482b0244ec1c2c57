import { endLabels, type Point } from './end-labels.ts';
import { gridLine, MOST_LINES, pathOf, round, roundStep, scaleOf, svgOf, text } from './svg-parts.ts';

interface MonthLine {
  name: string;
  points: readonly { month: number; value: number }[];
}

/** A data point of a line; its shape shows the source. */
export interface MonthKnot {
  month: number;
  value: number;
  shape: 'filled' | 'hollow' | 'triangle';
}

interface Options {
  unit: string;
  width: number;
  knots?: readonly MonthKnot[];
  /** a month to highlight, with its range of uncertainty */
  mark?: { month: number; words: string; from: number; to: number } | null;
}

const HEIGHT = 260;
const PAD = { left: 56, right: 18, top: 30, bottom: 42 } as const;

/** Values by months from now; both axes start at 0. */
export function monthLines(lines: readonly MonthLine[], { unit, width, knots = [], mark = null }: Options): string {
  const shown = lines.slice(0, MOST_LINES);
  const all = [...shown.flatMap(({ points }) => points), ...knots];
  const last = Math.max(1, ...all.map(({ month }) => month));
  const { low, high, ticks, digits } = scaleOf([0, ...all.map(({ value }) => value)]);
  const right = width - PAD.right;
  const x = (month: number): number => PAD.left + (month / last) * (right - PAD.left);
  const y = (value: number): number =>
    HEIGHT - PAD.bottom - ((value - low) / (high - low)) * (HEIGHT - PAD.top - PAD.bottom);
  const drawn = shown.map(({ name, points }, at) => ({
    name,
    number: at + 1,
    points: points.map(({ month, value }): Point => [x(month), y(value)]),
  }));
  const step = roundMonths(last / (width < 500 ? 4 : 12));
  const months = Array.from({ length: Math.floor(last / step) + 1 }, (_, at) => at * step);
  const parts = [
    ...(mark === null ? [] : markOf(mark, x)),
    ...ticks.map((tick) =>
      gridLine(tick.toLocaleString('en', { minimumFractionDigits: digits }), y(tick), { left: PAD.left, right }),
    ),
    ...months.map((month) => text(x(month), HEIGHT - 24, String(month), 'middle', 'ax')),
    text((PAD.left + right) / 2, HEIGHT - 6, 'months from now', 'middle', 'ax'),
    text(4, 14, unit, 'start', 'ax'),
    ...drawn.map(({ points, number }) => `<path class="s${number}" d="${pathOf(points)}"/>`),
    ...knots.map((knot) => knotOf(knot, x(knot.month), y(knot.value))),
    ...endLabels(
      drawn,
      { left: PAD.left, top: PAD.top, bottom: HEIGHT - PAD.bottom },
      knots.map(({ month, value }) => [x(month), y(value)]),
    ),
  ];
  return svgOf(width, HEIGHT, parts);
}

/** Whole months, quarters, half-years or years. */
const roundMonths = (rough: number): number => [1, 3, 6, 12].find((step) => step >= rough) ?? roundStep(rough).step;

function knotOf({ shape }: MonthKnot, x: number, y: number): string {
  if (shape === 'triangle') return `<path class="d1" d="M${round(x)} ${round(y - 5)}l5 9h-10Z"/>`;
  return `<circle class="${shape === 'hollow' ? 'o1' : 'd1'}" cx="${round(x)}" cy="${round(y)}" r="4"/>`;
}

function markOf({ month, words, from, to }: NonNullable<Options['mark']>, x: (month: number) => number): string[] {
  const isRight = x(month) > PAD.left + 140;
  return [
    `<rect class="band" x="${round(x(from))}" y="${PAD.top}" width="${round(Math.max(1, x(to) - x(from)))}" height="${HEIGHT - PAD.top - PAD.bottom}"/>`,
    `<line class="mark" x1="${round(x(month))}" x2="${round(x(month))}" y1="${PAD.top}" y2="${HEIGHT - PAD.bottom}"/>`,
    text(x(month) + (isRight ? -5 : 5), PAD.top + 14, words, isRight ? 'end' : 'start', 'tx'),
  ];
}
