import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pairNumber } from '../../../../coordinator/network/schedule/pair-number.ts';
import { judgeRun } from '../../../../coordinator/network/verdict/judge-run.ts';
import type { JudgedAttempt } from '../../../../coordinator/network/verdict/run-verdict.ts';
import { exactRun as run, failed, ok, verdictOf } from './exact-run.ts';

test('a suspect alone on the network: slow twice is slow, good twice is contended, one of each is unstable, less is unconfirmed', () => {
  assert.equal(verdictOf(ok(1, 100, 69), ok(2, 100, 60), ok(3, 100, 50)), 'slow');
  assert.equal(verdictOf(ok(1, 100, 69), ok(2), ok(3)), 'contended');
  assert.equal(verdictOf(ok(1, 100, 69), ok(2), ok(3, 100, 60)), 'unstable');
  assert.equal(verdictOf(ok(1, 100, 69), ok(2), failed(3)), 'unstable');
  assert.equal(verdictOf(ok(1, 100, 69)), 'unconfirmed');
  assert.equal(verdictOf(ok(1, 100, 69), ok(2, 100, 60)), 'unconfirmed');
  assert.equal(verdictOf(ok(1, 100, 69), ok(2, 100, 60), failed(3, 'node_lost')), 'unconfirmed');
  assert.equal(
    verdictOf(ok(1, 100, 71), ok(2, 100, 50), ok(3, 100, 50)),
    'good',
    'only suspects are judged by what they did alone',
  );
  assert.equal(
    verdictOf(ok(1, 100, 60), ok(2, 60, 100), ok(3, 60, 100)),
    'contended',
    'the other direction is another matter',
  );
});

test('a link that failed in its round: unreachable where it fails alone twice, unstable where it works alone', () => {
  assert.equal(verdictOf(failed(1), failed(2), failed(3)), 'unreachable');
  assert.equal(verdictOf(failed(1), ok(2), ok(3)), 'unstable');
  assert.equal(verdictOf(failed(1), ok(2), failed(3)), 'unstable');
  assert.equal(verdictOf(failed(1, 'closed')), 'unconfirmed');
  assert.equal(verdictOf(failed(1, 'unreachable')), 'unreachable');
});

test('what was never driven is unmeasured, and so is what a node that came back had missed', () => {
  const judgement = judgeRun(run(8, { '0-1': [], '2-3': [failed(1, 'node_lost')] }));
  assert.equal(judgement.links.get(0)?.verdict, 'unmeasured');
  assert.equal(judgement.links.get(pairNumber(2, 3, 8))?.verdict, 'unmeasured');
  assert.deepEqual([judgement.bad_links, judgement.retests, judgement.unconfirmed_links], [[], [], 0]);
});

test('RDMA is held against 0.85 of what is expected, TCP against 0.7', () => {
  const attempts = { '0-1': [ok(1, 80), ok(2, 80), ok(3, 80)] };
  assert.equal(judgeRun(run(8, attempts)).links.get(0)?.verdict, 'good');
  for (const transport of ['rdma_host', 'rdma_gpu'] as const) {
    const [link] = judgeRun(run(8, attempts, { transport })).bad_links;
    assert.deepEqual([link?.verdict, link?.direction, link?.factor], ['slow', 'forward', 0.8]);
  }
});

test('factor, rate and expectation of a slow link are medians of all its attempts, in its worse direction', () => {
  const judgement = judgeRun(run(8, { '0-1': [ok(1, 20, 65), ok(2, 40, 66), ok(3, 30, 90)] }));
  assert.deepEqual(judgement.bad_links, [
    {
      link: 0,
      verdict: 'slow',
      direction: 'both',
      factor: 0.3,
      measured_gbps: 30,
      expected_gbps: 100,
      // each of eight nodes has links to six others beside this one
      expected_rates: 6,
      compared_with: 'other_links',
      retransmit_share: 0,
    },
  ]);
  assert.deepEqual(judgement.links.get(0), {
    verdict: 'slow',
    expected_forward_gbps: 100,
    expected_reverse_gbps: 100,
    expected_forward_rates: 6,
    expected_reverse_rates: 6,
  });
});

