import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { beginSlot, freshKey, LinkProcess, listenLine, monotonicMs, object } from './link-process.ts';

let listener: LinkProcess;
let dialer: LinkProcess;
let port = 0;
before(async () => {
  listener = await LinkProcess.start();
  dialer = await LinkProcess.start();
  port = await listener.listen();
});
after(async () => {
  await listener.close();
  await dialer.close();
});

interface Stranger {
  answered: number;
  open_ms: number;
  error: string | null;
}

/** Connects, says this, and waits until it is closed on; `dribble`: more bytes every 20 ms. */
async function knock(say: Buffer | null, dribble = false): Promise<Stranger> {
  const begun = monotonicMs();
  return new Promise((resolve) => {
    const stranger: Stranger = { answered: 0, open_ms: 0, error: null };
    const socket: Socket = connect({ host: '127.0.0.1', port }, () => {
      if (say !== null) socket.write(say);
    });
    const more = dribble ? setInterval(() => socket.write('G'), 20) : undefined;
    socket.on('data', (bytes) => (stranger.answered += bytes.length));
    socket.on('error', (error) => (stranger.error = error.message));
    socket.on('close', () => {
      clearInterval(more);
      stranger.open_ms = monotonicMs() - begun;
      resolve(stranger);
    });
    socket.on('end', () => socket.destroy());
  });
}

/** The 89 bytes as the protocol has them, made here from its text. */
function hello(id: string, stream: number, key: string): Buffer {
  const wireId = Buffer.alloc(32);
  wireId.write(id);
  const body = Buffer.concat([wireId, Buffer.from([stream]), randomBytes(16)]);
  const mac = createHmac('sha256', Buffer.from(key, 'hex')).update('dial').update(body).digest();
  return Buffer.concat([Buffer.from('GMLINK1\n'), body, mac]);
}

/** Sends a hello and gives what came back before the end, or for 150 ms where the connection stays. */
async function greet(bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve) => {
    const got: Buffer[] = [];
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => got.push(chunk));
    socket.on('error', () => undefined);
    const timer = setTimeout(() => socket.destroy(), 150);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(got));
    });
  });
}

test('a proof made by the text of the protocol is answered by one, once; the same bytes again get nothing', async () => {
  const key = freshKey();
  const now = monotonicMs();
  listener.say(`accept id=peer key=${key} from=${now.toFixed(3)} until=${(now + 5000).toFixed(3)}`);
  const mine = hello('peer', 0, key);
  const answer = await greet(mine);
  assert.equal(answer.length, 48);
  const expected = createHmac('sha256', Buffer.from(key, 'hex'))
    .update('listen')
    .update(mine.subarray(8, 57))
    .update(answer.subarray(0, 16))
    .digest();
  assert.deepEqual(answer.subarray(16), expected);
  await listener.next('accepted', 'peer');
  assert.equal((await greet(mine)).length, 0, 'replayed');
  assert.equal((await greet(hello('peer', 0, key))).length, 0, 'a second proof of the same connection');
});

test('nobody is answered before the window, after it, with another id or a connection that the slot does not have', async () => {
  const key = freshKey();
  const now = monotonicMs();
  listener.say(`accept id=early key=${key} from=${(now + 3000).toFixed(3)} until=${(now + 5000).toFixed(3)}`);
  listener.say(`accept id=over key=${key} from=${(now - 3000).toFixed(3)} until=${(now - 1).toFixed(3)}`);
  listener.say(`accept id=right key=${key} from=${now.toFixed(3)} until=${(now + 3000).toFixed(3)}`);
  for (const bytes of [hello('early', 0, key), hello('over', 0, key), hello('wrong', 0, key), hello('right', 1, key)]) {
    assert.equal((await greet(bytes)).length, 0);
  }
  assert.equal((await greet(hello('right', 0, key))).length, 48);
});

test('a slot is open from 300 ms before its start', async () => {
  const key = freshKey();
  const start = monotonicMs() + 800;
  listener.say(listenLine(start, { id: 'window', key }));
  assert.equal((await greet(hello('window', 0, key))).length, 0, '800 ms before');
  await new Promise((resolve) => setTimeout(resolve, start - 250 - monotonicMs()));
  assert.equal((await greet(hello('window', 0, key))).length, 48);
  assert.equal((await listener.next('slot', 'window'))['status'], 'closed');
});

test('1,000 strangers during a measurement get no byte, are closed within 400 ms, and the link is measured', async () => {
  const id = 'crowded';
  beginSlot(listener, dialer, { id, port, length_ms: 6000, key: freshKey(), more: ' ping_pause=5' });
  const key = freshKey();
  const recorded = hello('peer', 0, key);
  const kinds: (() => Promise<Stranger>)[] = [
    async () => knock(hello(id, 0, freshKey())),
    async () => knock(Buffer.from('GET / HTTP/1.1\r\nhost: x\r\n\r\n')),
    async () => knock(randomBytes(5000)),
    async () => knock(null),
    async () => knock(recorded),
    async () => knock(Buffer.alloc(200_000, 'G')),
    async () => knock(Buffer.from('GMLINK1\n'), true),
    async () => knock(hello(id, 0, freshKey()).subarray(0, 60)),
  ];
  await new Promise((resolve) => setTimeout(resolve, 500));
  const strangers: Stranger[] = [];
  for (let batch = 0; batch < 25; batch += 1) {
    const knocks = Array.from({ length: 40 }, (_, i) => kinds[i % kinds.length]?.() ?? knock(null));
    strangers.push(...(await Promise.all(knocks)));
  }
  assert.equal(strangers.length, 1000);
  assert.equal(strangers.filter((one) => one.answered > 0).length, 0, 'no byte to anybody');
  const slowest = Math.max(...strangers.map((one) => one.open_ms));
  assert.ok(slowest < 400 + 400, `the slowest was open for ${slowest} ms`);
  for (const end of [await listener.next('slot', id), await dialer.next('slot', id)]) {
    assert.equal(end['status'], 'ok', JSON.stringify(end));
    assert.ok(Number(object(end['received'])['gbps']) > 0);
  }
});

test('of 20 silent connections from one host 8 stay until their time is over, the older ones are closed for them', async () => {
  const now = monotonicMs();
  listener.say(`accept id=limits key=${freshKey()} from=${now.toFixed(3)} until=${(now + 5000).toFixed(3)}`);
  // Commands are taken in their order: what comes before a port that is open has been read.
  await listener.listen('127.0.0.2');
  const silent = await Promise.all(Array.from({ length: 20 }, async () => knock(null)));
  const early = silent.filter((one) => one.open_ms < 300).length;
  assert.equal(early, 12);
  assert.ok(silent.every((one) => one.open_ms < 900));
});

test('where nobody is expected a connection is closed at once, unread', async () => {
  const idle = await LinkProcess.start();
  const before_port = port;
  port = await idle.listen();
  const stranger = await knock(null);
  port = before_port;
  assert.ok(stranger.open_ms < 250, `${stranger.open_ms} ms`);
  assert.equal(stranger.answered, 0);
  await idle.close();
});
