import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { measureRdmaSlot } from '../../../../agent/links/rdma/measure-slot.ts';
import { until } from '../../../support/until.ts';
import { startProgram } from '../../../../agent/links/rdma/run-program.ts';
import { fakeTools } from './support/fake-tools.ts';
import { channelPair, measureBoth, realClock, setupOf, slotOf } from './support/two-ends.ts';
import type { Ends } from './support/two-ends.ts';
import { assertNothingRuns, good, nodes } from './support/two-nodes.ts';

test('figures of the two ends that differ by more than 5 % are discarded', async (t) => {
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
  assert.equal(dialer.received?.gbps, 392, 'reverse is sound');
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

test('output that cannot be parsed gives no figure', async (t) => {
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
  test(`a program that does not end (${fault}) is killed at the deadline, and the slot ends without it`, async (t) => {
    const { a, b, ...ends } = nodes(
      t,
      { mlx5_0: { ...good, fault, fault_in: 'ib_write_bw', fault_role: 'client' } },
      { mlx5_0: good },
    );
    // 5.9 s of the slot are for the latency and its two programs, which start slowly beside other tests.
    const [dialer, listener] = await measureBoth({ ...ends, slot: { slot_ms: 9900 } });
    assert.deepEqual([dialer.status, dialer.stage, dialer.code], ['timeout', 'forward', 'mlx5_0: not over in time']);
    assert.deepEqual([listener.status, listener.stage], ['timeout', 'forward']);
    assert.ok(a.journal().some(({ event }) => event === 'connected'));
    assertNothingRuns(a, b);
  });
}

test('a port in use by another program is skipped for the next one', async (t) => {
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

test('after three ports in use the slot fails and reports that', async (t) => {
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

test('if an end hangs up the other has no figure, for that reason and not because of a timeout', async (t) => {
  const { a, b, ...ends } = nodes(t, { mlx5_0: good }, { mlx5_0: good }, { sleep_ms: 60_000 });
  const stop = new AbortController();
  const both: Ends = { ...ends, dialer_input: { signal: stop.signal } };
  const running = measureBoth(both);
  await until('the bandwidth program is connected', () =>
    a.journal().some(({ event, program }) => event === 'connected' && program === 'ib_write_bw'),
  );
  stop.abort();
  const [dialer, listener] = await running;
  assert.equal(dialer.stage, 'forward');
  assert.deepEqual(
    [listener.status, listener.stage, listener.code],
    ['closed', 'forward', 'mlx5_0: the other end hung up'],
  );
  assertNothingRuns(a, b);
});

test('an unknown message ends the exchange before anything is started', async (t) => {
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

test('a slot that is too short for the transport starts nothing', async (t) => {
  const { a, b, ...ends } = nodes(t, { mlx5_0: good }, { mlx5_0: good });
  const reports = await measureBoth({ ...ends, slot: { slot_ms: 3000 } });
  for (const report of reports) assert.deepEqual([report.status, report.code], ['transport_error', 'SLOT_TOO_SHORT']);
  assert.deepEqual([...a.journal(), ...b.journal()], []);
});

test('a public address is not tested unless the operator says so', async (t) => {
  const { a, b: _b, ...ends } = nodes(t, { mlx5_0: good }, { mlx5_0: good });
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
