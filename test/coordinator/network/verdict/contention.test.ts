import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertNothing, each, judged, namesOf, seeds } from './assert-named.ts';

/** Two places with a thin uplink between them, which lets a fifth to a third through while all use it. */
const uplink = (away: number) => (from: number, to: number, random: { unit: () => number }) =>
  from < away === to < away ? 1 : 0.2 + 0.15 * random.unit();

test('nodes behind a thin uplink are not bad nodes, however few; their links are contended, and the bad one among them slow', () => {
  const clusters = [
    { nodes: 8, away: 4 },
    { nodes: 16, away: 1 },
    { nodes: 64, away: 32 },
    { nodes: 64, away: 12 },
    { nodes: 64, away: 2 },
    { nodes: 256, away: 128, degree: 8 },
    { nodes: 256, away: 51, degree: 8 },
    { nodes: 256, away: 8, degree: 8 },
  ];
  for (const { away, ...cluster } of clusters) {
    const judgement = judged({ ...cluster, noise: 0.03, seed: '2', contention: uplink(away) });
    assert.deepEqual(judgement.bad_nodes, [], `${away} of ${cluster.nodes}`);
    assert.ok(judgement.contended_links.length > 0);
    assert.deepEqual(
      judgement.bad_links.filter(({ verdict }) => verdict !== 'unconfirmed'),
      [],
    );
  }
  const { bad_nodes, bad_links, contended_links } = judged({
    nodes: 8,
    noise: 0.03,
    seed: '2',
    contention: uplink(4),
    links: new Map([['1>6', 0.3]]),
  });
  assert.deepEqual(bad_nodes, []);
  assert.equal(contended_links.length, 15);
  assert.deepEqual(
    bad_links.map(({ link, verdict, direction }) => ({ link, verdict, direction })),
    [{ link: 11, verdict: 'slow', direction: 'forward' }],
  );
});

test('a slow node is found also if others are behind a thin uplink, on either side of it', () => {
  const cluster = { nodes: 64, noise: 0.03, seed: '1', contention: uplink(16) };
  assert.deepEqual(namesOf(judged({ ...cluster, tx: each([40], 0.5), rx: each([3], 0.5) })), [3, 40]);
});

test('many slow nodes are not cleared by the few that an uplink made as slow', () => {
  const slow = Array.from({ length: 10 }, (_, at) => 20 + at);
  const cluster = { nodes: 64, noise: 0.03, seed: '1', contention: uplink(2) };
  assert.deepEqual(namesOf(judged({ ...cluster, tx: each(slow, 0.36), rx: each(slow, 0.36) })), slow);
});

test('two late nodes among five are both named', () => {
  assert.deepEqual(namesOf(judged({ nodes: 5, noise: 0.03, seed: '1', delays: each([1, 3], 100) })), [1, 3]);
});

test('a group of three of one speed is not judged, and fast nodes are judged by their links to fast ones', () => {
  const three = new Map(Array.from({ length: 9 }, (_, node): [number, number] => [node, node < 3 ? 100 : 400]));
  const bad = { tx: each([0], 0.4), delays: each([1], 300) };
  assert.deepEqual(judged({ nodes: 9, noise: 0.02, seed: '1', speeds: three, ...bad }).bad_nodes, []);
  for (const seed of seeds(10)) {
    const fast = new Map(Array.from({ length: 32 }, (_, node): [number, number] => [node, node < 12 ? 100 : 10]));
    assert.deepEqual(judged({ nodes: 32, degree: 8, noise: 0.03, seed, speeds: fast }).bad_nodes, [], seed);
  }
});

test('nodes in another room are not late, those with a delay of their own there are', () => {
  for (const [nodes, away] of [
    [64, 6],
    [64, 16],
    [64, 32],
  ] as const) {
    const distance = (a: number, b: number) => (a < away === b < away ? 0 : 60);
    assertNothing(judged({ nodes, noise: 0.03, seed: '1', distance }), `${away} of ${nodes}`);
    assert.deepEqual(namesOf(judged({ nodes, noise: 0.03, seed: '1', distance, delays: each([2, 50], 500) })), [2, 50]);
  }
  const halves = (a: number, b: number) => (a < 128 === b < 128 ? 0 : 60);
  const named = seeds(10).flatMap(
    (seed) => judged({ nodes: 256, degree: 8, noise: 0.03, seed, distance: halves }).bad_nodes,
  );
  assert.ok(named.length <= 10, `${named.length} in 10 runs of two equal rooms`);
  const distance = (a: number, b: number) => (a < 25 === b < 25 ? 0 : 60);
  for (const seed of seeds(10))
    assertNothing(judged({ nodes: 256, degree: 8, noise: 0.03, seed, distance }), `seed ${seed}`);
});
