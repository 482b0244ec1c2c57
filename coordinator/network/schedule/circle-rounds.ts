/** Two nodes, by index. */
export type Pair = readonly [number, number];

/**
 * All pairs of `n` nodes in rounds of disjoint pairs: the circle method of round-robin tournaments, an edge colouring
 * of K_n. n even: n - 1 rounds of n / 2 pairs. n odd: n rounds, each with a different node idle (a bye).
 */
export function circleRounds(n: number): Pair[][] {
  if (n < 2) return [];
  // with an odd number of nodes, one node per round is paired with an empty chair
  const chairs = n + (n % 2);
  const turning = chairs - 1;
  return Array.from({ length: turning }, (_, round) => {
    const pairs: Pair[] = chairs === n ? [[round, turning]] : [];
    for (let step = 1; step < chairs / 2; step += 1)
      pairs.push([(round + step) % turning, (round - step + turning) % turning]);
    return pairs;
  });
}
