import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeBadLink, describeBadNode } from '../../../../coordinator/network/results/describe-bad.ts';
import type { BlamedLink, BlamedNode } from '../../../../coordinator/network/verdict/run-verdict.ts';

const node = (given: Partial<BlamedNode>): string =>
  describeBadNode(
    'node-5',
    { node: 5, reason: 'slow', direction: 'tx', factor: 0.41, measured: 8.2, expected: 20, unit: 'Gb/s', ...given },
    { ok: 50, failed: 13 },
  );
const link = (given: Partial<BlamedLink & { attempts: number }>): string =>
  describeBadLink('a', 'b', {
    link: 3,
    verdict: 'slow',
    direction: 'forward',
    factor: 0.3,
    measured_gbps: 6,
    expected_gbps: 20,
    compared_with: 'other_links',
    retransmit_share: null,
    attempts: 3,
    ...given,
  });

test('a slow node is told with direction, factor, both figures and their unit', () => {
  assert.equal(node({}), 'node-5 sends at 0.41 of what its peers do (8.2 of 20.0 Gb/s).');
  assert.match(node({ direction: 'rx' }), /^node-5 receives at/);
  assert.match(node({ direction: 'both' }), /^node-5 sends and receives at/);
  assert.match(node({ measured: 190.4, expected: 388.9 }), /\(190 of 389 Gb\/s\)/);
});

test('a slow or late node is told with the links that its figure is of, and the nodes of the expected one', () => {
  const counts = { links: 7, peers: 42 };
  assert.equal(
    node(counts),
    'node-5 sends at 0.41 of what its peers do (8.2 of 20.0 Gb/s; upper quartile of 7 links, and median of 42 nodes).',
  );
  assert.equal(
    node({ ...counts, reason: 'latency', direction: null, factor: 37.2, measured: 3050, expected: 82, unit: 'us' }),
    'node-5 answers 37.2 times as late as its peers (3,050 against 82.0 µs; median of 7 links, and median of 42 nodes).',
  );
});

test('a link is told with the number of rates that the expected one is derived from', () => {
  assert.match(
    link({ expected_rates: 6 }),
    / \(6\.0 of 20\.0 Gb\/s, median of 3 attempts, expected from 6 rates\), also/,
  );
  assert.match(
    link({ compared_with: 'other_direction', expected_rates: 1 }),
    /0\.30 of the other direction \(6\.0 of 20\.0 Gb\/s, median of 3 attempts, expected from 1 rate\), also/,
  );
});

test('what is not known is not said', () => {
  assert.equal(node({ factor: null, measured: null }), 'node-5 sends below what its peers do.');
  assert.equal(
    link({ factor: null, expected_gbps: null }),
    'a to b ran below what both nodes reach with others, also when it was alone on the network.',
  );
  const failed = link({ verdict: 'unconfirmed', factor: null, measured_gbps: null, expected_gbps: null });
  assert.equal(failed, 'a with b could not be measured, and was not tried again alone on the network.');
});

test('nodes that are late, failing, lost or cut off', () => {
  const latency = {
    reason: 'latency',
    direction: null,
    factor: 37.2,
    measured: 3050,
    expected: 82,
    unit: 'us',
  } as const;
  assert.equal(node(latency), 'node-5 answers 37.2 times as late as its peers (3,050 against 82.0 µs).');
  assert.equal(node({ reason: 'failing' }), '13 of 63 links of node-5 failed.');
  assert.equal(node({ reason: 'lost' }), 'node-5 stopped answering; 13 of its 63 links were not measured.');
  assert.match(node({ reason: 'inbound_blocked' }), /^No other node could open a connection to node-5/);
  assert.equal(node({ reason: 'unreachable' }), 'No connection to or from node-5 worked.');
});

test('a slow direction names sender first; a link of unclear direction names both ends', () => {
  assert.match(
    link({ direction: 'forward' }),
    /^a to b ran at 0\.30 of .* \(6\.0 of 20\.0 Gb\/s, median of 3 attempts\), also when/,
  );
  assert.match(link({ direction: 'reverse' }), /^b to a ran/);
  assert.match(link({ direction: 'both' }), /^a with b ran/);
});

test('with two nodes alone a direction is told beside the other one', () => {
  const slow = link({ compared_with: 'other_direction' });
  assert.equal(
    slow,
    'a to b ran at 0.30 of the other direction (6.0 of 20.0 Gb/s, median of 3 attempts), also when it was alone on the network.',
  );
});

test('losses are told by the share sent again, or by the delays where that share is too small to tell', () => {
  assert.match(link({ verdict: 'lossy', retransmit_share: 0.0812 }), /^a with b loses packets: 8\.1 % of the segments/);
  for (const retransmit_share of [null, 0.0002])
    assert.match(link({ verdict: 'lossy', retransmit_share }), /slowest round trips waited/);
});

test('only a slow verdict claims that the link was slow alone', () => {
  for (const verdict of ['unstable', 'unconfirmed', 'lossy', 'unreachable'] as const)
    assert.doesNotMatch(link({ verdict }), /also when it was alone/);
  assert.match(
    link({ verdict: 'unconfirmed', attempts: 1 }),
    /^a to b ran at 0\.30 .* \(6\.0 of 20\.0 Gb\/s, one attempt\); .* other traffic cannot be ruled out/,
  );
  assert.match(
    link({ verdict: 'unconfirmed', direction: null, factor: 0.99 }),
    /^a with b may lose packets; .* cannot be ruled out/,
  );
});
