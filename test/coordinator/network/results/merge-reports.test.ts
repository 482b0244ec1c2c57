import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkStatus, type LinkStatus } from '../../../../coordinator/contract/cluster-network.ts';
import { mergeReports } from '../../../../coordinator/network/results/merge-reports.ts';
import { linkRow, received, roundTrip, slotReport } from './made-run.ts';

test('forward is what the target received and reverse what the source received, from either dialer', () => {
  for (const dialer of [0, 1]) {
    const merged = mergeReports(
      linkRow({
        dialer,
        source_report: slotReport({ received: received(3), interface: 'eth1' }),
        target_report: slotReport({ received: received(8), interface: 'eth2' }),
      }),
    );
    assert.equal(merged.status, 'ok');
    assert.equal(merged.forward_gbps, 8);
    assert.equal(merged.reverse_gbps, 3);
    assert.deepEqual([merged.source_if, merged.target_if], ['eth1', 'eth2']);
    // 3 Gb/s for 0.6 s are 225,000,000 bytes, 8 Gb/s are 600,000,000.
    assert.equal(merged.bytes, 825_000_000);
    assert.equal(merged.window_ms, 600);
  }
});

test('the round trip is the dialer’s, at either end', () => {
  const ends = {
    source_report: slotReport({ rtt_us: roundTrip(100) }),
    target_report: slotReport({ rtt_us: roundTrip(300) }),
  };
  assert.equal(mergeReports(linkRow({ ...ends, dialer: 0 })).rtt_us?.p50, 100);
  assert.equal(mergeReports(linkRow({ ...ends, dialer: 1 })).rtt_us?.p50, 300);
});

test('segments and retransmits add up over both ends, and only over ends that count both', () => {
  const sent = (retransmits: number | null, segments: number | null, min_rtt_us: number | null = null) =>
    slotReport({ sent: { bytes: 1, retransmits, segments, min_rtt_us } });
  const of = (source: ReturnType<typeof sent>, target: ReturnType<typeof sent>) => {
    const { retransmits, segments, min_rtt_us } = mergeReports(
      linkRow({ source_report: source, target_report: target }),
    );
    return { retransmits, segments, min_rtt_us };
  };
  const byDirection = (source: ReturnType<typeof sent> | null, target: ReturnType<typeof sent>) =>
    mergeReports(linkRow({ source_report: source, target_report: target })).sent;
  // The source sends forward.
  assert.deepEqual(byDirection(sent(3, 1000), sent(4, 3000)), {
    forward: { retransmits: 3, segments: 1000 },
    reverse: { retransmits: 4, segments: 3000 },
  });
  assert.deepEqual(byDirection(sent(3, null), sent(null, 3000)), { forward: null, reverse: null });
  assert.deepEqual(byDirection(null, sent(0, 5)), { forward: null, reverse: { retransmits: 0, segments: 5 } });
  assert.deepEqual(of(sent(3, 1000, 41), sent(4, 3000, 39)), { retransmits: 7, segments: 4000, min_rtt_us: 39 });
  // The other end's 3,000 segments would make a share of 3 in 4,000 of what is 3 in 1,000.
  assert.deepEqual(of(sent(3, 1000), sent(null, 3000)), { retransmits: 3, segments: 1000, min_rtt_us: null });
  assert.deepEqual(of(sent(3, null), sent(null, 3000)), { retransmits: 3, segments: null, min_rtt_us: null });
  assert.deepEqual(of(sent(null, 5), sent(null, null)), { retransmits: null, segments: 5, min_rtt_us: null });
  assert.deepEqual(of(sent(null, null), sent(null, null)), { retransmits: null, segments: null, min_rtt_us: null });
});

test('the link begins with its later end', () => {
  const merged = mergeReports(
    linkRow({
      source_report: slotReport({ started_at_ms: Date.UTC(2026, 0, 1, 0, 0, 2), start_skew_ms: 7 }),
      target_report: slotReport({ started_at_ms: Date.UTC(2026, 0, 1, 0, 0, 1), start_skew_ms: -3 }),
    }),
  );
  assert.equal(merged.started_at, '2026-01-01T00:00:02.000Z');
  assert.equal(merged.start_skew_ms, 7);
});

const failures = linkStatus.options.filter((status) => status !== 'ok');
/** Who names a cause beats who only noticed: in this order. */
const order: LinkStatus[] = [
  'auth_failed',
  'refused',
  'unreachable',
  'transport_error',
  'closed',
  'timeout',
  'node_lost',
  'no_report',
];

