import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { networkReport } from '../../../../coordinator/contract/network-protocol.ts';
import { measureRdmaSlot } from '../../../../agent/links/rdma/measure-slot.ts';
import { startProgram } from '../../../../agent/links/rdma/run-program.ts';
import { fakeTools, isAlive } from './support/fake-tools.ts';
import type { FakeConfig, FakeTools } from './support/fake-tools.ts';
import { channelPair, measureBoth, realClock, setupOf, slotOf } from './support/two-ends.ts';
import type { Ends } from './support/two-ends.ts';

/** Two nodes with the same rails; the way there is measured by the dialer's figure, the way back by the listener's. */
function nodes(
  t: TestContext,
  dialer: FakeConfig['devices'],
  listener: FakeConfig['devices'],
  more: Partial<FakeConfig> = {},
) {
  const a = fakeTools(t, { ...more, devices: dialer });
  const b = fakeTools(t, { ...more, devices: listener });
  return { a, b, dialer: setupOf(a.tools, Object.keys(dialer)), listener: setupOf(b.tools, Object.keys(listener)) };
}

const good = { gbps: 392, latency_us: 2 };

function assertNothingRuns(...ends: FakeTools[]): void {
  const pids = new Set(ends.flatMap((end) => end.journal().map(({ pid }) => pid)));
  assert.ok(pids.size > 0);
  assert.deepEqual([...pids].filter(isAlive), []);
}

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

test('latency is over before load, and the way there before the way back', async (t) => {
  const { a, b, ...ends } = nodes(t, { mlx5_0: good }, { mlx5_0: good });
  await measureBoth(ends);
  const time = (end: FakeTools, program: string, event: string): number =>
    end.journal().find((line) => line.program === program && line.event === event && line.role === 'client')?.at_ms ??
    Number.NaN;
  assert.ok(time(a, 'ib_write_lat', 'measured') <= time(a, 'ib_write_bw', 'measuring'));
  assert.ok(time(a, 'ib_write_bw', 'measured') <= time(b, 'ib_write_bw', 'measuring'));
});

test('in a short slot with the sleep and the second of the real program both ways fit and do not overlap', async (t) => {
  const { a, b, ...ends } = nodes(t, { mlx5_0: good }, { mlx5_0: good }, { sleep_ms: 1000, measure_ms: 1000 });
  const before = realClock.now_ms();
  // Below 7 s the ways overlap; more than 5 because a fake program starts slower than a real one where tests share two cores.
  const [dialer, listener] = await measureBoth({ ...ends, slot: { slot_ms: 6500 } });
  assert.deepEqual([dialer.status, dialer.code, listener.status, listener.code], ['ok', null, 'ok', null]);
  const span = (end: FakeTools, event: string): number =>
    end.journal().find((line) => line.program === 'ib_write_bw' && line.role === 'client' && line.event === event)
      ?.at_ms ?? Number.NaN;
  assert.ok(span(a, 'measured') < span(b, 'measuring'), 'the way back was measured after the way there');
  assert.ok(span(a, 'measured') > span(b, 'started'), 'and its program slept while the way there was measured');
  assert.ok(realClock.now_ms() - before < 6500);
});

