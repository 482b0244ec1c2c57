import type { SensorSeries } from '../contract/sensor-series.ts';
import { gridLine, pathOf, round, roundStep, scaleOf, svgOf, text, widthOf } from './svg-parts.ts';

export interface Stretch {
  /** seconds */
  from: number;
  to: number;
  words: string;
  /** false: a limit that applies to every card under full load */
  isBad: boolean;
}

const PANEL = 104;
const GAP = 40;
const STRIP = 18;
const PAD = { left: 56, right: 14, top: 26, bottom: 34 } as const;

const panels = [
  { name: 'power_watts', label: 'Power, W' },
  { name: 'temperature_celsius', label: 'Temperature, °C' },
  { name: 'clock_mhz', label: 'Clock, MHz' },
] as const;

/**
 * Power, temperature and clock of one device over the seconds of its run, stacked on a shared time axis; below them the
 * stretches in which it ran below its clock, and why. A sensor without readings has no line.
 */
export function sensorLines(series: SensorSeries, stretches: readonly Stretch[], width: number): string {
  const shown = panels.filter(({ name }) => series[name].some((value) => value !== null));
  const { seconds } = series;
  const first = seconds[0] ?? 0;
  // Merged points are placed at the first of their readings, and a stretch can end at a later one.
  const last = Math.max(seconds.at(-1) ?? 1, first + 1, ...stretches.map(({ to }) => to));
  const x = (second: number): number => PAD.left + ((second - first) / (last - first)) * (width - PAD.left - PAD.right);
  const topOf = (at: number): number => PAD.top + at * (PANEL + GAP);
  const bottom = topOf(shown.length) - GAP;
  const stripTop = bottom + GAP;
  const height = stripTop + STRIP + PAD.bottom;
  const bad = stretches.filter(({ isBad }) => isBad);
  const parts = [
    ...bad.map(({ from, to }) => {
      const [left, right] = [x(from), Math.max(x(to), x(from) + 2)];
      return `<rect class="slow" x="${round(left)}" y="${PAD.top}" width="${round(right - left)}" height="${bottom - PAD.top}"/>`;
    }),
    ...shown.flatMap(({ name, label }, at) =>
      panel(series[name], { seconds, x, top: topOf(at), label, width, number: at + 1 }),
    ),
    text(
      4,
      stripTop - 6,
      stretches.length === 0 ? 'Held back: never, according to the device' : 'Held back by',
      'start',
      'ax',
    ),
    ...strip(stretches, { x, top: stripTop, width }),
    ...ticksOf(first, last, width < 500 ? 4 : 8).map(({ at, label }) =>
      text(x(at), height - 18, label, 'middle', 'ax'),
    ),
    text((PAD.left + width) / 2, height - 4, 'seconds since the start on this device', 'middle', 'ax'),
  ];
  return svgOf(width, height, parts);
}

interface Place {
  seconds: readonly number[];
  x: (second: number) => number;
  top: number;
  label: string;
  width: number;
  number: number;
}

function panel(values: readonly (number | null)[], { seconds, x, top, label, width, number }: Place): string[] {
  const axis = scaleOf(
    values.filter((value) => value !== null),
    3,
  );
  const y = (value: number): number => top + PANEL - ((value - axis.low) / (axis.high - axis.low)) * PANEL;
  return [
    text(4, top - 12, `${label}${axis.low > 0 ? ', axis not from 0' : ''}`, 'start', 'ax'),
    ...axis.ticks.map((tick) =>
      gridLine(tick.toFixed(axis.digits), y(tick), { left: PAD.left, right: width - PAD.right }),
    ),
    ...known(values).map((run) => {
      const points = run.map(({ at, value }) => [x(seconds[at] ?? 0), y(value)] as const);
      const [lone] = points;
      return points.length === 1 && lone !== undefined
        ? `<circle class="d${number}" cx="${round(lone[0])}" cy="${round(lone[1])}" r="3"/>`
        : `<path class="s${number}" d="${pathOf(points)}"/>`;
    }),
  ];
}

/** Runs of consecutive points that have a value. */
function known(values: readonly (number | null)[]): { at: number; value: number }[][] {
  const runs: { at: number; value: number }[][] = [];
  for (const [at, value] of values.entries()) {
    if (value === null) continue;
    if (at === 0 || values[at - 1] === null) runs.push([]);
    runs.at(-1)?.push({ at, value });
  }
  return runs;
}

/** A box per stretch: filled if it is a problem, otherwise outlined; labelled if the text fits. */
function strip(stretches: readonly Stretch[], { x, top, width }: Pick<Place, 'x' | 'top' | 'width'>): string[] {
  let free = 0;
  return stretches.map(({ from, to, words, isBad }) => {
    const [left, right] = [x(from), Math.max(x(to), x(from) + 3)];
    const box = `<rect class="${isBad ? 'held' : 'cap'}" x="${round(left)}" y="${top}" width="${round(right - left)}" height="6"/>`;
    const room = width - left;
    const label = `${isBad ? '▼ ' : ''}${words}`;
    if (left < free || widthOf(label) > room) return box;
    free = left + widthOf(label) + 8;
    return box + text(left, top + STRIP, label, 'start', isBad ? 'tx' : 'ax');
  });
}

function ticksOf(first: number, last: number, most: number): { at: number; label: string }[] {
  const { step, digits } = roundStep((last - first) / most);
  const start = Math.ceil(first / step);
  return Array.from({ length: Math.floor(last / step) - start + 1 }, (_, at) => (start + at) * step).map((at) => ({
    at,
    label: at.toFixed(digits),
  }));
}
