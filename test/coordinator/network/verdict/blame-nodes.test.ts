import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeRun } from '../../../../coordinator/network/verdict/judge-run.ts';
import type { JudgedAttempt, JudgedLink } from '../../../../coordinator/network/verdict/run-verdict.ts';
import { everyPair, exactRun, failed, ok, usual } from './exact-run.ts';
import { judgeWithRetests } from './simulate-run.ts';

const pairs = (nodes: number, attempt: (low: number, high: number) => JudgedAttempt) =>
  Object.fromEntries(
    everyPair(nodes).map((pair) => {
      const [low = 0, high = 0] = pair.split('-').map(Number);
      return [pair, [attempt(low, high)]];
    }),
  );
const named = (run: Parameters<typeof judgeRun>[0]) =>
  judgeRun(run).bad_nodes.map(({ node, reason }) => `${node} ${reason}`);

test('a node is slow below 0.85 of the median of its group', () => {
  const at = (share: number) =>
    exactRun(
      8,
      pairs(8, (low) => ok(1, low === 0 ? 100 * share : 100)),
    );
  assert.deepEqual(named(at(0.86)), []);
  assert.deepEqual(named(at(0.84)), ['0 slow']);
});

test('a node is late above 1.5 times the latency of its group', () => {
  const at = (us: number) =>
    exactRun(
      8,
      pairs(8, (low) => ok(1, 100, 100, low === 0 ? { rtt_us: { ...usual, p50: 2 * us } } : {})),
    );
  assert.deepEqual(named(at(29)), []);
  assert.deepEqual(named(at(31)), ['0 latency']);
});

test('when half of the nodes are slower, or later, than the other half, nobody can say which are bad', () => {
  assert.deepEqual(
    named(
      exactRun(
        16,
        pairs(16, (low) => ok(1, low < 8 ? 60 : 100, low < 8 ? 60 : 100)),
      ),
    ),
    [],
  );
  const late = (low: number, high: number) => 40 + (low < 8 ? 200 : 0) + (high < 8 ? 200 : 0);
  assert.deepEqual(
    named(
      exactRun(
        16,
        pairs(16, (low, high) => ok(1, 100, 100, { rtt_us: { ...usual, p50: late(low, high) } })),
      ),
    ),
    [],
  );
});

test('who has mostly slow peers is judged by the others, and without two others not at all', () => {
  const slow = new Set([1, 2, 3, 12]);
  const named0 = (peers: readonly number[]) => {
    const links: JudgedLink[] = everyPair(14).flatMap((pair, link) => {
      const [source = 0, target = 0] = pair.split('-').map(Number);
      if (source === 0 && !peers.includes(target)) return [];
      const rate = slow.has(source) || slow.has(target) ? 50 : 100;
      return [{ link, source, target, round: null, attempts: [ok(1, rate, rate)] }];
    });
    return named({ nodes: exactRun(14, {}).nodes, links, transport: 'tcp' });
  };
  // the upper quartile of 50, 50, 50, 50, 100, 100 is 87.5, of 50, 50, 50, 50, 100 it is 50
  for (const peers of [
    [1, 2, 3, 12, 4, 5],
    [1, 2, 3, 12, 4],
    [1, 2, 3, 12],
  ])
    assert.deepEqual(named0(peers), ['1 slow', '2 slow', '3 slow', '12 slow'], peers.join());
});

test('a node of which fewer than three links were measured is not judged', () => {
  const first = exactRun(
    8,
    pairs(8, (low) =>
      ok(1, low === 0 ? 20 : 100, low === 0 ? 20 : 100, low === 0 ? { rtt_us: { ...usual, p50: 4000 } } : {}),
    ),
  );
  const withLinks = (count: number) => first.links.filter(({ source, target }) => source !== 0 || target <= count);
  assert.deepEqual(named({ ...first, links: withLinks(2) }), []);
  assert.deepEqual(named({ ...first, links: withLinks(3) }), ['0 latency']);
});

test('each nominal speed is judged among its own, and a fast node is not blamed for slow peers', () => {
  const speeds = (of: (node: number) => number | null) =>
    Array.from({ length: 16 }, (_, node) => ({ node, speed_gbps: of(node), state: 'measured' as const }));
  const mixed = (fast: number) => {
    const slowest = (low: number, high: number) => (low < fast && high < fast ? 100 : 10);
    const base = exactRun(
      16,
      pairs(16, (low, high) => ok(1, slowest(low, high), slowest(low, high))),
    );
    return { ...base, nodes: speeds((node) => (node < fast ? 100 : 10)) };
  };
  for (const fast of [1, 3, 4, 8, 12]) {
    const { bad_nodes, bad_links, retests } = judgeRun(mixed(fast));
    assert.deepEqual([bad_nodes, bad_links, retests], [[], [], []], `${fast} fast ones`);
  }
  const oneSlow = mixed(8);
  const links = oneSlow.links.map((link) =>
    link.source === 0 ? { ...link, attempts: [ok(1, link.target < 8 ? 50 : 10, 10)] } : link,
  );
  assert.deepEqual(named({ ...oneSlow, links }), ['0 slow']);
  const unknown = exactRun(
    8,
    pairs(8, (low) => ok(1, low === 0 ? 50 : 100)),
  );
  assert.deepEqual(
    named({ ...unknown, nodes: unknown.nodes.map((node) => ({ ...node, speed_gbps: null })) }),
    ['0 slow'],
    'unknown speeds',
  );
});