test('every pair of statuses: ok only if both are, else the more telling failure, the same from either side', () => {
  const ends = (source: LinkStatus, target: LinkStatus) =>
    mergeReports(
      linkRow({ source_report: slotReport({ status: source }), target_report: slotReport({ status: target }) }),
    );
  assert.equal(ends('ok', 'ok').status, 'ok');
  assert.deepEqual(new Set(order), new Set(failures));
  for (const one of failures) {
    assert.equal(ends('ok', one).status, one);
    assert.equal(ends(one, 'ok').status, one);
    for (const other of failures) {
      const expected = order.indexOf(one) <= order.indexOf(other) ? one : other;
      assert.equal(ends(one, other).status, expected, `${one} and ${other}`);
    }
  }
});

test('an end that said nothing makes no_report of whatever the other says; its figures are still shown', () => {
  for (const status of linkStatus.options) {
    const report = slotReport({ status, code: status === 'ok' ? null : 'ECONNRESET' });
    const alone = mergeReports(linkRow({ target_report: report }));
    assert.equal(alone.status, 'no_report');
    assert.equal(alone.code, status === 'ok' ? null : 'ECONNRESET');
    assert.equal(alone.forward_gbps, 9);
    assert.equal(alone.reverse_gbps, null);
    assert.equal(mergeReports(linkRow({ source_report: report })).status, 'no_report');
  }
  assert.deepEqual(
    { ...mergeReports(linkRow()), rails: [] },
    {
      status: 'no_report',
      stage: 'report',
      code: null,
      forward_gbps: null,
      reverse_gbps: null,
      rtt_us: null,
      min_rtt_us: null,
      retransmits: null,
      segments: null,
      sent: { forward: null, reverse: null },
      bytes: null,
      window_ms: null,
      mtu: null,
      rails: [],
      start_skew_ms: null,
      started_at: null,
      source_if: null,
      target_if: null,
    },
  );
});

test('the stage and code are of the end that failed like the link; a code beats none', () => {
  const merged = mergeReports(
    linkRow({
      source_report: slotReport({ status: 'refused', stage: 'connect', code: 'ECONNREFUSED' }),
      target_report: slotReport({ status: 'timeout', stage: 'prove' }),
    }),
  );
  assert.deepEqual([merged.status, merged.stage, merged.code], ['refused', 'connect', 'ECONNREFUSED']);
  const both = mergeReports(
    linkRow({
      source_report: slotReport({ status: 'closed', stage: 'forward' }),
      target_report: slotReport({ status: 'closed', stage: 'ping', code: 'EPIPE' }),
    }),
  );
  assert.deepEqual([both.stage, both.code], ['ping', 'EPIPE']);
});

test('a status that the row has stays, such as node_lost over a late ok', () => {
  const merged = mergeReports(
    linkRow({
      status: 'node_lost',
      source_report: slotReport({ status: 'closed', stage: 'forward', code: 'ECONNRESET' }),
    }),
  );
  assert.deepEqual([merged.status, merged.stage, merged.code], ['node_lost', 'forward', 'ECONNRESET']);
});

test('two content ends without a figure of both directions are not ok, except where only a way was proven', () => {
  const ends = { source_report: slotReport(), target_report: slotReport({ received: null }) };
  assert.equal(mergeReports(linkRow(ends)).status, 'no_report');
  assert.equal(mergeReports(linkRow({ ...ends, phase: 'ring' })).status, 'ok');
});

test('rails are put together in their order, a missing one has no figures', () => {
  const rail = (device: string, received_gbps: number | null, latency_us: number | null) => ({
    device,
    received_gbps,
    latency_us,
  });
  const merged = mergeReports(
    linkRow({
      transport: 'rdma_host',
      dialer: 1,
      source_report: slotReport({ rails: [rail('mlx5_0', 180, 2.5), rail('mlx5_1', 190, null)] }),
      target_report: slotReport({ rails: [rail('mlx5_0', 170, 1.5), rail('mlx5_7', 195, 1.9)] }),
    }),
  );
  assert.deepEqual(merged.rails, [
    { device: 'mlx5_0', forward_gbps: 170, reverse_gbps: 180, latency_us: 1.5 },
    { device: 'mlx5_1 – mlx5_7', forward_gbps: 195, reverse_gbps: 190, latency_us: 1.9 },
  ]);
  const one = mergeReports(linkRow({ source_report: slotReport({ rails: [rail('mlx5_0', 180, 2.5)] }) }));
  assert.deepEqual(one.rails, [{ device: 'mlx5_0', forward_gbps: null, reverse_gbps: 180, latency_us: 2.5 }]);
});
