import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../../coordinator/network/schedule/seeded-random.ts';
import type { RunJudgement } from '../../../../coordinator/network/verdict/run-verdict.ts';
import { assertNothing, each, judged, namesOf, seeds } from './assert-named.ts';
import type { Way } from './simulate-run.ts';

const drawn = (nodes: number, count: number, seed: string) =>
  seededRandom(`drawn ${seed}`)
    .shuffled(Array.from({ length: nodes }, (_, node) => node))
    .slice(0, count);

function assertOnly(
  judgement: RunJudgement,
  node: number,
  bad: { reason: string; direction: string | null; factor: number },
) {
  const [named] = judgement.bad_nodes;
  assert.deepEqual(namesOf(judgement), [node]);
  assert.deepEqual(
    { reason: named?.reason, direction: named?.direction },
    { reason: bad.reason, direction: bad.direction },
  );
  assert.ok(Math.abs((named?.factor ?? 0) - bad.factor) <= 0.05 * Math.max(1, bad.factor), `factor ${named?.factor}`);
  assert.deepEqual(judgement.bad_links, []);
}

test('126 healthy runs of 2 to 64 nodes with 3 and 8 % noise name no node and no link', () => {
  for (let nodes = 2; nodes <= 64; nodes += 1)
    for (const noise of [0.03, 0.08])
      for (const seed of seeds(1))
        assertNothing(judged({ nodes, noise, seed }), `${nodes} nodes, ${noise}, seed ${seed}`);
});

test('four or five nodes with 8 % noise, 1,000 runs each: at most one names anybody', () => {
  const names = [4, 5].flatMap((nodes) =>
    seeds(1000).flatMap((seed) => judged({ nodes, noise: 0.08, seed }).bad_nodes),
  );
  assert.ok(names.length <= 1, String(names.length));
});

test('one node in five at half its rate, 8 links each of 256: all are named, and at most 0.2 others a run', () => {
  let innocent = 0;
  for (const seed of seeds(20)) {
    const bad = drawn(256, 51, seed);
    const names = new Set(
      namesOf(judged({ nodes: 256, degree: 8, noise: 0.03, seed, tx: each(bad, 0.5), rx: each(bad, 0.5) })),
    );
    for (const node of bad) assert.ok(names.delete(node), `node ${node} of seed ${seed}`);
    innocent += names.size;
  }
  assert.ok(innocent / 20 <= 0.2, `${innocent} in 20 runs`);
});

test('four nodes at 0.8 of their rate among 256 with 8 % noise are named, and nobody else', () => {
  let found = 0;
  for (const seed of seeds(20)) {
    const bad = drawn(256, 4, seed);
    const names = namesOf(judged({ nodes: 256, degree: 8, noise: 0.08, seed, tx: each(bad, 0.8), rx: each(bad, 0.8) }));
    assert.ok(
      names.every((node) => bad.includes(node)),
      `${seed}: ${names.join()}`,
    );
    found += names.length;
  }
  assert.ok(found >= 78, `${found} of 80`);
});

test('a late node has the links that its latency is the median of, and the nodes that it is held against', () => {
  const { bad_nodes } = judged({ nodes: 9, noise: 0.02, seed: '1', delays: each([3], 60) });
  // Each of nine nodes has eight links, and eight nodes are not late.
  assert.deepEqual(
    bad_nodes.map(({ node, links, peers }) => [node, links, peers]),
    [[3, 8, 8]],
  );
});

test('one node in five with 60 us more is named for its latency, and nobody else', () => {
  for (const seed of seeds(10)) {
    const late = drawn(256, 51, seed);
    const judgement = judged({ nodes: 256, degree: 8, noise: 0.03, seed, delays: each(late, 60) });
    assert.deepEqual(
      namesOf(judgement),
      late.toSorted((a, b) => a - b),
    );
    assert.ok(judgement.bad_nodes.every(({ reason }) => reason === 'latency'));
  }
});

test('a node that sends or receives slowly is named with direction and factor, from 4 nodes on', () => {
  for (const nodes of [4, 5, 8, 16]) {
    const cluster = { nodes, noise: 0.02, seed: '7' };
    assertOnly(judged({ ...cluster, tx: each([1], 0.5) }), 1, { reason: 'slow', direction: 'tx', factor: 0.5 });
    assertOnly(judged({ ...cluster, rx: each([2], 0.4) }), 2, { reason: 'slow', direction: 'rx', factor: 0.4 });
    const both = { tx: each([3], 0.3), rx: each([3], 0.6) };
    assertOnly(judged({ ...cluster, ...both }), 3, { reason: 'slow', direction: 'both', factor: 0.3 });
  }
});

