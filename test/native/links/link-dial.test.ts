import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { freshKey, LinkProcess, monotonicMs } from '../link-process.ts';

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

const accept = (id: string, key: string): void => {
  const now = monotonicMs();
  listener.say(`accept id=${id} key=${key} from=${now.toFixed(3)} until=${(now + 60_000).toFixed(3)}`);
};
const dial = (id: string, key: string, to: string, timeout = 10_000): void =>
  dialer.say(`dial id=${id} key=${key} to=${to} start=${(monotonicMs() + 50).toFixed(3)} timeout=${timeout}`);

test('a dial authenticates both ends and reports the address that answered', async () => {
  const key = freshKey();
  accept('p.1', key);
  await listener.heard();
  dial('p.1', key, `127.0.0.1:1,127.0.0.1:${port}`);
  const dialled = await dialer.next('dialled', 'p.1');
  assert.deepEqual([dialled['status'], dialled['address'], dialled['code']], ['ok', '127.0.0.1', null]);
  assert.ok(Number(dialled['connect_us']) > 0);
  await listener.next('accepted', 'p.1');
});

test('255 dials, 16 at a time, all arrive', async () => {
  const key = freshKey();
  const ids = Array.from({ length: 255 }, (_, i) => `all.${i}`);
  for (const id of ids) accept(id, key);
  await listener.heard();
  for (const id of ids) dial(id, key, `127.0.0.1:${port}`);
  const dialled = await Promise.all(ids.map(async (id) => dialer.next('dialled', id)));
  assert.deepEqual(new Set(dialled.map((one) => one['status'])), new Set(['ok']));
});

test('IPv6 addresses are dialled like IPv4 ones', async () => {
  const sixth = await listener.listen('::1');
  const key = freshKey();
  accept('six', key);
  await listener.heard();
  dial('six', key, `[::1]:${sixth}`);
  assert.deepEqual([(await dialer.next('dialled', 'six'))['address']], ['::1']);
});

test('refused, silent and unauthenticated listeners are distinguished', async () => {
  const silent = createServer(() => undefined);
  const liar = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write(Buffer.alloc(48));
  });
  const ports = await Promise.all(
    [silent, liar].map(async (server) => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const bound = server.address();
      return bound !== null && typeof bound === 'object' ? bound.port : 0;
    }),
  );
  dial('no.1', freshKey(), '127.0.0.1:1');
  dial('no.2', freshKey(), `127.0.0.1:${ports[0]}`, 300);
  dial('no.3', freshKey(), `127.0.0.1:${ports[1]}`);
  dial('no.4', freshKey(), `127.0.0.1:${port}`);
  const status = async (id: string): Promise<unknown> => (await dialer.next('dialled', id))['status'];
  assert.deepEqual(
    [await status('no.1'), await status('no.2'), await status('no.3'), await status('no.4')],
    ['refused', 'timeout', 'auth_failed', 'closed'],
  );
  silent.close();
  liar.close();
  dialer.say('cancel id=no.1');
});

test('a dial cancelled before its start emits nothing', async () => {
  dialer.say(`dial id=gone key=${freshKey()} to=127.0.0.1:1 start=${(monotonicMs() + 60_000).toFixed(3)} timeout=10`);
  dialer.say('cancel id=gone');
  dial('then', freshKey(), '127.0.0.1:1');
  assert.equal((await dialer.next('dialled', 'then'))['status'], 'refused');
  assert.ok(!dialer.text.some((line) => line.includes('"gone"')));
});

const channel = async (id: string, length_ms: number): Promise<void> => {
  const key = freshKey();
  const common = `id=${id} key=${key} start=${(monotonicMs() + 600).toFixed(3)} length=${length_ms} mode=channel`;
  listener.say(`slot role=listen local=127.0.0.1 ${common}`);
  dialer.say(`slot role=dial peer=127.0.0.1:${port} ${common}`);
  for (const end of [listener, dialer]) assert.equal((await end.next('channel', id))['status'], 'ok');
};

test('a channel carries messages in both directions, in order, up to 8 KiB, until one end hangs up', async () => {
  await channel('talk', 8000);
  const long = 'ff00'.repeat(4096);
  for (const text of ['01', '', long]) dialer.say(`say id=talk text=${text}`);
  listener.say('say id=talk text=0a0b');
  assert.equal((await dialer.next('heard', 'talk'))['text'], '0a0b');
  const heard = [];
  for (let i = 0; i < 3; i += 1) heard.push((await listener.next('heard', 'talk'))['text']);
  assert.deepEqual(heard, ['01', '', long]);
  dialer.say('say id=talk text=ee');
  dialer.say('hang_up id=talk');
  assert.equal((await listener.next('heard', 'talk'))['text'], 'ee', 'what was said before hanging up arrives');
  await Promise.all([listener.next('hung_up', 'talk'), dialer.next('hung_up', 'talk')]);
});

test('a channel ends with its slot', async () => {
  const begun = monotonicMs();
  await channel('short', 1500);
  await Promise.all([listener.next('hung_up', 'short'), dialer.next('hung_up', 'short')]);
  assert.ok(monotonicMs() - begun >= 1500, 'not before');
});
