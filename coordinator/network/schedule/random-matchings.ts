import { circleRounds, type Pair } from './circle-rounds.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Draws of the whole graph before falling back to a subset of the circle method's rounds, which always exists. */
const MAX_DRAWS = 32;
/** Exchanges tried per pair of a matching. Near-complete graphs may have no further matching. */
const MAX_EXCHANGES_PER_PAIR = 40;
/** Two matchings form rings, seldom a single one; from three on almost every draw is connected. */
const CONNECTED_FROM = 3;

/**
 * `degree` rounds over `n` nodes, each a random perfect matching, no pair twice: a random regular graph, which is a
 * nearly optimal expander (Friedman 2002), unlike the first rounds of the circle method. n odd: one bye per round, no
 * node twice. `degree` below n - 1 (n even) or n (n odd). Connected from degree 3 on.
 */
export function randomMatchings(n: number, degree: number, random: SeededRandom): Pair[][] {
  const chairs = n + (n % 2);
  for (let draw = 0; draw < MAX_DRAWS; draw += 1) {
    const rounds = drawMatchings(chairs, degree, random);
    if (rounds === null) continue;
    const real = rounds.map((pairs) => pairs.filter(([a, b]) => a < n && b < n));
    if (degree < CONNECTED_FROM || isConnected(n, real.flat())) return real;
  }
  const labels = random.shuffled(Array.from({ length: n }, (_, place) => place));
  const rounds = random.shuffled(circleRounds(n)).slice(0, degree);
  return rounds.map((pairs) => pairs.map(([a, b]): Pair => [labels[a] ?? a, labels[b] ?? b]));
}

/** The empty chair of an odd n participates like any other, which spreads the byes. Null: no valid draw was found. */
function drawMatchings(chairs: number, degree: number, random: SeededRandom): Pair[][] | null {
  const taken = new Set<number>();
  const rounds: Pair[][] = [];
  for (let round = 0; round < degree; round += 1) {
    const matching = drawMatching(chairs, taken, random);
    if (matching === null) return null;
    for (const [a, b] of matching) taken.add(keyOf(a, b));
    rounds.push(matching);
  }
  return rounds;
}

/**
 * Draws a uniform matching; pairs already taken then exchange partners with random others until none is left: the
 * switch chain of random regular graphs. Starting over instead would need about e^(degree / 2) draws.
 */
function drawMatching(chairs: number, taken: ReadonlySet<number>, random: SeededRandom): Pair[] | null {
  const order = random.shuffled(Array.from({ length: chairs }, (_, place) => place));
  const pairs = Array.from({ length: chairs / 2 }, (_, at): Pair => [order[2 * at] ?? 0, order[2 * at + 1] ?? 0]);
  const isTaken = ([a, b]: Pair): boolean => taken.has(keyOf(a, b));
  let left = MAX_EXCHANGES_PER_PAIR * pairs.length;
  for (let at = 0; at < pairs.length; at += 1) {
    for (; isTaken(pairs[at] as Pair); left -= 1) {
      if (left === 0) return null;
      const other = random.below(pairs.length);
      const [a, b] = pairs[at] as Pair;
      const [c, d] =
        random.below(2) === 0 ? (pairs[other] as Pair) : ((pairs[other] as Pair).toReversed() as [number, number]);
      if (other === at || isTaken([a, c]) || isTaken([b, d])) continue;
      pairs[at] = [a, c];
      pairs[other] = [b, d];
    }
  }
  return pairs;
}

const keyOf = (a: number, b: number): number => Math.min(a, b) * 512 + Math.max(a, b);

function isConnected(n: number, pairs: readonly Pair[]): boolean {
  const near = Array.from({ length: n }, (): number[] => []);
  for (const [a, b] of pairs) {
    near[a]?.push(b);
    near[b]?.push(a);
  }
  const seen = new Set([0]);
  // iterating over a set includes members added meanwhile
  for (const place of seen) for (const next of near[place] ?? []) seen.add(next);
  return seen.size === n;
}
