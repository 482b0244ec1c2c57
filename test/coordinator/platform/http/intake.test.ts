import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { createRoute, z } from '@hono/zod-openapi';
import { access } from '../../../../coordinator/contract/access.ts';
import { json, jsonBody, speaks } from '../../../../coordinator/contract/operation.ts';
import { readConfig } from '../../../../coordinator/platform/config.ts';
import { addressKey } from '../../../../coordinator/platform/address-blocks.ts';
import { createArea } from '../../../../coordinator/platform/http/area.ts';
import { FairBytes } from '../../../../coordinator/platform/http/intake.ts';
import { createMetrics } from '../../../../coordinator/platform/http/observe.ts';
import { mount } from '../../../../coordinator/platform/http/mount.ts';
import { defaultLimits, listen } from '../../../../coordinator/platform/http/serve.ts';
import { testApp } from '../../../support/app.ts';

const { platform } = await testApp({ after }, { environment: { BODY_GRACE_SECONDS: '0.2' } });
const area = createArea(platform, 'error');
const common = {
  ...speaks('error', 'Test'),
  method: 'post',
  responses: { 200: json(z.unknown(), 'anything') },
} as const;
const request = jsonBody(z.object({}));
area.on(createRoute({ ...common, ...access.public, path: '/open', request }), async () => ({}));
area.on(
  createRoute({ ...common, ...access.user, path: '/closed', 'x-body-limit': 8 << 20, request }),
  async () => ({}),
);
const metrics = createMetrics({ processMetrics: false });
const app = mount({ platform, areas: [area], verifiers: [], metrics, isDraining: () => false });
const address = { host: '127.0.0.1', port: 0 };
const { port, stop } = await listen(app, address);
after(stop);

async function dial(to: number): Promise<{ socket: Socket; all: Promise<string> }> {
  const socket = connect(to, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => void (text += chunk.toString()));
  socket.on('error', () => undefined);
  const all = once(socket, 'close').then(() => text);
  await once(socket, 'connect');
  return { socket, all };
}
const post = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

test('401 comes before the body does', async () => {
  const { socket, all } = await dial(port);
  socket.write(post('/closed', 8_000_000));
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  assert.match(chunk.toString(), /^HTTP\/1\.1 401 /);
  socket.destroy();
  await all;
});

test('408: a body that stops arriving is given up after the grace, and its connection ends', async () => {
  const { socket, all } = await dial(port);
  socket.write(`${post('/open', 4000)}{`);
  assert.match(await all, /^HTTP\/1\.1 408 [^]*REQUEST_TIMEOUT/);
});

test('an address has so many connections; idle ones that were answered make room', async (t) => {
  const listening = await listen(app, address, { ...defaultLimits, maxConnectionsPerAddress: 2 });
  t.after(() => listening.stop());
  const first = await dial(listening.port);
  first.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(first.socket, 'data');
  const second = await dial(listening.port);
  const third = await dial(listening.port);
  await first.all;
  const fourth = await dial(listening.port);
  assert.equal(await fourth.all, '');
  for (const { socket } of [second, third])
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  for (const { all } of [second, third]) assert.match(await all, /^HTTP\/1\.1 200 /);
});

test('a connection with more than a few requests outstanding is closed', async () => {
  const { socket, all } = await dial(port);
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50));
  assert.ok((await all).split('HTTP/1.1 200').length < 12);
});

test('of bytes that are all taken, the holder with the most gives up its largest body', () => {
  const given: string[] = [];
  const bytes = new FairBytes({ total: 100, perHolder: 80 });
  const greedy = ['a', 'b', 'c'].map((name) => bytes.open('greedy', () => void given.push(name)));
  assert.deepEqual([greedy[0]?.add(30), greedy[1]?.add(40), greedy[2]?.add(20)], [true, true, false]);
  const modest = bytes.open('modest', () => void given.push('modest'));
  assert.equal(modest.add(20), true);
  assert.equal(modest.add(20), true);
  assert.deepEqual(given, ['b']);
  assert.equal(greedy[0]?.add(60), false);
  modest.end();
  assert.equal(greedy[0]?.add(50), true);
});

test('IPv6 counts by its /64, IPv4 by its address however it is written', () => {
  assert.equal(addressKey('2001:db8::1'), addressKey('2001:DB8:0:0:ffff::2'));
  assert.notEqual(addressKey('2001:db8:0:1::1'), addressKey('2001:db8::1'));
  assert.equal(addressKey('::ffff:192.0.2.1'), addressKey('192.0.2.1'));
  assert.equal(addressKey('fe80::1%eth0'), addressKey('fe80::2'));
});

test('a wrong setting stops the start with its name', () => {
  for (const name of [
    'CONNECTIONS',
    'CONNECTIONS_PER_ADDRESS',
    'REQUESTS_PER_ADDRESS',
    'BODY_MIB',
    'BODY_MIB_PER_CUSTOMER',
    'BODY_MIB_PER_ADDRESS',
    'BODY_KIB_OF_STRANGERS',
    'BODY_BYTES_PER_SECOND',
    'BODY_GRACE_SECONDS',
    'ANSWER_MIB_PER_ADDRESS',
    'UPLOAD_THREADS',
  ])
    assert.throws(() => readConfig({ [name]: '-1' }), new RegExp(`wrong value. ${name}: `));
});