test('a late node is named once, and no node that talks to it, from 4 nodes on', () => {
  for (const nodes of [4, 5, 8, 16])
    assertOnly(judged({ nodes, noise: 0.03, seed: '3', delays: each([1], 180) }), 1, {
      reason: 'latency',
      direction: null,
      factor: 10,
    });
});

test('of two or three nodes none is accused, whatever they measure; their links are', () => {
  for (const nodes of [2, 3])
    for (const seed of seeds(20)) {
      const bad = { tx: each([0], 0.2), rx: each([1], 0.1), delays: each([1], 5000) };
      assert.deepEqual(judged({ nodes, noise: 0.08, seed, ...bad }).bad_nodes, []);
      assert.deepEqual(judged({ nodes, noise: 0.08, seed, failing: each([0], 1) }).bad_nodes, []);
      const [link] = judged({ nodes, noise: 0.03, seed, links: new Map<Way, number>([['1>0', 0.3]]) }).bad_links;
      assert.deepEqual([link?.verdict, link?.direction], ['slow', 'reverse']);
    }
});

test('a slow link is named with its direction and factor, its ends are not', () => {
  for (const nodes of [3, 4, 8, 64])
    for (const [way, direction] of [
      ['0>1', 'forward'],
      ['1>0', 'reverse'],
    ] as const) {
      const { bad_nodes, bad_links } = judged({ nodes, noise: 0.02, seed: '5', links: new Map([[way, 0.3]]) });
      assert.deepEqual(bad_nodes, []);
      assert.deepEqual(
        bad_links.map(({ link, verdict, direction }) => ({ link, verdict, direction })),
        [{ link: 0, verdict: 'slow', direction }],
      );
      assert.ok(Math.abs((bad_links[0]?.factor ?? 0) - 0.3) <= 0.05, `${nodes}: ${bad_links[0]?.factor}`);
    }
});

test('a link slow both ways says so, with the worse figure', () => {
  const links = new Map<Way, number>([
    ['0>1', 0.5],
    ['1>0', 0.4],
  ]);
  const [link] = judged({ nodes: 8, noise: 0.02, seed: '5', links }).bad_links;
  assert.equal(link?.direction, 'both');
  assert.ok(Math.abs((link?.factor ?? 0) - 0.4) <= 0.03 && Math.abs((link?.measured_gbps ?? 0) - 40) < 3);
});

test('where every queue drops, no link is called lossy; one that loses 8 % is', () => {
  for (const nodes of [2, 3, 4, 8, 32])
    for (const seed of seeds(10)) {
      const cluster = { nodes, noise: 0.05, seed, queueDrops: 0.003 };
      const healthy = judged(cluster);
      assert.deepEqual(healthy.bad_nodes, []);
      assert.deepEqual(
        healthy.bad_links.filter(({ verdict }) => verdict === 'lossy'),
        [],
      );
      const [link] = judged({ ...cluster, queueDrops: 0.001, losses: new Map([['0>1', 0.08]]) }).bad_links;
      assert.deepEqual([link?.link, link?.verdict], [0, 'lossy'], `${nodes} nodes, seed ${seed}`);
      assert.ok(Math.abs((link?.retransmit_share ?? 0) - 0.08) < 0.02);
    }
});

test('all faults at once: each is named for what it is, and nothing else', () => {
  for (const cluster of [{ nodes: 64 }, { nodes: 128, degree: 16 }])
    for (const seed of seeds(5)) {
      const { bad_nodes, bad_links } = judged({
        ...cluster,
        noise: 0.08,
        seed,
        tx: each([5], 0.4),
        rx: each([11], 0.5),
        delays: each([7], 3000),
        lost: [60],
        failing: each([33], 0.95),
        queueDrops: 0.001,
        ...(cluster.nodes === 64 && {
          links: new Map<Way, number>([['20>21', 0.3]]),
          losses: new Map<Way, number>([['30>31', 0.08]]),
        }),
      });
      assert.deepEqual(bad_nodes.map(({ node, reason, direction }) => `${node} ${reason} ${direction}`).toSorted(), [
        '11 slow rx',
        '33 failing null',
        '5 slow tx',
        '60 lost null',
        '7 latency null',
      ]);
      assert.deepEqual(
        bad_links.map(({ verdict, direction }) => `${verdict} ${direction}`).toSorted(),
        cluster.nodes === 64 ? ['lossy null', 'slow forward'] : [],
      );
    }
});
