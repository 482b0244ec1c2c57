import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import { after, before, test, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { beginSlot, dialLine, LinkProcess, listenLine, monotonicMs } from '../link-process.ts';

// Where a fault strikes, in ms after the start of a slot of 6 s: the dialer connects at 100, pings of 20 ms pause last until about
// 420, each direction (6000 - 1200) / 2 = 2400.
const moments = [
  ['ping', 250],
  ['forward', 1500],
  ['reverse', 3900],
] as const;
const length_ms = 6000;
const more = ' ping_pause=20';

let survivor: LinkProcess;
let port = 0;
before(async () => {
  survivor = await LinkProcess.start();
  port = await survivor.listen();
});
after(async () => {
  assert.equal(await survivor.close(), 0);
});

const whoAndHow = ['the dialer killed', 'the dialer frozen', 'the listener frozen'] as const;
const cases = moments.flatMap(([stage, after_ms]) => whoAndHow.map((what) => ({ what, stage, after_ms })));

for (const { what, stage, after_ms } of cases) {
  const ends = what === 'the dialer killed' ? 'closed' : 'timeout';
  // The stopped end is not woken before the end, so the other end has only its own deadline.
  const then = what === 'the dialer frozen' ? ', and measures the next slot' : '';
  test(`${what} in ${stage}: the other end says ${ends} there by its own deadline${then}`, async (t) => {
    const { id, end, isInTime } = await strike(t, what, after_ms);
    assert.deepEqual([end['status'], end['stage'], isInTime], [ends, stage, true]);
    // A direction cut short has no figure, a complete one stays.
    const complete = stage === 'reverse' && what === 'the dialer frozen';
    if (ends === 'timeout') assert.equal(end['received'] !== null, complete);
    if (what === 'the dialer frozen') await measures(`after.${id}`);
  });
}

test('a listener frozen before the slot: connected by its kernel, then silence: timeout at prove', async (t) => {
  const victim = await LinkProcess.start();
  t.after(() => victim.signal('SIGKILL'));
  const victimPort = await victim.listen();
  victim.signal('SIGSTOP');
  const start = monotonicMs() + 600;
  survivor.say(dialLine(start, { id: 'frozen', port: victimPort }));
  // Connecting and authenticating are over 650 ms after the start, and so is this slot.
  const isInTime = survivor.alarmAt(start + 1200);
  const end = await survivor.next('slot', 'frozen');
  assert.deepEqual([end['status'], end['stage'], isInTime('frozen')], ['timeout', 'prove', true]);
  victim.signal('SIGKILL');
  await victim.exited();
});

test('somebody who takes the proof and answers with anything else is auth_failed and gets nothing but the 89 bytes', async () => {
  let got = 0;
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      got += bytes.length;
      if (got === 89) socket.write(Buffer.alloc(48, 7));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  assert.ok(bound !== null && typeof bound === 'object');
  survivor.say(dialLine(monotonicMs() + 50, { id: 'impostor', port: bound.port, streams: 4 }));
  const end = await survivor.next('slot', 'impostor');
  assert.deepEqual([end['status'], end['stage']], ['auth_failed', 'prove']);
  assert.equal(got, 89);
  await new Promise((resolve) => server.close(resolve));
});

test('stdin that ends in the middle of a slot ends the process there; the other end says closed', async () => {
  for (const how of ['stdin', 'SIGTERM'] as const) {
    const leaver = await LinkProcess.start();
    const start = beginSlot(survivor, leaver, { id: `leave.${how}`, port, length_ms });
    await wait(start + 1000 - monotonicMs());
    if (how === 'SIGTERM') leaver.signal('SIGTERM');
    assert.equal(how === 'stdin' ? await leaver.close() : await leaver.exited(), 0);
    assert.equal((await survivor.next('slot', `leave.${how}`))['status'], 'closed');
  }
});

let struckSlots = 0;

/** One slot whose other end is killed or frozen in it: what the survivor reports, and whether by its own deadline. */
async function strike(t: TestContext, what: (typeof whoAndHow)[number], after_ms: number) {
  const id = `struck.${(struckSlots += 1)}`;
  const victim = await LinkProcess.start();
  // A frozen process would outlive a failed test, and its open output the file.
  t.after(() => victim.signal('SIGKILL'));
  const start =
    what === 'the listener frozen'
      ? beginSlot(victim, survivor, { id, port: await victim.listen(), length_ms, more })
      : beginSlot(survivor, victim, { id, port, length_ms, more });
  // The report is due 100 ms before the end.
  const isInTime = survivor.alarmAt(start + length_ms + 400);
  await wait(start + after_ms - monotonicMs());
  victim.signal(what === 'the dialer killed' ? 'SIGKILL' : 'SIGSTOP');
  const end = await survivor.next('slot', id);
  const told = { id, end, isInTime: isInTime(id) };
  victim.signal('SIGKILL');
  await victim.exited();
  return told;
}

async function measures(id: string): Promise<void> {
  const other = await LinkProcess.start();
  const start = monotonicMs() + 600;
  survivor.say(listenLine(start, { id }));
  other.say(dialLine(start, { id, port }));
  assert.equal((await survivor.next('slot', id))['status'], 'ok');
  assert.equal(await other.close(), 0);
}
