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

/** Pages show one of two widths by the width of the screen, so that text keeps its size. */
export const chartWidths = { wide: 980, narrow: 358 } as const;

const HEIGHT = 240;
const PAD = { left: 56, right: 14, top: 30, bottom: 30 } as const;
const DAY_MS = 86_400_000;
/** Lines that can be told apart by colour, dash and marker. */
export const MOST_LINES = 4;

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
  return `<svg viewBox="0 0 ${width} ${HEIGHT}" xmlns="http://www.w3.org/2000/svg" aria-hidden="true">${parts.join('')}</svg>`;
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
    const at = run.map(({ day, value }) => `${round(x(dayNumber(day)))} ${round(y(value))}`);
    const [lone] = run;
    if (run.length === 1 && lone !== undefined)
      return `<circle class="d${number}" cx="${round(x(dayNumber(lone.day)))}" cy="${round(y(lone.value))}" r="3"/>`;
    return `<path class="s${number}" d="M${at.join('L')}"/>`;
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

const text = (x: number, y: number, words: string, anchor: string, kind: string): string =>
  `<text class="${kind}" x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escaped(words)}</text>`;

/** Round steps about the values; from 0 unless they lie close together far from it. */
function scaleOf(values: readonly number[]): { low: number; high: number; ticks: number[]; digits: number } {
  const least = Math.min(...values);
  const most = Math.max(...values);
  if (values.length === 0 || most <= 0) return { low: 0, high: 1, ticks: [0, 1], digits: 0 };
  const base = least > most * 0.6 ? least - (most - least || most * 0.1) * 0.5 : 0;
  const rough = (most - base) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const low = Math.max(0, Math.floor(base / step) * step);
  const count = Math.ceil((most - low) / step);
  const digits = Math.max(0, Math.ceil(-Math.log10(step)) + ((step / power).toString().startsWith('2.5') ? 1 : 0));
  const ticks = Array.from({ length: count + 1 }, (_, at) => low + at * step);
  return { low, high: low + count * step, ticks, digits };
}

function dayTicks(first: number, last: number, most: number): number[] {
  const step = Math.max(1, Math.ceil((last - first) / most));
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, at) => first + at * step);
}

const round = (value: number): number => Math.round(value * 10) / 10;
const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
