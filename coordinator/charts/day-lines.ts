import { MOST_LINES, pathOf, round, scaleOf, svgOf, text } from './svg-parts.ts';

/** One value of a day; days that are not listed have none. */
export interface DayPoint {
  /** YYYY-MM-DD */
  day: string;
  value: number;
}

export interface DayLine {
  name: string;
  points: readonly DayPoint[];
}

const HEIGHT = 240;
const PAD = { left: 56, right: 14, top: 30, bottom: 30 } as const;
const DAY_MS = 86_400_000;

const dayNumber = (day: string): number => Math.round(Date.parse(day) / DAY_MS);
const dayOf = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);

/**
 * Values by day, drawn with presentation attributes and classes alone, so that a policy without inline style shows it. A day without a
 * value ends the line; one between two such days is a dot; days that no line has are a dashed box.
 */
export function dayLines(
  lines: readonly DayLine[],
  { unit, width, from, to }: { unit: string; width: number; from: string; to: string },
): string {
  const shown = lines.slice(0, MOST_LINES);
  const [first, last] = [dayNumber(from), Math.max(dayNumber(to), dayNumber(from) + 1)];
  const values = shown.flatMap(({ points }) => points.map(({ value }) => value));
  const axis = scaleOf(values);
  const x = (day: number): number => PAD.left + ((day - first) / (last - first)) * (width - PAD.left - PAD.right);
  const y = (value: number): number =>
    HEIGHT - PAD.bottom - ((value - axis.low) / (axis.high - axis.low)) * (HEIGHT - PAD.top - PAD.bottom);
  const parts = [
    ...gapsOf(shown, first, last).map((gap) => gapBox(gap, x)),
    ...axis.ticks.map((tick) => gridLine(tick, y(tick), { width, digits: axis.digits })),
    ...dayTicks(first, last, width < 500 ? 3 : 6).map((day) =>
      text(x(day), HEIGHT - 10, dayOf(day).slice(5), 'middle', 'ax'),
    ),
    text(4, 14, `${unit}${axis.low > 0 ? ', axis not from 0' : ''}; UTC days of ${from} to ${to}`, 'start', 'ax'),
    ...shown.flatMap((line, at) => drawn(line, at + 1, x, y)),
  ];
  return svgOf(width, HEIGHT, parts);
}

/** Runs of neighbouring days: a line is never drawn over a missing one. */
export function runsOf(points: readonly DayPoint[]): DayPoint[][] {
  const runs: DayPoint[][] = [];
  let before = Number.NaN;
  for (const point of points.toSorted((a, b) => (a.day < b.day ? -1 : 1))) {
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

/** Days within the range that no line has a value of, as first and last of each stretch. */
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

function gapBox([from, to]: [number, number], x: (day: number) => number): string {
  const [left, right] = [Math.max(x(from - 0.5), PAD.left), Math.max(x(to + 0.5), PAD.left)];
  const box = `<rect class="gap" x="${round(left)}" y="${PAD.top}" width="${round(right - left)}" height="${HEIGHT - PAD.top - PAD.bottom}"/>`;
  return right - left > 56 ? box + text((left + right) / 2, PAD.top + 16, 'no data', 'middle', 'ax') : box;
}

const gridLine = (tick: number, y: number, { width, digits }: { width: number; digits: number }): string =>
  `<line class="grid" x1="${PAD.left}" x2="${width - PAD.right}" y1="${round(y)}" y2="${round(y)}"/>${text(PAD.left - 6, y + 4, tick.toFixed(digits), 'end', 'ax')}`;

function dayTicks(first: number, last: number, most: number): number[] {
  const step = Math.max(1, Math.ceil((last - first) / most));
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, at) => first + at * step);
}
