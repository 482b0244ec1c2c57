import type { Pair } from './circle-rounds.ts';

/**
 * Which end of each pair listens, in the order of the pairs: each place listens and dials equally often, or once more one
 * than the other. Walks use up the pairs, first from places with an odd number of them, and each pair is walked
 * from its dialer to its listener (Euler): whoever a walk passes through listens once and dials once, and a place with an
 * odd number ends exactly one walk.
 */
export function balanceListeners(n: number, pairs: readonly Pair[]): number[] {
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
