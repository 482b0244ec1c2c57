import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { planGraph, type GraphPlan } from '../../../../coordinator/network/schedule/plan-graph.ts';
import { seededRandom, xoshiro128 } from '../../../../coordinator/network/schedule/seeded-random.ts';

const sample = (nodes: number, degree: number, seed: string): GraphPlan =>
  planGraph({ nodes, config: { graph: 'degree', degree }, slotSeconds: 3, budgetSeconds: 1e6, seed });

function neighbours({ rounds }: GraphPlan, nodes: number): number[][] {
  const near = Array.from({ length: nodes }, (): number[] => []);
  for (const { source, target } of rounds.flat()) {
    near[source]?.push(target);
    near[target]?.push(source);
  }
  return near;
}

/** Second largest eigenvalue of a regular graph, by power iteration on A + dI beside the all-ones vector, which belongs to the largest. */
function secondEigenvalue(near: readonly number[][], degree: number): number {
  const random = seededRandom('start');
  let vector = near.map(() => random.unit() - 0.5);
  let value = 0;
  for (let step = 0; step < 600; step += 1) {
    const mean = vector.reduce((sum, x) => sum + x, 0) / vector.length;
    const centred = vector.map((x) => x - mean);
    const norm = Math.hypot(...centred);
    const unit = centred.map((x) => x / norm);
    vector = near.map((own, node) => own.reduce((sum, other) => sum + (unit[other] ?? 0), degree * (unit[node] ?? 0)));
    value = Math.hypot(...vector) - degree;
  }
  return value;
}

function isConnected(near: readonly number[][]): boolean {
  const seen = new Set([0]);
  for (const node of seen) for (const other of near[node] ?? []) seen.add(other);
  return seen.size === near.length;
}

test('a sample mixes as well as a random regular graph can: second eigenvalue at most 2 sqrt(d - 1) + 0.3', () => {
  assert.ok(
    Math.abs(
      secondEigenvalue(
        [
          [1, 3],
          [0, 2],
          [1, 3],
          [0, 2],
        ],
        2,
      ),
    ) < 0.01,
    'of the ring of four: 0',
  );
  for (const nodes of [64, 256])
    for (const degree of [4, 8, 16])
      for (const seed of ['1', '2', '3']) {
        const near = neighbours(sample(nodes, degree, seed), nodes);
        const second = secondEigenvalue(near, degree);
        const bound = 2 * Math.sqrt(degree - 1) + 0.3;
        assert.ok(second <= bound, `${nodes} nodes, d = ${degree}, seed ${seed}: ${second}, bound ${bound}`);
      }
});

test('any sample ends, drives no pair twice, gives each node d links or one less, and hangs together from degree 3 on', () => {
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 80 }), fc.nat(), fc.string(), (nodes, draw, seed) => {
      const degree = 1 + (draw % Math.max(1, nodes - 2));
      const plan = sample(nodes, degree, seed);
      const near = neighbours(plan, nodes);
      const fewest = nodes % 2 === 0 ? degree : degree - 1;
      assert.ok(near.every((own) => own.length <= degree && own.length >= fewest && new Set(own).size === own.length));
      assert.equal(plan.rounds.length, degree);
      if (degree >= 3) assert.ok(isConnected(near));
    }),
    { numRuns: 150 },
  );
});

test('a sample of three links each of eight nodes is never two groups of four', () => {
  for (let seed = 0; seed < 300; seed += 1) assert.ok(isConnected(neighbours(sample(8, 3, String(seed)), 8)));
});

test('the seed alone decides: the same one gives the same plan, another one another', () => {
  assert.deepEqual(sample(33, 8, 'a'), sample(33, 8, 'a'));
  assert.notDeepEqual(sample(33, 8, 'a').rounds, sample(33, 8, 'b').rounds);
  const full = (seed: string) => planGraph({ nodes: 9, config: null, slotSeconds: 3, budgetSeconds: 300, seed });
  assert.deepEqual(full('a'), full('a'));
  assert.notDeepEqual(full('a').rounds, full('b').rounds);
});

test('the first rounds of a full graph are a fair sample too, for a run that is cut short', () => {
  // in the order of the circle method the first eight rounds of 64 nodes are a band: second eigenvalue near 8
  const { rounds, ...plan } = planGraph({
    nodes: 64,
    config: { graph: 'full' },
    slotSeconds: 3,
    budgetSeconds: 300,
    seed: '4',
  });
  const near = neighbours({ ...plan, rounds: rounds.slice(0, 8) }, 64);
  assert.ok(secondEigenvalue(near, 8) < 7, String(secondEigenvalue(near, 8)));
});

test('random numbers are xoshiro128**, and even over a range that divides nothing', () => {
  // of the state 1, 2, 3, 4: the first, by hand, is rotl(2 x 5, 7) x 9 = 11,520; the list is the test vector of rand_xoshiro
  const next = xoshiro128([1, 2, 3, 4]);
  assert.deepEqual(
    Array.from({ length: 6 }, () => next()),
    [11_520, 0, 5_927_040, 70_819_200, 2_031_721_883, 1_637_235_492],
  );
  const random = seededRandom('even');
  const counts = Array.from({ length: 3 }, () => 0);
  for (let draw = 0; draw < 30_000; draw += 1) {
    const value = random.below(3);
    counts[value] = (counts[value] ?? 0) + 1;
  }
  // four standard deviations: 4 sqrt(30,000 x 1/3 x 2/3) = 327
  assert.ok(
    counts.every((count) => Math.abs(count - 10_000) < 327),
    counts.join(' '),
  );
  const shuffles = new Set(Array.from({ length: 200 }, () => random.shuffled([1, 2, 3]).join('')));
  assert.equal(shuffles.size, 6);
});
