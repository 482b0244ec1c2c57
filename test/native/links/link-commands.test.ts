import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { freshKey, LinkProcess, monotonicMs } from '../link-process.ts';

let link: LinkProcess;
before(async () => {
  link = await LinkProcess.start();
});
after(async () => {
  assert.equal(await link.close(), 0);
});

const key = 'a1'.repeat(32);
const soon = (): string => (monotonicMs() + 60_000).toFixed(3);

for (const [word, line] of [
  ['nonsense', () => 'nonsense a=b'],
  ['address', () => 'listen'],
  ['address', () => 'listen address=localhost'],
  ['address', () => 'listen address=0.0.0.0'],
  ['address', () => 'listen address=::'],
  ['address', () => 'listen address=::ffff:10.0.0.1'],
  ['address', () => 'listen address=224.0.0.1'],
  ['address', () => 'unlisten address=127.0.0.9'],
  ['ports', () => 'listen address=127.0.0.1 ports=9-8'],
  ['ports', () => 'listen address=127.0.0.1 ports=0-70000'],
  ['colour', () => 'listen address=127.0.0.1 colour=red'],
  ['', () => 'listen  address=127.0.0.1'],
  ['', () => 'listen address'],
  ['id', () => `accept id=${'x'.repeat(33)} key=${key} from=${soon()} until=${soon()}`],
  ['key', () => `accept id=x key=${key.slice(1)} from=${soon()} until=${soon()}`],
  ['key', () => `accept id=x key=${key.toUpperCase()} from=${soon()} until=${soon()}`],
  ['from', () => `accept id=x key=${key} from=1e15 until=${soon()}`],
  ['from', () => `accept id=x key=${key} from=nan until=${soon()}`],
  ['until', () => `accept id=x key=${key} from=${soon()} until=${(monotonicMs() - 5).toFixed(3)}`],
  ['to', () => `dial id=x key=${key} to=127.0.0.1 start=${soon()} timeout=100`],
  ['to', () => `dial id=x key=${key} to=::1:80 start=${soon()} timeout=100`],
  ['to', () => `dial id=x key=${key} to=${'127.0.0.1:1,'.repeat(16)}127.0.0.1:1 start=${soon()} timeout=100`],
  ['timeout', () => `dial id=x key=${key} to=127.0.0.1:1 start=${soon()} timeout=-1`],
  ['role', () => `slot id=x key=${key} role=both start=${soon()} length=3000`],
  ['mode', () => `slot id=x key=${key} role=dial mode=fast peer=127.0.0.1:1 start=${soon()} length=3000`],
  ['length', () => `slot id=x key=${key} role=dial peer=127.0.0.1:1 start=${soon()} length=1200`],
  ['streams', () => `slot id=x key=${key} role=dial peer=127.0.0.1:1 start=${soon()} length=3000 streams=17`],
  ['streams', () => `slot id=x key=${key} role=dial peer=127.0.0.1:1 start=${soon()} length=3000 streams=1.5`],
  ['cap', () => `slot id=x key=${key} role=dial peer=127.0.0.1:1 start=${soon()} length=3000 cap=-1`],
  ['peer', () => `slot id=x key=${key} role=dial start=${soon()} length=3000`],
  ['local', () => `slot id=x key=${key} role=listen start=${soon()} length=3000`],
  ['id', () => 'say id=x text=00'],
  ['text', () => `say id=x text=${'00'.repeat(8193)}`],
  ['key', () => `accept id=x key=${key} key=${key} from=${soon()} until=${soon()}`],
] as const) {
  const text = line().replace(/\d{6,}\.\d{3}/g, '…');
  test(`"${text.slice(0, 70)}" is an error that names ${word === '' ? 'nothing' : word}`, async () => {
    link.say(line());
    const error = await link.next('error');
    assert.deepEqual([error['code'], error['word']], ['bad_command', word]);
  });
}

test('a line of more than 64 KiB is dropped, and the next one understood', async () => {
  link.say('x'.repeat(200_000));
  assert.match(String((await link.next('error'))['message']), /64 KiB/);
  assert.ok((await link.listen()) > 0);
  link.say('unlisten address=127.0.0.1');
});

test('public addresses are refused for listening, dialling and slots, without a packet', async () => {
  link.say('listen address=8.8.8.8');
  assert.equal((await link.next('listen_failed'))['code'], 'PUBLIC_ADDRESS');
  link.say('listen address=2001:db8::1');
  assert.equal((await link.next('listen_failed'))['code'], 'PUBLIC_ADDRESS');
  link.say(`dial id=pub key=${key} to=172.32.0.1:80,[2001:db8::1]:80 start=${monotonicMs().toFixed(3)} timeout=1000`);
  const dialled = await link.next('dialled', 'pub');
  assert.deepEqual([dialled['status'], dialled['code'], dialled['connect_us']], ['refused', 'PUBLIC_ADDRESS', null]);
  link.say(`slot id=pubs key=${key} role=dial peer=100.128.0.1:80 start=${soon()} length=3000`);
  const slot = await link.next('slot', 'pubs');
  assert.deepEqual([slot['status'], slot['code']], ['refused', 'PUBLIC_ADDRESS']);
  const open = await LinkProcess.start(['--allow-public']);
  open.say('listen address=8.8.8.8');
  assert.equal((await open.next('listen_failed'))['code'], 'EADDRNOTAVAIL', 'with --allow-public the kernel is asked');
  assert.equal(await open.close(), 0);
});

test('a port range is used up one by one, then listening fails by name', async () => {
  const first = await link.listen('127.0.0.3');
  link.say('unlisten address=127.0.0.3');
  const range = `${first}-${first}`;
  assert.equal(await link.listen('127.0.0.3', range), first);
  link.say(`listen address=127.0.0.3 ports=${range}`);
  assert.equal((await link.next('listen_failed'))['code'], 'EALREADY', 'an address has one listener');
  const other = await LinkProcess.start();
  other.say(`listen address=127.0.0.3 ports=${range}`);
  assert.equal((await other.next('listen_failed'))['code'], 'EADDRINUSE');
  link.say('unlisten address=127.0.0.3');
  link.say('nonsense');
  await link.next('error');
  assert.equal(await other.listen('127.0.0.3', range), first, 'and is free again once it is released');
  assert.equal(await other.close(), 0);
});

test('an id in use is refused', async () => {
  link.say(`dial id=twice key=${key} to=127.0.0.1:1 start=${soon()} timeout=100`);
  link.say(`dial id=twice key=${key} to=127.0.0.1:1 start=${soon()} timeout=100`);
  const error = await link.next('error');
  assert.deepEqual([error['word'], error['message']], ['id', 'is in use']);
  link.say('cancel id=twice');
});

test('keys are in no event and in no argument', async () => {
  const secret = freshKey();
  link.say(`accept id=secret key=${secret} from=${soon()} until=${soon()}`);
  link.say(`accept id=secret key=${secret}x from=${soon()} until=${soon()}`);
  await link.next('error');
  link.say(`${secret} a=b`);
  await link.next('error');
  assert.ok(!link.text.some((line) => line.includes(secret.slice(0, 16))));
});
