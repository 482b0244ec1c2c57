import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NetworkConfig } from '../../../../coordinator/contract/network-config.ts';
import { planGraph } from '../../../../coordinator/network/schedule/plan-graph.ts';

const plan = (
  nodes: number,
  budgetSeconds: number,
  config: Pick<NetworkConfig, 'graph' | 'degree'> | null = null,
  slotSeconds = 3,
) => planGraph({ nodes, config, slotSeconds, budgetSeconds, seed: '1' });
const chosen = (...request: Parameters<typeof plan>) => {
  const { kind, degree, rounds } = plan(...request);
  return [kind, degree, rounds.length];
};

test('every pair where four fifths of the time allow it', () => {
  // 0.8 x 300 s / 3 s = 80 rounds: 80 nodes need 79, 81 (a bye each) and 82 need 81
  assert.deepEqual(chosen(80, 300), ['full', null, 79]);
  assert.deepEqual(chosen(81, 300), ['degree', 24, 24]);
  assert.deepEqual(chosen(82, 300), ['degree', 24, 24]);
  assert.deepEqual(chosen(82, 303.75), ['full', null, 81], '0.8 x 303.75 / 3 = 81 exactly');
  assert.deepEqual(chosen(48, 300, null, 5), ['full', null, 47]);
  assert.deepEqual(chosen(50, 300, null, 5), ['degree', 24, 24]);
  assert.equal(plan(80, 300).note, null);
});

test('else 24, 16, 12 or 8 links each, the most that fit, then fewer with a note', () => {
  // rounds that fit: 0.8 x budget / 3
  assert.deepEqual(
    [90, 89, 60, 45, 30, 29].map((budget) => plan(256, budget).degree),
    [24, 16, 16, 12, 8, 7],
  );
  assert.equal(plan(256, 30).note, null);
  assert.match(plan(256, 29).note ?? '', /7 links per node a bad node is detected less reliably/);
  assert.match(plan(256, 11).note ?? '', /2 links per node no node is judged/);
  assert.deepEqual(chosen(12, 40), ['degree', 8, 8], '10 rounds fit, 11 are all');
  assert.deepEqual(chosen(6, 15), ['degree', 4, 4]);
});

test('no time for a single round still plans one, and says that links will be unmeasured', () => {
  const { degree, note } = plan(64, 2);
  assert.equal(degree, 1);
  assert.match(
    note ?? '',
    /1 round of this graph needs 3 s and the time left is 2 s, enough for 0; links that no round reaches are unmeasured/,
  );
});

test('a graph that was asked for is taken, with a note where the time does not reach', () => {
  assert.deepEqual(chosen(256, 300, { graph: 'full' }), ['full', null, 255]);
  assert.match(
    plan(256, 300, { graph: 'full' }).note ?? '',
    /255 rounds of this graph need 765 s and the time left is 300 s, enough for 100; .* unmeasured/,
  );
  assert.deepEqual(chosen(256, 300, { graph: 'degree', degree: 10 }), ['degree', 10, 10]);
  assert.equal(plan(256, 300, { graph: 'degree', degree: 10 }).note, null);
  assert.match(plan(256, 20, { graph: 'degree', degree: 10 }).note ?? '', /10 rounds .* 30 s .* 20 s, enough for 6/);
  assert.match(plan(256, 300, { graph: 'degree', degree: 1 }).note ?? '', /one link per node no node is judged/);
});

test('a degree that reaches every other node is the full graph', () => {
  assert.deepEqual(chosen(8, 300, { graph: 'degree', degree: 7 }), ['full', null, 7]);
  assert.deepEqual(chosen(9, 300, { graph: 'degree', degree: 255 }), ['full', null, 9]);
  assert.deepEqual(chosen(8, 300, { graph: 'degree', degree: 6 }), ['degree', 6, 6]);
});

test('seats that take no part have no link, and the others keep their numbers', () => {
  const { rounds } = planGraph({
    nodes: 8,
    without: [0, 5],
    config: null,
    slotSeconds: 3,
    budgetSeconds: 300,
    seed: '1',
  });
  assert.equal(rounds.length, 5);
  const links = rounds.flat();
  assert.equal(links.length, 15);
  assert.ok(links.every(({ source, target }) => ![0, 5].includes(source) && ![0, 5].includes(target)));
  assert.deepEqual(
    planGraph({ nodes: 3, without: [0, 1], config: null, slotSeconds: 3, budgetSeconds: 300, seed: '1' }).rounds,
    [],
  );
});