test('a check says that every rail works both ways, and no figure', async (t) => {
  const { a, b, ...ends } = nodes(t, { mlx5_0: good, mlx5_1: good }, { mlx5_0: good, mlx5_1: good });
  const [dialer, listener] = await measureBoth({ ...ends, slot: { check_only: true, slot_ms: 3000 } });
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

test('figures of the two ends that part by more than 5 % are no figure', async (t) => {
  const { a, b, ...ends } = nodes(
    t,
    { mlx5_0: good },
    { mlx5_0: { ...good, fault: 'misreport', fault_role: 'server', fault_in: 'ib_write_bw' } },
  );
  const [dialer, listener] = await measureBoth(ends);
  // The listener's server printed 0.9 * 392 = 352.8.
  assert.deepEqual(
    [dialer.status, dialer.stage, dialer.code],
    ['transport_error', 'forward', 'mlx5_0: 392.00 here, 352.80 Gb/s there'],
  );
  assert.deepEqual(
    [listener.status, listener.stage, listener.code],
    ['transport_error', 'forward', 'mlx5_0: 352.80 here, 392.00 Gb/s there'],
  );
  assert.equal(listener.received, null);
  assert.equal(listener.rails[0]?.received_gbps, null);
  assert.equal(dialer.received?.gbps, 392, 'the way back is sound');
  assertNothingRuns(a, b);
});

test('a rail that fails leaves no sum, and the others keep their own figures', async (t) => {
  const broken = { ...good, fault: 'exit', fault_in: 'ib_write_bw', fault_role: 'server' } as const;
  const { a, b, ...ends } = nodes(t, { mlx5_0: good, mlx5_1: good }, { mlx5_0: good, mlx5_1: broken });
  const [dialer, listener] = await measureBoth(ends);
  assert.deepEqual(
    [listener.status, listener.stage, listener.code],
    ['transport_error', 'forward', "mlx5_1: Couldn't allocate MR"],
  );
  assert.equal(dialer.status, 'transport_error');
  assert.equal(listener.received, null);
  assert.deepEqual(
    listener.rails.map(({ received_gbps }) => received_gbps),
    [392, null],
  );
  assertNothingRuns(a, b);
});

test('output that is not understood is no figure', async (t) => {
  const { a, b, ...ends } = nodes(
    t,
    { mlx5_0: { ...good, fault: 'garbage', fault_in: 'ib_write_bw', fault_role: 'client' } },
    { mlx5_0: good },
  );
  const [dialer, listener] = await measureBoth(ends);
  assert.deepEqual([dialer.status, dialer.stage, dialer.code], ['transport_error', 'forward', 'mlx5_0: no table']);
  assert.deepEqual([listener.status, listener.code], ['transport_error', 'mlx5_0: the other end has no figure']);
  assertNothingRuns(a, b);
});

for (const fault of ['hang', 'stubborn'] as const) {
  test(`a program that does not end (${fault}) is killed at the deadline, and the slot ends in time`, async (t) => {
    const { a, b, ...ends } = nodes(
      t,
      { mlx5_0: { ...good, fault, fault_in: 'ib_write_bw', fault_role: 'client' } },
      { mlx5_0: good },
    );
    const before = realClock.now_ms();
    const [dialer, listener] = await measureBoth({ ...ends, slot: { slot_ms: 4600 } });
    assert.ok(realClock.now_ms() - before < 4600 + 250, 'two cores carry all of it');
    assert.deepEqual(
      [dialer.status, dialer.stage, dialer.code],
      ['timeout', 'forward', 'mlx5_0: stopped at the deadline'],
    );
    assert.deepEqual([listener.status, listener.stage], ['timeout', 'forward']);
    assert.ok(a.journal().some(({ event }) => event === 'connected'));
    assertNothingRuns(a, b);
  });
}

test('a port that another program has is left to it, and the next one is taken', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  const taken = (other.address() as AddressInfo).port;
  const { a, b, ...ends } = nodes(t, { mlx5_0: good }, { mlx5_0: good });
  let asked = 0;
  // The first two choices of the listener, one for each of its servers, are the taken port.
  const random = (): number => (asked++ < 2 ? 0 : Math.random());
  const [dialer, listener] = await measureBoth({
    ...ends,
    listener_input: { random, port_range: { first: taken, last: 65_535 } },
  });
  assert.ok(asked >= 4);
  assert.deepEqual([dialer.status, dialer.code, listener.status], ['ok', null, 'ok']);
  assertNothingRuns(a, b);
});

test('three taken ports are enough: the slot says so', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  const taken = (other.address() as AddressInfo).port;
  const { a, b, ...ends } = nodes(t, { mlx5_0: good }, { mlx5_0: good });
  const [dialer, listener] = await measureBoth({
    ...ends,
    listener_input: { port_range: { first: taken, last: taken } },
  });
  assert.deepEqual(
    [listener.status, listener.stage, listener.code],
    ['transport_error', 'ping', `mlx5_0: Couldn't listen to port ${taken}`],
  );
  assert.deepEqual([dialer.status, dialer.code], ['transport_error', 'mlx5_0: no server at the other end']);
  assert.equal(b.journal().filter(({ program, event }) => program === 'ib_write_lat' && event === 'started').length, 3);
  assertNothingRuns(a, b);
});

test('an end that hangs up leaves the other without a figure, at once', async (t) => {
  const { a, b, ...ends } = nodes(t, { mlx5_0: good }, { mlx5_0: good }, { sleep_ms: 60_000 });
  const stop = new AbortController();
  const before = realClock.now_ms();
  const both: Ends = { ...ends, dialer_input: { signal: stop.signal } };
  const running = measureBoth(both);
  while (!a.journal().some(({ event, program }) => event === 'connected' && program === 'ib_write_bw'))
    await realClock.sleepUntil(realClock.now_ms() + 20);
  stop.abort();
  const [dialer, listener] = await running;
  assert.equal(dialer.stage, 'forward');
  assert.deepEqual(
    [listener.status, listener.stage, listener.code],
    ['closed', 'forward', 'mlx5_0: the other end hung up'],
  );
  assert.ok(realClock.now_ms() - before < 6000, 'long before the end of the slot');
  assertNothingRuns(a, b);
});

test('words that are none of ours end the talk before anything is started', async (t) => {
  const b = fakeTools(t, { devices: { mlx5_0: good } });
  const [stranger, here] = channelPair();
  stranger.say('GET / HTTP/1.1');
  const report = await measureRdmaSlot({
    slot: slotOf({ role: 'listen' }),
    setup: setupOf(b.tools, ['mlx5_0']),
    channel: here,
    clock: realClock,
    run: startProgram,
    random: Math.random,
    port_range: null,
    allow_public: false,
  });
  assert.deepEqual([report.status, report.code], ['closed', 'NO_WORD']);
  assert.deepEqual(b.journal(), []);
});

test('rails go by their names where one end lacks one, and the lone port is listed without a figure', async (t) => {
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

test('a slot that is too short for the transport starts nothing', async (t) => {
  const { a, b, ...ends } = nodes(t, { mlx5_0: good }, { mlx5_0: good });
  const reports = await measureBoth({ ...ends, slot: { slot_ms: 3000 } });
  for (const report of reports) assert.deepEqual([report.status, report.code], ['transport_error', 'SLOT_TOO_SHORT']);
  assert.deepEqual([...a.journal(), ...b.journal()], []);
});

test('a public address is not tested unless the operator says so', async (t) => {
  const { a, b, ...ends } = nodes(t, { mlx5_0: good }, { mlx5_0: good });
  const [dialer] = await measureBoth({
    ...ends,
    listener_input: {},
    slot: { slot_ms: 5000 },
    dialer_input: {
      slot: { ...slotOf({}), peer_address: '8.8.8.8', peer_port: 9 },
    },
  });
  assert.equal(dialer.code, 'PUBLIC_ADDRESS');
  assert.deepEqual(a.journal(), []);
});
