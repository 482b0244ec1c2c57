import { endLabels, type Point } from './end-labels.ts';
import { gridLine, MOST_LINES, pathOf, round, scaleOf, svgOf, text, widthOf } from './svg-parts.ts';

/** The value of one day; days without a value are left out. */
interface DayPoint {
  /** YYYY-MM-DD */
  day: string;
  value: number;
  /** range of its samples or votes */
  low?: number;
  high?: number;
}

/** An event on a day, such as a driver change. */
interface DayMark {
  day: string;
  words: string;
}

interface DayLine {
  name: string;
  points: readonly DayPoint[];
}

const HEIGHT = 240;
const PAD = { left: 56, right: 14, top: 30, bottom: 30 } as const;
const DAY_MS = 86_400_000;
/** Below this width only a few words fit above the chart, and only a few dates below it. */
const NARROW = 500;

const dayNumber = (day: string): number => Math.round(Date.parse(day) / DAY_MS);
const dayOf = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);

interface Options {
  unit: string;
  width: number;
  from: string;
  to: string;
  marks?: readonly DayMark[];
}

/**
 * Values by day. A day without a value breaks the line; a single day between two gaps is a dot; days for which no line
 * has a value are a dashed box. The spread of the first line is drawn as a band behind it.
 */
export function dayLines(lines: readonly DayLine[], { unit, width, from, to, marks = [] }: Options): string {
  const shown = lines.slice(0, MOST_LINES);
  const [first, last] = [dayNumber(from), Math.max(dayNumber(to), dayNumber(from) + 1)];
  const values = shown.flatMap(({ points }, at) =>
    points.flatMap(({ value, low, high }) => (at === 0 ? [value, low ?? value, high ?? value] : [value])),
  );
  const axis = scaleOf(values);
  const x = (day: number): number => PAD.left + ((day - first) / (last - first)) * (width - PAD.left - PAD.right);
  const y = (value: number): number =>
    HEIGHT - PAD.bottom - ((value - axis.low) / (axis.high - axis.low)) * (HEIGHT - PAD.top - PAD.bottom);
  const isNarrow = width < NARROW;
  const fromZero = axis.low > 0 ? ', axis not from 0' : '';
  const parts = [
    ...gapsOf(shown, first, dayNumber(to)).map((gap) => gapBox(gap, x, width - PAD.right)),
    ...(shown[0] === undefined ? [] : runsOf(shown[0].points).map((run) => bandOf(run, x, y))),
    ...axis.ticks.map((tick) =>
      gridLine(tick.toFixed(axis.digits), y(tick), { left: PAD.left, right: width - PAD.right }),
    ),
    ...dayTicks(first, last, isNarrow ? 3 : 6).map((day, at, days) =>
      dayLabel(dayOf(day), dayOf(days[at - 1] ?? 0), x(day), width),
    ),
    text(4, 14, `${unit}${fromZero}; UTC days${isNarrow ? '' : ` of ${from} to ${to}`}`, 'start', 'ax'),
    ...shown.flatMap((line, at) => drawn(line, at + 1, x, y)),
    ...endLabels(
      shown.map(({ name, points }, at) => ({
        name,
        number: at + 1,
        points: inOrder(points).map(({ day, value }): Point => [x(dayNumber(day)), y(value)]),
      })),
      { left: PAD.left, top: PAD.top, bottom: HEIGHT - PAD.bottom },
    ),
    ...marks.flatMap((mark, at) => markOf(mark, at, x)),
  ];
  return svgOf(width, HEIGHT, parts);
}

const inOrder = (points: readonly DayPoint[]): DayPoint[] => points.toSorted((a, b) => (a.day < b.day ? -1 : 1));

/** Runs of consecutive days: a line is never drawn across a missing day. */
function runsOf(points: readonly DayPoint[]): DayPoint[][] {
  const runs: DayPoint[][] = [];
  let before = Number.NaN;
  for (const point of inOrder(points)) {
    const day = dayNumber(point.day);
    if (day !== before + 1) runs.push([]);
    runs.at(-1)?.push(point);
    before = day;
  }
  return runs;
}

