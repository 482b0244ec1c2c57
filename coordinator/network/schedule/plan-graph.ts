import type { NetworkConfig } from '../../contract/network-config.ts';
import { chooseGraph } from './choose-graph.ts';
import { circleRounds, type Pair } from './circle-rounds.ts';
import { pairNumber } from './pair-number.ts';
import { randomMatchings } from './random-matchings.ts';
import { seededRandom, type SeededRandom } from './seeded-random.ts';

/** One link of the graph. `source` < `target`; `listener` is one of them. */
export interface ScheduledLink {
  /** see pair-number.ts */
  link: number;
  source: number;
  target: number;
  listener: number;
}

export interface GraphPlan {
  kind: 'full' | 'degree';
  /** links per node (with an odd number of nodes one less for some); null: all */
  degree: number | null;
  /** links of one round share no node and are measured at the same time */
  rounds: ScheduledLink[][];
  /** what does not fit into the time, in one or two sentences */
  note: string | null;
}

interface GraphRequest {
  /** seats at the start of the run; links are numbered by it */
  nodes: number;
  /** seats that do not participate, such as lost ones */
  without?: readonly number[];
  config: Pick<NetworkConfig, 'graph' | 'degree'> | null;
  slotSeconds: number;
  budgetSeconds: number;
  /** the same seed draws the same plan */
  seed: string;
}

/**
 * Plans the links of a run and their rounds. Labels and the order of the rounds are random, so that a run that is cut
 * short has still measured a fair sample; listening ends are balanced over the nodes. Fewer than two seats: no rounds.
 */
export function planGraph({ nodes, without = [], seed, ...time }: GraphRequest): GraphPlan {
  const absent = new Set(without);
  const random = seededRandom(seed);
  const present = Array.from({ length: nodes }, (_, seat) => seat).filter((seat) => !absent.has(seat));
  if (present.length < 2) return { kind: 'full', degree: null, rounds: [], note: null };
  const seats = random.shuffled(present);
  const { degree, note } = chooseGraph({ count: seats.length, ...time });
  const rounds = random.shuffled(drawRounds(seats.length, degree, random));
  const pairs = rounds.flat();
  const listeners = balanceListeners(seats.length, pairs);
  const seatOf = (place: number): number => seats[place] ?? place;
  let at = 0;
  const links = rounds.map((round) =>
    round.map(([a, b]) => scheduled(seatOf(a), seatOf(b), seatOf(listeners[at++] ?? a), nodes)),
  );
  return {
    kind: degree === null ? 'full' : 'degree',
    degree,
    rounds: links.map((round) => round.toSorted((a, b) => a.link - b.link)),
    note,
  };
}

const drawRounds = (count: number, degree: number | null, random: SeededRandom): Pair[][] =>
  degree === null ? circleRounds(count) : randomMatchings(count, degree, random);

const scheduled = (a: number, b: number, listener: number, nodes: number): ScheduledLink => ({
  link: pairNumber(a, b, nodes),
  source: Math.min(a, b),
  target: Math.max(a, b),
  listener,
});

/**
 * The listening end of each pair, in the order of the pairs: each node listens as often as it dials, give or take one.
 * Decomposes the graph into trails (Euler), starting from nodes of odd degree, and orients each pair from dialer to
 * listener along its trail: a node inside a trail listens once and dials once, and a node of odd degree is an end of
 * exactly one trail.
 */
function balanceListeners(n: number, pairs: readonly Pair[]): number[] {
  const near = Array.from({ length: n }, (): { pair: number; other: number }[] => []);
  for (const [pair, [a, b]] of pairs.entries()) {
    near[a]?.push({ pair, other: b });
    near[b]?.push({ pair, other: a });
  }
  const listeners = Array.from({ length: pairs.length }, () => -1);
  const nextFrom = (place: number) => {
    const left = near[place] ?? [];
    while (left.length > 0) {
      const step = left.pop();
      if (step !== undefined && listeners[step.pair] === -1) return step;
    }
    return null;
  };
  const odd = near.flatMap((own, place) => (own.length % 2 === 1 ? place : []));
  const starts = [...odd, ...near.flatMap((own, place) => own.map(() => place))];
  for (const start of starts) {
    for (let step = nextFrom(start); step !== null; step = nextFrom(step.other)) listeners[step.pair] = step.other;
  }
  return listeners;
}
