import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterNetworkResults, type CollectiveResult } from '../../../../coordinator/contract/cluster-network.ts';
import type { RunInput } from '../../../../coordinator/network/results/run-input.ts';
import { summariseRun } from '../../../../coordinator/network/results/summarise-run.ts';
import { linkRow, madeLink, madeNodes, pair, runFacts } from './made-run.ts';

const nothing: Omit<RunInput, 'links'> = {
  run: runFacts(),
  nodes: madeNodes(4),
  judgement: null,
  reach: null,
  collective: null,
};

/** Four nodes, six pairs: four ok, one timed out, one never driven. */
const links = [
  madeLink(4, { source: 0, target: 1, forward: 10, reverse: 20, p50: 100 }),
  madeLink(4, { source: 2, target: 3, forward: 18, reverse: 18, p50: 80 }),
  madeLink(4, { source: 0, target: 2, forward: 19, reverse: 6, p50: 90 }),
  madeLink(4, { source: 1, target: 3, forward: 20, reverse: 20, p50: 70 }),
  madeLink(4, { source: 0, target: 3, status: 'timeout' }),
  linkRow({ link: pair(1, 2, 4), source: 1, target: 2 }),
];

test('every headline figure is what its definition says', () => {
  const summary = summariseRun({ ...nothing, links });
  // Means of both directions: 15, 18, 12.5, 20; their mean 65.5 / 4.
  assert.equal(summary.avg_bandwidth_gbps, 16.375);
  assert.equal(summary.min_bandwidth_gbps, 6);
  // Half round trips: 50, 40, 45, 35; their mean 170 / 4.
  assert.equal(summary.avg_latency, 42.5);
  assert.equal(summary.total_links_tested, 4);
  assert.equal(summary.node_count, 4);
  assert.equal(summary.links_possible, 6);
  assert.equal(summary.links_planned, 5);
  assert.deepEqual(summary.links_failed, { timeout: 1 });
  assert.equal(summary.coverage, 4 / 6);
  assert.equal(summary.concurrency, 2);
  assert.equal(summary.duration_s, 30);
  assert.equal(summary.rounds_s, 9);
  assert.deepEqual(
    summary.nodes.map((node) => [node.links_ok, node.links_failed]),
    [
      [2, 1],
      [2, 0],
      [2, 0],
      [2, 1],
    ],
  );
  assert.deepEqual([summary.nodes[1]?.address, summary.nodes[1]?.speed_gbps], ['10.0.0.2', 20]);
});

test('a summary with the measurements put in is a result of the contract', () => {
  const summary = summariseRun({ ...nothing, links });
  clusterNetworkResults.parse({ ...summary, measurements: [], measurements_total: 0, measurements_url: '/' });
});

test('retests, the ring check and links over another transport change no figure', () => {
  const more = [
    ...links,
    madeLink(4, { source: 0, target: 2, forward: 1, reverse: 1, p50: 1, attempt: 2 }),
    madeLink(4, { source: 0, target: 3, forward: 99, reverse: 99, p50: 9, attempt: 2 }),
    { ...madeLink(4, { source: 0, target: 1, forward: 400, reverse: 400 }), phase: 'ring' as const },
    { ...madeLink(4, { source: 1, target: 2, forward: 400, reverse: 400 }), transport: 'rdma_host' as const },
  ];
  assert.deepEqual(summariseRun({ ...nothing, links: more }), summariseRun({ ...nothing, links }));
});

test('where no link is ok every figure is null, never zero', () => {
  const lost = links.map((row) => ({ ...row, status: 'node_lost' as const }));
  const summary = summariseRun({ ...nothing, links: lost });
  assert.equal(summary.avg_bandwidth_gbps, null);
  assert.equal(summary.min_bandwidth_gbps, null);
  assert.equal(summary.avg_latency, null);
  assert.equal(summary.total_links_tested, 0);
  assert.equal(summary.coverage, 0);
  assert.deepEqual(summary.links_failed, { node_lost: 6 });
  const empty = summariseRun({ ...nothing, nodes: madeNodes(1), links: [] });
  assert.deepEqual([empty.links_possible, empty.coverage, empty.avg_bandwidth_gbps], [0, 0, null]);
});

type Judgement = NonNullable<RunInput['judgement']>;
const judgement = (given: Partial<Judgement>): Judgement => ({
  nodes: [],
  bad_nodes: [],
  bad_links: [],
  contended_links: [],
  unconfirmed_links: 0,
  ...given,
});

