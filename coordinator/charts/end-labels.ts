import { round, text, widthOf } from './svg-parts.ts';

/** In px. */
export type Point = readonly [x: number, y: number];

interface NamedLine {
  name: string;
  number: number;
  /** from left to right */
  points: readonly Point[];
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface Area {
  left: number;
  top: number;
  bottom: number;
}

/** Height of 12 px text, including descenders. */
const LETTERS = 13;
const KNOT = 6;
/** How far a name is shifted in each attempt to find room. */
const STEP = { x: 16, y: 4 } as const;
const SAMPLE = 24;

/**
 * Line names, each placed along its line, as close to the end as it fits without touching a line, knot or other name:
 * the lowest line's name below it, the others above. A name that does not fit there goes wherever there is room, next
 * to a short sample of its line. A single line needs no name.
 */
export function endLabels(lines: readonly NamedLine[], area: Area, knots: readonly Point[] = []): string[] {
  if (lines.length < 2) return [];
  const taken = knots.map(([x, y]): Box => ({ left: x - KNOT, right: x + KNOT, top: y - KNOT, bottom: y + KNOT }));
  const isFree = (box: Box): boolean =>
    box.left >= area.left &&
    box.top >= area.top &&
    box.bottom <= area.bottom &&
    !taken.some((other) => meet(box, other)) &&
    !lines.some((line) => crosses(line, box));
  const endOf = ({ points }: NamedLine): number => points.at(-1)?.[1] ?? 0;
  return lines
    .filter(({ points }) => points.length > 0)
    .toSorted((a, b) => endOf(a) - endOf(b))
    .flatMap((line, at, all) => {
      const along = placesAlong(line, at === all.length - 1, area);
      const beside = along.find(isFree);
      const apart = beside === undefined ? placesAnywhere(line, area).find(isFree) : undefined;
      const place = beside ?? apart ?? along[0];
      if (place === undefined) return [];
      taken.push(place);
      const name = text(place.right, place.bottom - 3, line.name, 'end', `t${line.number}`);
      if (apart === undefined) return [name];
      const y = round(place.bottom - 7);
      return [
        `<line class="s${line.number}" x1="${round(place.left)}" x2="${round(place.left + SAMPLE)}" y1="${y}" y2="${y}"/>`,
        name,
      ];
    });
}

function placesAlong({ name, points }: NamedLine, isLowest: boolean, area: Area): Box[] {
  const width = widthOf(name);
  return steps(points.at(-1)?.[0] ?? 0, area.left + width, -STEP.x).flatMap((right) => {
    const [high, low] = heights(points, right - width, right);
    const above = [4, 10].map((gap) => high - gap - LETTERS);
    const below = [4, 10].map((gap) => low + gap);
    return (isLowest ? [...below, ...above] : [...above, ...below]).map((top) => boxOf(right, top, width));
  });
}

/** Starts at the upper right. */
function placesAnywhere({ name, points }: NamedLine, area: Area): Box[] {
  const width = widthOf(name) + SAMPLE + 8;
  const end = points.at(-1)?.[0] ?? 0;
  return steps(area.top, area.bottom - LETTERS, STEP.y).flatMap((top) =>
    steps(end, area.left + width, -STEP.x).map((right) => boxOf(right, top, width)),
  );
}

const boxOf = (right: number, top: number, width: number): Box => ({
  left: right - width,
  right,
  top,
  bottom: top + LETTERS,
});

const steps = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.max(1, Math.floor((to - from) / step) + 1) }, (_, at) => from + at * step);

const meet = (a: Box, b: Box): boolean => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;

function crosses({ points }: NamedLine, { left, right, top, bottom }: Box): boolean {
  const [high, low] = heights(points, left, right);
  return high < bottom + 2 && low > top - 2;
}

/** The smallest and largest y of a line between two x; if the line does not reach there, an inverted infinite range. */
function heights(points: readonly Point[], from: number, to: number): [number, number] {
  const within = points.flatMap(([x, y], at) => {
    const next = points[at + 1];
    const own = x >= from && x <= to ? [y] : [];
    if (next === undefined) return own;
    const crossed = [from, to].filter((edge) => edge > x && edge < next[0]);
    return [...own, ...crossed.map((edge) => y + ((edge - x) / (next[0] - x)) * (next[1] - y))];
  });
  return [Math.min(...within), Math.max(...within)];
}
