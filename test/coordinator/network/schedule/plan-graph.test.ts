import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pairNumber, pairOf } from '../../../../coordinator/network/schedule/pair-number.ts';
import { planGraph, type GraphPlan } from '../../../../coordinator/network/schedule/plan-graph.ts';

const plan = (nodes: number, degree: number | null, seed = '1'): GraphPlan =>
  planGraph({
    nodes,
    config: degree === null ? { graph: 'full' } : { graph: 'degree', degree },
    slotSeconds: 3,
    budgetSeconds: 1e6,
    seed,
  });

function assertRounds({ rounds }: GraphPlan, nodes: number, count: number): void {
  assert.equal(rounds.length, count, `${nodes} nodes`);
  for (const round of rounds) {
    assert.equal(round.length, Math.floor(nodes / 2));
    assert.equal(new Set(round.flatMap(({ source, target }) => [source, target])).size, 2 * round.length);
  }
  const links = rounds.flat();
  assert.equal(new Set(links.map(({ link }) => link)).size, links.length, 'no link twice');
  // compared without a call of assert for each of 2.8 million links
  const isRight = ({ link, source, target, listener }: (typeof links)[number]): boolean =>
    0 <= source &&
    source < target &&
    target < nodes &&
    link === pairNumber(source, target, nodes) &&
    (listener === source || listener === target);
  assert.deepEqual(
    links.filter((link) => !isRight(link)),
    [],
  );
}

function assertBalance({ rounds }: GraphPlan, nodes: number): void {
  const balance = new Int32Array(nodes);
  for (const { source, target, listener } of rounds.flat()) {
    const dialer = listener === source ? target : source;
    balance[listener] = (balance[listener] ?? 0) + 1;
    balance[dialer] = (balance[dialer] ?? 0) - 1;
  }
  assert.ok(
    balance.every((value) => Math.abs(value) <= 1),
    `${nodes} nodes: ${balance.join(' ')}`,
  );
}

// All small ones; of the large ones odd and even, multiples of 4 and not, and the largest.
const sizes = Array.from({ length: 255 }, (_, at) => at + 2).filter((nodes) => nodes <= 80 || nodes % 11 === 3);

test('every pair of 2 to 256 nodes is driven once, in as few rounds as there can be, each end listening as often as it dials', () => {
  assert.equal(sizes.at(-1), 256);
  for (const nodes of sizes) {
    const full = plan(nodes, null);
    assertRounds(full, nodes, nodes % 2 === 0 ? nodes - 1 : nodes);
    assert.equal(full.rounds.flat().length, (nodes * (nodes - 1)) / 2);
    assertBalance(full, nodes);
  }
});

test('pairs are numbered 0-1, 0-2, ... and the number gives the pair back', () => {
  for (const n of [2, 3, 7, 256]) {
    let expected = 0;
    for (let a = 0; a < n; a += 1)
      for (let b = a + 1; b < n; b += 1, expected += 1) {
        assert.equal(pairNumber(a, b, n), expected);
        assert.equal(pairNumber(b, a, n), expected);
        assert.deepEqual(pairOf(expected, n), { source: a, target: b });
      }
    assert.throws(() => pairOf(expected, n), RangeError);
  }
});

test('a sample of degree d has d rounds without a pair twice, for every number of nodes', () => {
  for (let nodes = 4; nodes <= 256; nodes += 7)
    for (const degree of [1, 2, 3, 8, 16, 24].filter((degree) => degree < nodes - 1)) {
      const sample = plan(nodes, degree);
      assert.equal(sample.degree, degree);
      assertRounds(sample, nodes, degree);
      assertBalance(sample, nodes);
    }
});