function drawn(line: DayLine, number: number, x: (day: number) => number, y: (value: number) => number): string[] {
  return runsOf(line.points).map((run) => {
    const [lone] = run;
    if (run.length === 1 && lone !== undefined)
      return `<circle class="d${number}" cx="${round(x(dayNumber(lone.day)))}" cy="${round(y(lone.value))}" r="3"/>`;
    return `<path class="s${number}" d="${pathOf(run.map(({ day, value }) => [x(dayNumber(day)), y(value)]))}"/>`;
  });
}

/** From low to high over the days of a run; a single day gets a bar half a day wide, at least 6 px. */
function bandOf(run: readonly DayPoint[], x: (day: number) => number, y: (value: number) => number): string {
  const known = run.filter(({ low, high }) => low !== undefined && high !== undefined);
  const [lone] = known;
  if (lone === undefined) return '';
  const half = known.length > 1 ? 0 : Math.min(PAD.right, Math.max(3, (x(1) - x(0)) / 4));
  const upper = known.map((point) => [x(dayNumber(point.day)), y(point.high ?? point.value)] as const);
  const lower = known.map((point) => [x(dayNumber(point.day)), y(point.low ?? point.value)] as const).toReversed();
  const edge =
    known.length > 1
      ? [...upper, ...lower]
      : [...upper, ...lower].flatMap(([at, height], place) =>
          place === 0
            ? ([
                [Math.max(at - half, PAD.left), height],
                [at + half, height],
              ] as const)
            : ([
                [at + half, height],
                [Math.max(at - half, PAD.left), height],
              ] as const),
        );
  return `<path class="band" d="${pathOf(edge)}Z"/>`;
}

/** A vertical line with its label; labels cycle through three heights so that neighbours stay readable. */
function markOf({ day, words }: DayMark, at: number, x: (day: number) => number): string[] {
  const place = x(dayNumber(day));
  const isRight = place > PAD.left + 120;
  return [
    `<line class="mark" x1="${round(place)}" x2="${round(place)}" y1="${PAD.top}" y2="${HEIGHT - PAD.bottom}"/>`,
    text(place + (isRight ? -4 : 4), PAD.top + 30 + (at % 3) * 15, words, isRight ? 'end' : 'start', 'tx'),
  ];
}

/** First and last day of each stretch within the range in which no line has a value. */
function gapsOf(lines: readonly DayLine[], first: number, last: number): [number, number][] {
  const known = new Set(lines.flatMap(({ points }) => points.map(({ day }) => dayNumber(day))));
  const gaps: [number, number][] = [];
  for (let day = first; day <= last; day += 1) {
    if (known.has(day)) continue;
    const open = gaps.at(-1);
    if (open !== undefined && open[1] === day - 1) open[1] = day;
    else gaps.push([day, day]);
  }
  return gaps;
}

function gapBox([from, to]: [number, number], x: (day: number) => number, end: number): string {
  const [left, right] = [Math.max(x(from - 0.5), PAD.left), Math.min(Math.max(x(to + 0.5), PAD.left), end)];
  const box = `<rect class="gap" x="${round(left)}" y="${PAD.top}" width="${round(right - left)}" height="${HEIGHT - PAD.top - PAD.bottom}"/>`;
  return right - left > 56 ? box + text((left + right) / 2, PAD.top + 16, 'no data', 'middle', 'ax') : box;
}

function dayTicks(first: number, last: number, most: number): number[] {
  const step = Math.max(1, Math.ceil((last - first) / most));
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, at) => first + at * step);
}

/** Includes the year if it differs from that of the previous label; kept inside the drawing. */
function dayLabel(day: string, before: string, at: number, width: number): string {
  const words = day.slice(0, 4) === before.slice(0, 4) ? day.slice(5) : day;
  const half = widthOf(words) / 2;
  return text(Math.min(Math.max(at, half), width - half), HEIGHT - 10, words, 'middle', 'ax');
}
