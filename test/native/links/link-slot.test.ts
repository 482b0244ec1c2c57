import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { beginSlot, dialLine, freshKey, LinkProcess, listenLine, monotonicMs, object } from '../link-process.ts';

let listener: LinkProcess;
let dialer: LinkProcess;
let port = 0;
before(async () => {
  listener = await LinkProcess.start();
  dialer = await LinkProcess.start();
  port = await listener.listen();
});
after(async () => {
  assert.equal(await listener.close(), 0);
  assert.equal(await dialer.close(), 0);
});

for (const streams of [1, 4, 16]) {
  test(`a slot of ${streams} streams measures both directions and the round trip`, async () => {
    const id = `streams.${streams}`;
    const start = beginSlot(listener, dialer, { id, port, streams, key: freshKey() });
    const [heard, dialled] = await Promise.all([listener.next('slot', id), dialer.next('slot', id)]);
    for (const end of [heard, dialled]) {
      assert.equal(end['status'], 'ok', JSON.stringify(end));
      assert.equal(end['stage'], null);
      assert.equal(end['interface'], 'lo');
      assert.ok(Math.abs(Number(end['started']) - start - Number(end['skew'])) < 0.01);
      const received = object(end['received']);
      // (2000 - 1200) / 2 = 400 a direction; a third warms up, so 266.7 are measured; a busy machine begins late and says so
      const window_ms = Number(received['window_ms']);
      assert.ok(window_ms > 0 && window_ms < 800 / 3 + 1, JSON.stringify(received));
      const gbps = (Number(received['bytes']) * 8) / (window_ms * 1e6);
      assert.ok(Math.abs(gbps - Number(received['gbps'])) < gbps * 1e-6, 'bytes over the window is the rate');
      assert.ok(Number(object(end['sent'])['bytes']) > 0 && Number(object(end['sent'])['segments']) > 0);
    }
    const sent = Number(object(dialled['sent'])['bytes']);
    assert.ok(sent >= Number(object(heard['received'])['bytes']), 'no more was received than sent');
    const rtt = object(dialled['rtt_us']);
    assert.ok(Number(rtt['min']) > 0 && Number(rtt['min']) <= Number(rtt['p50']));
    assert.ok(Number(rtt['p50']) <= Number(rtt['p99']) && Number(rtt['p99']) <= Number(rtt['max']));
    assert.equal(heard['rtt_us'], null);
  });
}

test('sixteen simultaneous slots all measure, and end in time', async () => {
  const ids = Array.from({ length: 16 }, (_, i) => `many.${i}`);
  const starts = ids.map((id) => beginSlot(listener, dialer, { id, port, more: ' ping_pause=5' }));
  const areInTime = [listener, dialer].map((end) => end.alarmAt(Math.max(...starts) + 2000 + 400));
  const ends = await Promise.all(ids.flatMap((id) => [listener.next('slot', id), dialer.next('slot', id)]));
  assert.deepEqual(new Set(ends.map((end) => end['status'])), new Set(['ok']));
  for (const isInTime of areInTime) assert.ok(ids.every((id) => isInTime(id)));
});

test('a cap on the bytes ends a direction early and the window with it', async () => {
  const cap = 40_000_000;
  beginSlot(listener, dialer, { id: 'cap', port, more: ` cap=${cap}` });
  const [heard, dialled] = await Promise.all([listener.next('slot', 'cap'), dialer.next('slot', 'cap')]);
  for (const end of [heard, dialled]) {
    assert.equal(end['status'], 'ok', JSON.stringify(end));
    assert.equal(Number(object(end['sent'])['bytes']), cap);
    if (end['received'] === null) assert.equal(end['code'], 'SHORT_WINDOW');
    else assert.ok(Number(object(end['received'])['bytes']) < cap);
  }
});

test('nobody listens: refused; nobody dials: timeout at connect; both by the end of the slot', async () => {
  const start = monotonicMs() + 600;
  dialer.say(dialLine(start, { id: 'alone', port: 1 }));
  const areInTime = [listener, dialer].map((end) => end.alarmAt(start + 2400));
  const refused = await dialer.next('slot', 'alone');
  assert.deepEqual([refused['status'], refused['stage'], refused['code']], ['refused', 'connect', 'ECONNREFUSED']);
  assert.equal(refused['received'], null);
  listener.say(listenLine(start, { id: 'waiting' }));
  const waited = await listener.next('slot', 'waiting');
  assert.deepEqual([waited['status'], waited['stage'], waited['started']], ['timeout', 'connect', null]);
  assert.deepEqual([areInTime[0]?.('waiting'), areInTime[1]?.('alone')], [true, true]);
});

test('with another key the dialer’s connection is closed during authentication, the listener reports auth_failed, and neither measures anything', async () => {
  const start = monotonicMs() + 600;
  listener.say(listenLine(start, { id: 'key', key: freshKey() }));
  dialer.say(dialLine(start, { id: 'key', port, key: freshKey() }));
  const [heard, dialled] = await Promise.all([listener.next('slot', 'key'), dialer.next('slot', 'key')]);
  assert.deepEqual([dialled['status'], dialled['stage']], ['closed', 'prove']);
  assert.deepEqual([heard['status'], heard['stage']], ['auth_failed', 'prove']);
  assert.equal(heard['received'], null);
  assert.equal(dialled['sent'], null);
});

test('a slot on another listener of the same process is not answered', async () => {
  await listener.listen('127.0.0.2');
  const start = monotonicMs() + 600;
  listener.say(listenLine(start, { id: 'other', address: '127.0.0.2' }));
  dialer.say(dialLine(start, { id: 'other', port }));
  assert.equal((await dialer.next('slot', 'other'))['status'], 'closed');
  assert.equal((await listener.next('slot', 'other'))['status'], 'timeout');
});

test('a slot whose time is over is reported at once', async () => {
  dialer.say(dialLine(monotonicMs() - 5000, { id: 'late', port }));
  const late = await dialer.next('slot', 'late');
  assert.deepEqual([late['status'], late['stage'], late['code']], ['timeout', 'connect', 'TOO_LATE']);
});

test('a slot cancelled before it began reports nothing, one cancelled in the middle reports closed at both ends', async () => {
  dialer.say(dialLine(monotonicMs() + 60_000, { id: 'never', port }));
  dialer.say('cancel id=never');
  // Forward begins between 100 and 950 ms after the start and takes 1400.
  const start = beginSlot(listener, dialer, { id: 'middle', port, length_ms: 4000 });
  setTimeout(() => dialer.say('cancel id=middle'), start + 1200 - monotonicMs());
  const [heard, dialled] = await Promise.all([listener.next('slot', 'middle'), dialer.next('slot', 'middle')]);
  assert.deepEqual([dialled['status'], dialled['stage'], dialled['code']], ['closed', 'forward', 'CANCELLED']);
  assert.deepEqual([heard['status'], heard['stage'], heard['received']], ['closed', 'forward', null]);
  assert.ok(!dialer.text.some((line) => line.includes('"never"')));
});
