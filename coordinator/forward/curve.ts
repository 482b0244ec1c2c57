/** Distance between points: a quarter of a month. */
export const STEP = 0.25;
const HALF_WINDOW = 0.25;
const DAYS_PER_YEAR = 365.25;
const DAY_MS = 86_400_000;

/** USD per hour in a contract of `tenor` months. */
export interface Knot {
  /** months, above 0 */
  tenor: number;
  rate: number;
  basis: 'observed' | 'ratio';
}

type Basis = 'observed' | 'interpolated' | 'ratio' | 'capped';

export interface CurvePoint {
  tenor: number;
  /** USD per GPU hour of a contract from now to `tenor` */
  term: number;
  /** USD per GPU hour of the half month around `tenor` alone */
  forward: number;
  basis: Basis;
}

interface Curve {
  /** longest tenor in months, where the curve ends */
  longest: number;
  /** tenors at which G fell: their total cost was lowered to the smallest later one */
  capped: number[];
  /** the curve begins below the price on demand: its first slope had to be limited */
  startsBelowOnDemand: boolean;
  at: (tenor: number) => CurvePoint;
}

/** Converts days to months: days x 12 / 365.25, rounded to a quarter. */
export const monthsOf = (days: number): number => Math.round((days * 12) / DAYS_PER_YEAR / STEP) * STEP;

export const monthsBetween = (from: string, to: string): number =>
  monthsOf((Date.parse(to) - Date.parse(from)) / DAY_MS);

/**
 * The term structure through a price on demand and the rates of terms. G(t) = t R(t) is the total cost of one hour in
 * each month of a contract of t months; between the knots it is the monotone cubic of Fritsch and Carlson (SIAM J.
 * Numer. Anal. 17, 1980) with three-point slopes, R(0) at 0 and a one-sided slope at the end. Throws RangeError without
 * knots, for tenors that are equal or not above 0, and for rates that are not positive and finite.
 */
export function termStructure(onDemand: number, given: readonly Knot[]): Curve {
  const knots = given.toSorted((a, b) => a.tenor - b.tenor);
  const isWrong = !(onDemand > 0 && onDemand < Infinity) || knots.some(({ rate }) => !(rate > 0 && rate < Infinity));
  if (isWrong) throw new RangeError('rates must be positive and finite');
  if (knots.length === 0 || knots.some(({ tenor }, at) => !(tenor > (knots[at - 1]?.tenor ?? 0))))
    throw new RangeError('tenors must be different and above 0, at least one');
  const t = [0, ...knots.map(({ tenor }) => tenor)];
  const paid = [0, ...knots.map(({ tenor, rate }) => tenor * rate)];
  const g = paid.map((_, at) => Math.min(...paid.slice(at)));
  const capped = t.filter((_, at) => valueAt(g, at) < valueAt(paid, at));
  const slopes = limitedSlopes(t, g, onDemand);
  const longest = valueAt(t, t.length - 1);
  const money = (x: number): number => hermite(t, g, slopes, x);
  const knotBasis = (at: number): Basis => {
    if (capped.includes(valueAt(t, at))) return 'capped';
    return at === 0 ? 'observed' : (knots[at - 1]?.basis ?? 'observed');
  };
  const basisAt = (x: number): Basis => {
    const above = t.findIndex((one) => one >= x);
    if (t[above] === x) return knotBasis(above);
    const ends = new Set([knotBasis(above - 1), knotBasis(above)]);
    return ends.has('ratio') ? 'ratio' : ends.has('capped') ? 'capped' : 'interpolated';
  };
  const first = valueAt(slopes, 0);
  return {
    longest,
    capped,
    startsBelowOnDemand: first !== onDemand,
    at: (tenor) => {
      if (!(tenor >= 0 && tenor <= longest)) throw new RangeError(`the curve ends at ${longest} months`);
      const [from, to] = [Math.max(tenor - HALF_WINDOW, 0), Math.min(tenor + HALF_WINDOW, longest)];
      const at = t.indexOf(tenor);
      // At an uncapped knot, exactly the given rate.
      const met = at > 0 && !capped.includes(tenor) ? knots[at - 1]?.rate : undefined;
      const term = tenor === 0 ? first : (met ?? money(tenor) / tenor);
      // G never falls; a negative value here is a rounding error on a level stretch.
      const forward = Math.max(0, (money(to) - money(from)) / (to - from));
      return { tenor, term, forward, basis: basisAt(tenor) };
    },
  };
}

/** The points at every quarter of a month from 0 to the longest tenor. */
export const pointsOf = (curve: Curve): CurvePoint[] =>
  Array.from({ length: Math.floor(curve.longest / STEP) + 1 }, (_, step) => curve.at(step * STEP));

function limitedSlopes(t: readonly number[], g: readonly number[], first: number): number[] {
  const width = t.slice(1).map((to, at) => to - valueAt(t, at));
  const chord = width.map((one, at) => (valueAt(g, at + 1) - valueAt(g, at)) / one);
  const slopes = [first];
  for (let at = 1; at < chord.length; at += 1) {
    const [before, after] = [valueAt(width, at - 1), valueAt(width, at)];
    slopes.push((after * valueAt(chord, at - 1) + before * valueAt(chord, at)) / (before + after));
  }
  slopes.push(Math.max(0, (3 * valueAt(chord, chord.length - 1) - valueAt(slopes, slopes.length - 1)) / 2));
  for (const [at, one] of chord.entries()) {
    const [a, b] = [valueAt(slopes, at), valueAt(slopes, at + 1)];
    // Compares the slopes themselves, not their ratios to the chord, which can be 0.
    const size = Math.hypot(a, b);
    if (size <= 3 * one) continue;
    slopes[at] = (3 * one * a) / size;
    slopes[at + 1] = (3 * one * b) / size;
  }
  return slopes;
}

function hermite(t: readonly number[], g: readonly number[], slopes: readonly number[], x: number): number {
  const right = Math.max(
    t.findIndex((one) => one >= x),
    1,
  );
  const left = right - 1;
  const width = valueAt(t, right) - valueAt(t, left);
  const u = (x - valueAt(t, left)) / width;
  if (u === 0) return valueAt(g, left);
  if (u === 1) return valueAt(g, right);
  return (
    (1 + 2 * u) * (1 - u) ** 2 * valueAt(g, left) +
    u * (1 - u) ** 2 * width * valueAt(slopes, left) +
    u * u * (3 - 2 * u) * valueAt(g, right) +
    u * u * (u - 1) * width * valueAt(slopes, right)
  );
}

const valueAt = (values: readonly number[], at: number): number => values[at] ?? Number.NaN;