test('a link is held against the other links of its ends, not against itself', () => {
  // the other links of node 0 run at 100, at 60 and at 80: upper quartile 90; those of node 1 at 100
  const [slow] = judgeRun(
    run(5, { '0-1': [ok(1, 30), ok(2, 30), ok(3, 30)], '0-2': [ok(1, 100)], '0-3': [ok(1, 60)], '0-4': [ok(1, 80)] }),
  ).bad_links;
  assert.deepEqual([slow?.expected_gbps, slow?.expected_rates], [90, 3]);
  assert.ok(Math.abs((slow?.factor ?? 0) - 1 / 3) < 1e-12);
});

test('of two nodes alone a direction is held against the other one, and no expectation is stated', () => {
  const judgement = judgeRun(run(2, { '0-1': [ok(1, 100, 30), ok(2, 100, 30), ok(3, 100, 30)] }));
  const [link] = judgement.bad_links;
  assert.deepEqual([link?.verdict, link?.direction, link?.factor], ['slow', 'reverse', 0.3]);
  assert.deepEqual([link?.compared_with, link?.expected_gbps, link?.expected_rates], ['other_direction', 100, 1]);
  assert.deepEqual(judgement.links.get(0), {
    verdict: 'slow',
    expected_forward_gbps: null,
    expected_reverse_gbps: null,
    expected_forward_rates: null,
    expected_reverse_rates: null,
  });
});

test('in a full mesh of n nodes an expected rate is derived from n - 2 rates, those of a node’s links beside this one', () => {
  for (const nodes of [3, 4, 8, 16])
    for (const [link, { expected_forward_rates, expected_reverse_rates }] of judgeRun(run(nodes, {})).links)
      assert.deepEqual([expected_forward_rates, expected_reverse_rates], [nodes - 2, nodes - 2], `${nodes}: ${link}`);
});

test('the rates are counted at the end that reaches less, and a link that failed or was never measured is not among them', () => {
  // Of the seven links of node 0 two have no rate: beside 0-1 it has 7 - 2 - 1 = 4, node 1 has 7 - 1 = 6.
  const ratesOf = (gbps: number) => {
    const attempts = { '0-1': [failed(1)], '0-2': [], '0-3': [failed(1)] };
    const measured = [4, 5, 6, 7].map((other) => [`0-${other}`, [ok(1, gbps, gbps)]]);
    const { links } = judgeRun(run(8, { ...attempts, ...Object.fromEntries(measured) }));
    const { expected_forward_gbps, expected_forward_rates, expected_reverse_gbps, expected_reverse_rates } =
      links.get(0) ?? assert.fail();
    return [expected_forward_gbps, expected_forward_rates, expected_reverse_gbps, expected_reverse_rates];
  };
  assert.deepEqual(ratesOf(90), [90, 4, 90, 4]);
  assert.deepEqual(ratesOf(110), [100, 6, 100, 6]);
});

test('a node that others slowed is expected to reach the rate of its group, derived from one rate of each other node', () => {
  // Node 0 of 16 reaches 100 with node 1 alone, so that it is not slow by itself. Node 5 reaches more than the others.
  const attempts: Record<string, JudgedAttempt[]> = { '0-1': [ok(1)] };
  for (let other = 2; other < 16; other += 1) attempts[`0-${other}`] = [ok(1, 30, 30)];
  for (let other = 1; other < 16; other += 1)
    if (other !== 5) attempts[`${Math.min(5, other)}-${Math.max(5, other)}`] = [ok(1, 110, 110)];
  const judgement = judgeRun(run(16, attempts));
  assert.deepEqual(judgement.bad_nodes, []);
  const { expected_forward_gbps, expected_forward_rates, expected_reverse_gbps, expected_reverse_rates } =
    judgement.links.get(pairNumber(0, 5, 16)) ?? assert.fail();
  assert.deepEqual(
    [expected_forward_gbps, expected_forward_rates, expected_reverse_gbps, expected_reverse_rates],
    [100, 15, 100, 15],
  );
});