test('a node most of whose links fail is named with their count, and not its peers', () => {
  const run = exactRun(
    8,
    pairs(8, (low, high) => (low === 0 && high < 6 ? failed(1) : ok(1))),
  );
  assert.deepEqual(judgeRun(run).bad_nodes, [
    { node: 0, reason: 'failing', direction: null, factor: 2 / 7, measured: 2, expected: 7, unit: 'links' },
  ]);
  assert.deepEqual(
    named(
      exactRun(
        8,
        pairs(8, (low, high) => (low === 0 && high < 4 ? failed(1) : ok(1))),
      ),
    ),
    [],
    '3 of 7',
  );
  // with 0, 1, 2 and 3 gone each other node has 4 failing links of 7, and none among themselves
  assert.deepEqual(
    named(
      exactRun(
        8,
        pairs(8, (low) => (low < 4 ? failed(1) : ok(1))),
      ),
    ),
    ['0 failing', '1 failing', '2 failing', '3 failing'],
  );
});

test('links to lost nodes are not held against their peers', () => {
  const run = exactRun(
    8,
    pairs(8, (low) => (low < 4 ? failed(1, 'node_lost') : ok(1))),
  );
  const nodes = run.nodes.map((node) => (node.node < 4 ? { ...node, state: 'lost' as const } : node));
  assert.deepEqual(named({ ...run, nodes }), ['0 lost', '1 lost', '2 lost', '3 lost']);
});

test('a node that is cut off in mid-run is named by its last four links, not by three or by four that lie apart', () => {
  // K_16 in 15 rounds: in round r node 15 meets r, and a meets b where a + b = 2 r (mod 15); 8 is the inverse of 2
  const cutOff = (failing: readonly number[]) => {
    const run = exactRun(16, {});
    const links = run.links.map((link): JudgedLink => {
      const round = link.target === 15 ? link.source : ((link.source + link.target) * 8) % 15;
      const fails = link.target === 15 && failing.includes(round);
      return { ...link, round, attempts: fails ? [failed(1)] : link.attempts };
    });
    return judgeRun({ ...run, links }).bad_nodes.map(({ node, reason, factor }) => [node, reason, factor]);
  };
  assert.deepEqual(cutOff([11, 12, 13, 14]), [[15, 'failing', 11 / 15]]);
  assert.deepEqual(cutOff([12, 13, 14]), []);
  assert.deepEqual(cutOff([1, 5, 9, 14]), []);
});

test('of two groups that do not reach each other neither is failing', () => {
  const apart = exactRun(
    8,
    pairs(8, (low, high) => (low < 3 && high >= 3 ? failed(1, 'unreachable') : ok(1))),
  );
  const judgement = judgeRun(apart);
  assert.deepEqual(judgement.bad_nodes, []);
  assert.equal(judgement.bad_links.length, 15);
  assert.ok(judgement.bad_links.every(({ verdict }) => verdict === 'unreachable'));
  assert.deepEqual(judgement.retests, []);
});

test('a node has one entry: what is further from usual', () => {
  const delays = new Map([[1, 400]]);
  const cluster = { nodes: 8, noise: 0.01, seed: '1', tx: new Map([[1, 0.5]]) };
  assert.deepEqual(
    judgeWithRetests({ ...cluster, delays }).judgement.bad_nodes.map(({ reason }) => reason),
    ['latency'],
  );
  const little = new Map([[1, 16]]);
  assert.deepEqual(
    judgeWithRetests({ ...cluster, delays: little }).judgement.bad_nodes.map(({ reason }) => reason),
    ['slow'],
  );
});

test('what a node reaches: upper quartiles by direction, the median latency, its links by outcome', () => {
  const rates: Record<string, JudgedAttempt[]> = {
    '0-1': [ok(1, 10, 80)],
    '0-2': [ok(1, 20, 70, { rtt_us: { ...usual, p50: 60 } })],
    '0-3': [ok(1, 40, 60, { rtt_us: { ...usual, p50: 90 } })],
    '1-2': [failed(1)],
    '1-3': [],
  };
  const { nodes } = judgeRun(exactRun(4, rates));
  // upper quartile of 10, 20, 40 is 30, of 60, 70, 80 is 75; halves of 40, 60, 90 have the median 30
  assert.deepEqual(nodes[0], { tx_gbps: 30, rx_gbps: 75, latency_us: 30, links_ok: 3, links_failed: 0 });
  assert.deepEqual(nodes[1], { tx_gbps: 80, rx_gbps: 10, latency_us: 20, links_ok: 1, links_failed: 1 });
});
