import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { beginSlot, dialLine, LinkProcess, listenLine, monotonicMs } from './link-process.ts';

// Where a fault strikes, in ms after the start of a slot of 6 s: the dialer connects at 100, pings of 20 ms pause last until about
// 420, each direction (6000 - 1200) / 2 = 2400.
const moments = [
  ['ping', 250],
  ['forward', 1500],
  ['reverse', 3900],
] as const;
const length_ms = 6000;
const more = ' ping_pause=20';
/** The report is due 100 ms before the end; a machine busy with other tests hears of it later. */
const late_ms = 500;

let survivor: LinkProcess;
let port = 0;
before(async () => {
  survivor = await LinkProcess.start();
  port = await survivor.listen();
});
after(async () => {
  assert.equal(await survivor.close(), 0);
});

for (const [stage, after_ms] of moments) {
  test(`the dialer killed in ${stage}: the listener says closed there at once`, async () => {
    const victim = await LinkProcess.start();
    const start = beginSlot(survivor, victim, { id: `kill.${stage}`, port, length_ms, more });
    await wait(start + after_ms - monotonicMs());
    victim.signal('SIGKILL');
    const end = await survivor.next('slot', `kill.${stage}`);
    assert.deepEqual([end['status'], end['stage']], ['closed', stage]);
    assert.ok(monotonicMs() < start + after_ms + 500);
    await victim.exited();
  });

  test(`the dialer frozen in ${stage}: the listener says timeout there by its own deadline, and measures the next slot`, async () => {
    const victim = await LinkProcess.start();
    const start = beginSlot(survivor, victim, { id: `freeze.${stage}`, port, length_ms, more });
    await wait(start + after_ms - monotonicMs());
    victim.signal('SIGSTOP');
    const end = await survivor.next('slot', `freeze.${stage}`);
    assert.deepEqual([end['status'], end['stage']], ['timeout', stage]);
    assert.equal(
      end['received'] === null,
      stage !== 'reverse',
      'a direction cut short has no figure, a complete one stays',
    );
    assert.ok(monotonicMs() < start + length_ms + late_ms);
    victim.signal('SIGKILL');
    await victim.exited();
    await measures(`after.freeze.${stage}`);
  });

  test(`the listener frozen in ${stage}: the dialer says timeout there by its own deadline`, async () => {
    const victim = await LinkProcess.start();
    const start = beginSlot(victim, survivor, { id: `hold.${stage}`, port: await victim.listen(), length_ms, more });
    await wait(start + after_ms - monotonicMs());
    victim.signal('SIGSTOP');
    const end = await survivor.next('slot', `hold.${stage}`);
    assert.deepEqual([end['status'], end['stage'], end['received']], ['timeout', stage, null]);
    assert.ok(monotonicMs() < start + length_ms + late_ms);
    victim.signal('SIGKILL');
    await victim.exited();
  });
}

test('a listener frozen before the slot: connected by its kernel, then silence: timeout at prove', async () => {
  const victim = await LinkProcess.start();
  const victimPort = await victim.listen();
  victim.signal('SIGSTOP');
  const start = monotonicMs() + 350;
  survivor.say(dialLine(start, { id: 'frozen', port: victimPort }));
  const end = await survivor.next('slot', 'frozen');
  assert.deepEqual([end['status'], end['stage']], ['timeout', 'prove']);
  assert.ok(monotonicMs() < start + 900, 'connecting and proving are over 650 ms after the start');
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

test('stdin that ends in the middle of a slot ends the process within a second; the other end says closed', async () => {
  for (const how of ['stdin', 'SIGTERM'] as const) {
    const leaver = await LinkProcess.start();
    const start = beginSlot(survivor, leaver, { id: `leave.${how}`, port, length_ms });
    await wait(start + 1000 - monotonicMs());
    const asked = monotonicMs();
    if (how === 'SIGTERM') leaver.signal('SIGTERM');
    assert.equal(how === 'stdin' ? await leaver.close() : await leaver.exited(), 0);
    assert.ok(monotonicMs() - asked < 1000);
    assert.equal((await survivor.next('slot', `leave.${how}`))['status'], 'closed');
  }
});

async function measures(id: string): Promise<void> {
  const other = await LinkProcess.start();
  const start = monotonicMs() + 320;
  survivor.say(listenLine(start, { id }));
  other.say(dialLine(start, { id, port }));
  assert.equal((await survivor.next('slot', id))['status'], 'ok');
  assert.equal(await other.close(), 0);
}