test('links of a bad node are its doing, unless they are far slower than the node; others are judged as ever', () => {
  const attempts: Record<string, JudgedAttempt[]> = { '3-4': [ok(1, 30), ok(2, 30), ok(3, 30)] };
  for (let other = 1; other < 8; other += 1) attempts[`0-${other}`] = [ok(1, 50, 100)];
  attempts['0-1'] = [ok(1, 10, 100), ok(2, 10, 100), ok(3, 10, 100)];
  attempts['0-2'] = [ok(1, 30, 100)];
  const judgement = judgeRun(run(8, attempts));
  assert.deepEqual(judgement.bad_nodes, [
    // its links to the other seven nodes, each of which sends at 100
    {
      node: 0,
      reason: 'slow',
      direction: 'tx',
      factor: 0.5,
      measured: 50,
      expected: 100,
      links: 7,
      peers: 7,
      unit: 'Gb/s',
    },
  ]);
  assert.deepEqual(
    judgement.bad_links.map(({ link, verdict }) => [link, verdict]),
    [
      [0, 'slow'],
      [pairNumber(3, 4, 8), 'slow'],
    ],
  );
  for (const other of [2, 3, 7]) assert.equal(judgement.links.get(pairNumber(0, other, 8))?.verdict, 'node_blamed');
});

test('a lost node is named; its links that failed are its doing, those measured before stand', () => {
  const attempts = { '0-1': [ok(1)], '0-2': [failed(1, 'node_lost')], '0-3': [failed(1)] };
  const base = run(8, attempts);
  const nodes = base.nodes.map((node) => (node.node === 0 ? { ...node, state: 'lost' as const } : node));
  const judgement = judgeRun({ ...base, nodes });
  assert.deepEqual(
    judgement.bad_nodes.map(({ node, reason }) => [node, reason]),
    [[0, 'lost']],
  );
  assert.deepEqual(
    [0, 1, 2].map((link) => judgement.links.get(link)?.verdict),
    ['good', 'node_blamed', 'node_blamed'],
  );
  assert.deepEqual([judgement.nodes[0]?.links_ok, judgement.nodes[0]?.links_failed], [5, 2]);
  assert.deepEqual([judgement.bad_links, judgement.retests], [[], []]);
});

test('at most 24 links are to be measured alone: failed and slow ones share, the worst first, each once', () => {
  const attempts: Record<string, JudgedAttempt[]> = {};
  for (let a = 0; a < 24; a += 2)
    for (const b of [a + 1, (a + 3) % 24]) attempts[`${Math.min(a, b)}-${Math.max(a, b)}`] = [ok(1, 30 + a)];
  for (let a = 0; a < 24; a += 1)
    for (const b of [(a + 6) % 24]) attempts[`${Math.min(a, b)}-${Math.max(a, b)}`] = [failed(1)];
  const first = judgeRun(run(24, attempts));
  assert.equal(first.retests.length, 24);
  assert.equal(new Set(first.retests).size, 24);
  const isFailed = (link: number) => first.bad_links.find((bad) => bad.link === link)?.factor === null;
  assert.deepEqual(
    first.retests.map(isFailed),
    Array.from({ length: 24 }, (_, at) => at < 12),
  );
  assert.equal(first.retests[12], 0, 'the slowest, 0-1 at 0.30');
  assert.equal(first.unconfirmed_links, 48);
  const second = judgeRun(run(24, { ...attempts, '0-1': [ok(1, 30), ok(2), ok(3)], '0-3': [ok(1, 30), ok(2)] }));
  assert.equal(second.retests[0], pairNumber(0, 3, 24), 'begun is ended');
  assert.equal(second.retests.length, 1 + 22);
  assert.deepEqual(second.contended_links, [0]);
});
