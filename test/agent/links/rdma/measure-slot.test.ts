import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkReport } from '../../../../coordinator/contract/network-protocol.ts';
import type { FakeTools } from './support/fake-tools.ts';
import { measureBoth, realClock } from './support/two-ends.ts';
import { assertNothingRuns, good, nodes } from './support/two-nodes.ts';

test('each end reports what it received, summed over its rails, and the dialer the round trips', async (t) => {
  const { a, b, ...ends } = nodes(
    t,
    { mlx5_0: good, mlx5_1: { gbps: 380, latency_us: 3 } },
    { mlx5_0: { gbps: 200, latency_us: 2 }, mlx5_1: { gbps: 150, latency_us: 2 } },
  );
  const [dialer, listener] = await measureBoth(ends);
  networkReport.parse(dialer);
  networkReport.parse(listener);
  assert.deepEqual([dialer.status, dialer.stage, dialer.code], ['ok', null, null]);
  assert.deepEqual([listener.status, listener.stage, listener.code], ['ok', null, null]);
  assert.equal(listener.received?.gbps, 392 + 380);
  assert.equal(dialer.received?.gbps, 200 + 150);
  // A second each: bytes are the messages counted, 2^20 bytes each, within half a message a rail.
  assert.ok(Math.abs((listener.received?.bytes ?? 0) - 772e9 / 8) <= 2 ** 20);
  assert.ok(Math.abs((listener.received?.window_ms ?? 0) - 1000) < 0.1);
  assert.equal(dialer.sent?.bytes, listener.received?.bytes);
  // Typical 2 and 3 us of half a trip: the greater of two middles, twice. Least 0.9 * 2, greatest 4 * 3, p99 1.2 * 3.
  assert.deepEqual(dialer.rtt_us, { min: 3.6, p50: 6, p99: 7.2, max: 24, samples: 2000 });
  assert.equal(listener.rtt_us, null);
  assert.deepEqual(listener.rails, [
    { device: 'mlx5_0', received_gbps: 392, latency_us: 2 },
    { device: 'mlx5_1', received_gbps: 380, latency_us: 2 },
  ]);
  assert.deepEqual([dialer.mtu, dialer.interface], [4096, 'mlx5_0 +1']);
  assertNothingRuns(a, b);
});

test('latency is measured before load, and forward before reverse', async (t) => {
  const { a, b, ...ends } = nodes(t, { mlx5_0: good }, { mlx5_0: good });
  await measureBoth(ends);
  const time = (end: FakeTools, program: string, event: string): number =>
    end.journal().find((line) => line.program === program && line.event === event && line.role === 'client')?.at_ms ??
    Number.NaN;
  assert.ok(time(a, 'ib_write_lat', 'measured') <= time(a, 'ib_write_bw', 'measuring'));
  assert.ok(time(a, 'ib_write_bw', 'measured') <= time(b, 'ib_write_bw', 'measuring'));
});

test('in a short slot with the real program’s sleep both directions fit, and their measured seconds do not overlap', async (t) => {
  // The directions start 1.2 s apart: either process may start half a second late on shared cores before they would
  // overlap or miss.
  const { a, b, ...ends } = nodes(t, { mlx5_0: good }, { mlx5_0: good }, { sleep_ms: 1000, measure_ms: 700 });
  const before = realClock.now_ms();
  // Below 10 s the directions overlap; far more than 5 because tests that share two cores start processes slowly.
  const [dialer, listener] = await measureBoth({ ...ends, slot: { slot_ms: 9900 } });
  assert.deepEqual([dialer.status, dialer.code, listener.status, listener.code], ['ok', null, 'ok', null]);
  const span = (end: FakeTools, event: string): number =>
    end.journal().find((line) => line.program === 'ib_write_bw' && line.role === 'client' && line.event === event)
      ?.at_ms ?? Number.NaN;
  assert.ok(span(a, 'measured') < span(b, 'measuring'), 'reverse was measured after forward');
  assert.ok(span(a, 'measured') > span(b, 'started'), 'and its program slept while forward was measured');
  assert.ok(realClock.now_ms() - before < 9900);
});

test('a check shows that every rail works in both directions, and has no figure', async (t) => {
  const { a, b, ...ends } = nodes(t, { mlx5_0: good, mlx5_1: good }, { mlx5_0: good, mlx5_1: good });
  const [dialer, listener] = await measureBoth({ ...ends, slot: { check_only: true } });
  for (const report of [dialer, listener]) {
    assert.deepEqual(
      [report.status, report.code, report.received, report.sent, report.rtt_us],
      ['ok', null, null, null, null],
    );
    assert.deepEqual(
      report.rails.map(({ received_gbps }) => received_gbps),
      [null, null],
    );
  }
  assert.deepEqual(
    a.journal().filter(({ program }) => program === 'ib_write_lat'),
    [],
  );
  assertNothingRuns(a, b);
});

test('a check fails if both directions would not fit into such a slot', async (t) => {
  const { a, b, ...ends } = nodes(t, { mlx5_0: good }, { mlx5_0: good }, { sleep_ms: 4500 });
  const [dialer, listener] = await measureBoth({ ...ends, slot: { check_only: true, slot_ms: 12_000 } });
  // 1.25 s before, twice 4.5 + 1 s, 0.15 s after: 12.4 s without anything that processes cost, for which 7 s are left here.
  for (const { status, stage, code } of [dialer, listener]) {
    assert.deepEqual([status, stage, code], ['timeout', 'forward', 'SLOT_TOO_SHORT']);
  }
  assertNothingRuns(a, b);
});

test('rails are paired by name if one end lacks one, and the unpaired port is listed without a figure', async (t) => {
  const { a, b, ...ends } = nodes(
    t,
    { mlx5_0: good, mlx5_2: good },
    { mlx5_0: good, mlx5_1: good, mlx5_2: { gbps: 100, latency_us: 2 } },
  );
  const [dialer, listener] = await measureBoth(ends);
  assert.deepEqual([dialer.status, dialer.code, listener.status], ['ok', null, 'ok']);
  assert.deepEqual(
    dialer.rails.map(({ device, received_gbps }) => [device, received_gbps]),
    [
      ['mlx5_0', 392],
      ['mlx5_2', 100],
    ],
  );
  assert.deepEqual(
    listener.rails.map(({ device, received_gbps }) => [device, received_gbps]),
    [
      ['mlx5_0', 392],
      ['mlx5_1', null],
      ['mlx5_2', 392],
    ],
  );
  assertNothingRuns(a, b);
});
