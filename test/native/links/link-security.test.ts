import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { beginSlot, freshKey, LinkProcess, listenLine, monotonicMs, object } from '../link-process.ts';

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
  error: string | null;
}

/** Connects, sends these bytes, and waits until the connection is closed; `dribble`: one more byte every 20 ms. */
async function knock(
  say: Buffer | null,
  { dribble = false, at = port, from }: { dribble?: boolean; at?: number; from?: string | undefined } = {},
): Promise<Stranger> {
  return new Promise((resolve) => {
    const stranger: Stranger = { answered: 0, error: null };
    const socket: Socket = connect({ host: '127.0.0.1', port: at, localAddress: from }, () => {
      if (say !== null) socket.write(say);
    });
    const more = dribble ? setInterval(() => socket.write('G'), 20) : undefined;
    socket.on('data', (bytes) => (stranger.answered += bytes.length));
    socket.on('error', (error) => (stranger.error = error.message));
    socket.on('close', () => {
      clearInterval(more);
      resolve(stranger);
    });
    socket.on('end', () => socket.destroy());
  });
}

/** The 89 bytes of a hello, built here from the protocol's text. */
function hello(id: string, stream: number, key: string): Buffer {
  const wireId = Buffer.alloc(32);
  wireId.write(id);
  const body = Buffer.concat([wireId, Buffer.from([stream]), randomBytes(16)]);
  const mac = createHmac('sha256', Buffer.from(key, 'hex')).update('dial').update(body).digest();
  return Buffer.concat([Buffer.from('GMLINK1\n'), body, mac]);
}

/**
 * Sends a hello and returns the response: an answer of 48 bytes, or what had arrived when the connection was closed.
 */
async function greet(bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve) => {
    let got = Buffer.alloc(0);
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => {
      got = Buffer.concat([got, chunk]);
      if (got.length >= 48) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('end', () => socket.destroy());
    socket.on('close', () => resolve(got));
  });
}

test('a proof built from the protocol’s text is answered by a proof, once; a replay gets no answer', async () => {
  const key = freshKey();
  const now = monotonicMs();
  listener.say(`accept id=peer key=${key} from=${now.toFixed(3)} until=${(now + 60_000).toFixed(3)}`);
  await listener.heard();
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

test('no peer is answered before the window, after it, with another id or for a connection that the slot does not have', async () => {
  const key = freshKey();
  const now = monotonicMs();
  listener.say(`accept id=early key=${key} from=${(now + 60_000).toFixed(3)} until=${(now + 65_000).toFixed(3)}`);
  listener.say(`accept id=over key=${key} from=${(now - 3000).toFixed(3)} until=${(now - 1).toFixed(3)}`);
  listener.say(`accept id=right key=${key} from=${now.toFixed(3)} until=${(now + 60_000).toFixed(3)}`);
  await listener.heard();
  for (const bytes of [hello('early', 0, key), hello('over', 0, key), hello('wrong', 0, key), hello('right', 1, key)]) {
    assert.equal((await greet(bytes)).length, 0);
  }
  assert.equal((await greet(hello('right', 0, key))).length, 48);
});

test('a slot is open from 300 ms before its start', async () => {
  const key = freshKey();
  const start = monotonicMs() + 2000;
  listener.say(listenLine(start, { id: 'window', key }));
  assert.equal((await greet(hello('window', 0, key))).length, 0, '2 s before');
  await new Promise((resolve) => setTimeout(resolve, start - 250 - monotonicMs()));
  assert.equal((await greet(hello('window', 0, key))).length, 48);
  assert.equal((await listener.next('slot', 'window'))['status'], 'closed');
});

test('1,000 unknown peers get no byte and are disconnected, silent ones before the measurement ends, and the link is measured', async () => {
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
    async () => knock(Buffer.from('GMLINK1\n'), { dribble: true }),
    async () => knock(hello(id, 0, freshKey()).subarray(0, 60)),
  ];
  await new Promise((resolve) => setTimeout(resolve, 500));
  const strangers: Stranger[] = [];
  for (let batch = 0; batch < 25; batch += 1) {
    const knocks = Array.from({ length: 40 }, (_, i) => kinds[i % kinds.length]?.() ?? knock(null));
    strangers.push(...(await Promise.all(knocks)));
    if (batch === 0) assert.ok(!listener.text.some((line) => line.includes('"event":"slot"') && line.includes(id)));
  }
  assert.equal(strangers.length, 1000);
  assert.equal(strangers.filter((one) => one.answered > 0).length, 0, 'no byte to anybody');
  for (const end of [await listener.next('slot', id), await dialer.next('slot', id)]) {
    assert.equal(end['status'], 'ok', JSON.stringify(end));
    assert.ok(Number(object(end['received'])['gbps']) > 0);
  }
});

test('of 20 silent connections from one host the newest 8 stay until their timeout, the older ones are closed', async () => {
  expectSomebody();
  // Commands are executed in order: those before an open port have been read.
  await listener.listen('127.0.0.2');
  const closed: string[] = [];
  const stay = async (name: string, from?: string): Promise<void> => {
    await knock(null, { from });
    closed.push(name);
  };
  // From another host, and opened 150 ms before the others: it lives until its timeout, which is before theirs.
  const elsewhere = stay('elsewhere', '127.0.0.3');
  await new Promise((resolve) => setTimeout(resolve, 150));
  await Promise.all([elsewhere, ...Array.from({ length: 20 }, async (_, at) => stay(at < 12 ? 'older' : 'newer'))]);
  assert.deepEqual(
    closed.slice(0, closed.indexOf('elsewhere')),
    Array.from({ length: 12 }, () => 'older'),
  );
});

test('if no peer is expected a connection is closed at once, unread', async () => {
  expectSomebody();
  await listener.listen('127.0.0.3');
  const idle = await LinkProcess.start();
  const closed: string[] = [];
  const stay = async (name: string, at: number): Promise<Stranger> => {
    const stranger = await knock(null, { at });
    closed.push(name);
    return stranger;
  };
  // Opened before, and closed at its timeout.
  const expected = stay('expected', port);
  const { answered } = await stay('idle', await idle.listen());
  await expected;
  assert.deepEqual([closed, answered], [['idle', 'expected'], 0]);
  await idle.close();
});

function expectSomebody(): void {
  const now = monotonicMs();
  const key = freshKey();
  listener.say(`accept id=limits key=${key} from=${now.toFixed(3)} until=${(now + 5000).toFixed(3)}`);
}