test('a slow node and a slow link are named with direction, factor, unit and number of attempts', () => {
  const again = { source: 0, target: 2, forward: 19 };
  const summary = summariseRun({
    ...nothing,
    // 6 Gb/s back in its round, then 5 and 7 alone: their median is 6.
    links: [...links, ...[5, 7].map((reverse, at) => madeLink(4, { ...again, reverse, attempt: at + 2 }))],
    judgement: judgement({
      bad_nodes: [
        { node: 1, reason: 'slow', direction: 'tx', factor: 0.41, measured: 8.2, expected: 20, unit: 'Gb/s' },
        { node: 2, reason: 'latency', direction: null, factor: 37.2, measured: 3050, expected: 82, unit: 'us' },
        { node: 3, reason: 'failing', direction: null, factor: null, measured: 1, expected: 3, unit: 'links' },
      ],
      bad_links: [
        {
          link: pair(0, 2, 4),
          verdict: 'slow',
          direction: 'reverse',
          factor: 0.3,
          measured_gbps: 6,
          expected_gbps: 20,
          compared_with: 'other_links',
          retransmit_share: null,
        },
        {
          link: pair(1, 3, 4),
          verdict: 'lossy',
          direction: 'forward',
          factor: null,
          measured_gbps: null,
          expected_gbps: null,
          compared_with: 'other_links',
          retransmit_share: 0.0812,
        },
      ],
      contended_links: [pair(2, 3, 4)],
      unconfirmed_links: 2,
    }),
  });
  assert.deepEqual(
    summary.bad_nodes.map(({ message }) => message),
    [
      'node-1 sends at 0.41 of what its peers do (8.2 of 20.0 Gb/s).',
      'node-2 answers 37.2 times as late as its peers (3,050 against 82.0 µs).',
      '1 of 3 links of node-3 failed.',
    ],
  );
  assert.deepEqual(
    summary.bad_links.map(({ message }) => message),
    [
      'node-2 to node-0 ran at 0.30 of what both nodes reach with others (6.0 of 20.0 Gb/s, median of 3 attempts), also when it was alone on the network.',
      'node-1 with node-3 loses packets: 8.1 % of the segments were sent again.',
    ],
  );
  assert.deepEqual([summary.bad_links[0]?.source_node, summary.bad_links[0]?.target_node], [0, 2]);
  assert.deepEqual([summary.contended_links, summary.unconfirmed_links], [[5], 2]);
});

test('lost and unreachable nodes are named once, and not for their failed links as well', () => {
  const nodes = madeNodes(4, [{}, { state: 'lost' }, {}, {}]);
  const summary = summariseRun({
    ...nothing,
    nodes,
    links,
    reach: {
      partitions: [[0, 1, 3], [2]],
      one_way_pairs: [{ from: 0, to: 3 }],
      inbound_blocked: [3, 1],
      unreachable: [2],
    },
    judgement: judgement({
      bad_nodes: [
        { node: 1, reason: 'failing', direction: null, factor: null, measured: 2, expected: 3, unit: 'links' },
      ],
    }),
  });
  assert.deepEqual(
    summary.bad_nodes.map(({ node, reason }) => [node, reason]),
    [
      [1, 'lost'],
      [2, 'unreachable'],
      [3, 'inbound_blocked'],
    ],
  );
  assert.deepEqual(
    summary.nodes.map(({ state }) => state),
    ['measured', 'lost', 'unreachable', 'measured'],
  );
  assert.equal(summary.missing_nodes, 0);
});

test('nodes that share a host name are told apart by their number', () => {
  const nodes = madeNodes(4, [{ hostname: 'gpu' }, { hostname: 'gpu' }, { hostname: null }, {}]);
  const bad = (node: number) => ({
    node,
    reason: 'lost' as const,
    direction: null,
    factor: null,
    measured: null,
    expected: null,
    unit: null,
  });
  const { bad_nodes } = summariseRun({
    ...nothing,
    nodes,
    links: [],
    judgement: judgement({ bad_nodes: [bad(1), bad(2)] }),
  });
  assert.match(bad_nodes[0]?.message ?? '', /^gpu \(node 1\) stopped answering/);
  assert.match(bad_nodes[1]?.message ?? '', /^00002-ma stopped answering/);
});

test('more bad links than are listed are said to be left out', () => {
  const n = 40;
  const rows = Array.from({ length: n }, (_, a) => a).flatMap((a) =>
    Array.from({ length: n - a - 1 }, (_, step) =>
      madeLink(n, { source: a, target: a + 1 + step, status: 'unreachable' }),
    ),
  );
  const bad_links = rows.map(({ link }) => ({
    link,
    verdict: 'unreachable' as const,
    direction: 'both' as const,
    factor: null,
    measured_gbps: null,
    expected_gbps: null,
    compared_with: 'other_links' as const,
    retransmit_share: null,
  }));
  const summary = summariseRun({ ...nothing, nodes: madeNodes(n), links: rows, judgement: judgement({ bad_links }) });
  assert.equal(summary.bad_links.length, 300);
  // 40 * 39 / 2 = 780 pairs.
  assert.deepEqual(summary.notes, ['bad_links lists the 300 worst; 480 more are left out.']);
});

test('the bus bandwidth is of the largest size, and absent if data were wrong or nothing ran', () => {
  const size = (bytes: number, bus_gbs: number) => ({ bytes, seconds: 1, algorithm_gbs: bus_gbs / 2, bus_gbs });
  const collective: CollectiveResult = {
    library: 'nccl',
    version: '2.28.3',
    ranks: 8,
    nodes: 4,
    all_reduce: [size(1e9, 310), size(1e6, 40)],
    broadcast: [],
    verified: true,
    simulated: false,
  };
  const summary = summariseRun({ ...nothing, links, collective });
  assert.equal(summary.allreduce_bandwidth_gbs, 310);
  assert.equal('broadcast_bandwidth_gbs' in summary, false);
  const wrong = summariseRun({ ...nothing, links, collective: { ...collective, verified: false } });
  assert.equal('allreduce_bandwidth_gbs' in wrong, false);
  assert.match(wrong.notes.join(), /wrong data/);
  assert.equal('allreduce_bandwidth_gbs' in summariseRun({ ...nothing, links }), false);
});
