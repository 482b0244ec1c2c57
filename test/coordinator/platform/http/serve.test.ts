import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { createRoute, z } from '@hono/zod-openapi';
import { access } from '../../../../coordinator/contract/access.ts';
import { json, jsonBody, speaks } from '../../../../coordinator/contract/operation.ts';
import { createArea } from '../../../../coordinator/platform/http/area.ts';
import { createMetrics } from '../../../../coordinator/platform/http/observe.ts';
import { mount } from '../../../../coordinator/platform/http/mount.ts';
import { defaultLimits, listen } from '../../../../coordinator/platform/http/serve.ts';
import { testApp } from '../../../support/app.ts';

const shared = await testApp({ after });

test('two Host headers are 400, whatever they say and however they are written, and nothing else of the request is read', async (t) => {
  const app = { fetch: () => new Response('reached') };
  const listening = await listen(app, { host: '127.0.0.1', port: 0 });
  t.after(() => listening.stop());
  for (const [hosts, status] of [
    [['Host: a', 'Host: b'], 400],
    [['Host: a', 'Host: a'], 400],
    [['hOsT: a', 'X: y', 'HOST: b'], 400],
    [[], 400],
    [['Host: a'], 200],
    [['Host: a', 'X-Host: b'], 200],
  ] as const) {
    const { send, all } = await dial(listening.port);
    send(`GET / HTTP/1.1\r\n${[...hosts, 'Connection: close'].join('\r\n')}\r\n\r\n`);
    const answer = await all;
    assert.ok(answer.startsWith(`HTTP/1.1 ${status} `), `${hosts.join(', ')}: ${answer}`);
    assert.equal(answer.includes('reached'), status === 200);
  }
});

/** One raw connection: what was sent to it, and all that came back until the other side closed. */
async function dial(port: number): Promise<{ socket: Socket; send: (text: string) => void; all: Promise<string> }> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (chunk: Buffer) => void (text += chunk.toString()));
  socket.on('error', () => undefined);
  const all = once(socket, 'close').then(() => text);
  return { socket, send: (words) => void socket.write(words), all };
}

/** An app with one operation that answers only when told to. */
function slowApp() {
  const entered = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  let draining = false;
  const common = { ...access.public, ...speaks('error', 'Test'), responses: { 200: json(z.unknown(), 'anything') } };
  const area = createArea(shared.platform, 'error');
  area.on(createRoute({ ...common, method: 'get', path: '/slow' }), async () => {
    entered.resolve();
    await release.promise;
    return { done: true };
  });
  area.on(
    createRoute({ ...common, method: 'post', path: '/take', request: jsonBody(z.object({}), false) }),
    async () => ({}),
  );
  const metrics = createMetrics({ processMetrics: false });
  const app = mount({ platform: shared.platform, areas: [area], verifiers: [], metrics, isDraining: () => draining });
  return { app, entered: entered.promise, release: release.resolve, drain: () => void (draining = true) };
}

const address = { host: '127.0.0.1', port: 0 };

test('a stop lets the request in flight end, takes no new one, and then resolves', async () => {
  const { app, entered, release } = slowApp();
  const listening = await listen(app, address);
  const answer = fetch(`${listening.url}/slow`).then((response) => response.json());
  await entered;
  const stopped = listening.stop();
  await assert.rejects(fetch(`${listening.url}/healthz`));
  release();
  assert.deepEqual(await answer, { done: true });
  await stopped;
});

test('a stop cuts what is still running at its deadline', async () => {
  const { app, entered, release } = slowApp();
  const listening = await listen(app, address, { ...defaultLimits, drainDeadlineMs: 50 });
  const answer = fetch(`${listening.url}/slow`);
  const cut = assert.rejects(answer);
  await entered;
  await listening.stop();
  await cut;
  release();
});

test('idle keep-alive connections do not hold a stop up', async () => {
  const { app } = slowApp();
  const listening = await listen(app, address);
  const { send, socket, all } = await dial(listening.port);
  send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  await listening.stop();
  assert.match(await all, /^HTTP\/1\.1 200 /);
});

test('while draining /readyz answers 503 and connections are asked to close', async () => {
  const { app, drain } = slowApp();
  assert.equal((await app.request('/readyz')).status, 200);
  drain();
  const ready = await app.request('/readyz');
  assert.equal(ready.status, 503);
  assert.equal(ready.headers.get('connection'), 'close');
  assert.equal(ready.headers.get('retry-after'), '5');
  assert.equal((await app.request('/healthz')).status, 200);
});

test('408: a client that drips its headers is cut off', async (t) => {
  const listening = await listen(slowApp().app, address, { ...defaultLimits, headersTimeoutMs: 150 });
  t.after(() => listening.stop());
  const { send, all } = await dial(listening.port);
  send('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ');
  assert.match(await all, /^HTTP\/1\.1 408 /);
});

test('408: a client that drips its body is cut off', async (t) => {
  const limits = { ...defaultLimits, headersTimeoutMs: 150, requestTimeoutMs: 150 };
  const listening = await listen(slowApp().app, address, limits);
  t.after(() => listening.stop());
  const { send, all } = await dial(listening.port);
  send('POST /take HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{');
  assert.match(await all, /^HTTP\/1\.1 408 /);
});

test('431: headers over the limit are refused', async (t) => {
  const listening = await listen(slowApp().app, address);
  t.after(() => listening.stop());
  const { send, all } = await dial(listening.port);
  send(`GET /healthz HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`);
  assert.match(await all, /^HTTP\/1\.1 431 /);
});

test('connections over the limit are closed at once', async (t) => {
  const listening = await listen(slowApp().app, address, { ...defaultLimits, maxConnections: 1 });
  t.after(() => listening.stop());
  const first = await dial(listening.port);
  const second = await dial(listening.port);
  assert.equal(await second.all, '');
  first.send('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  assert.match(await first.all, /^HTTP\/1\.1 200 /);
});

for (const framing of ['Content-Length: 3000000', 'Transfer-Encoding: chunked']) {
  test(`413: a client that writes all before it reads gets the answer (${framing})`, async (t) => {
    const listening = await listen(slowApp().app, address);
    t.after(() => listening.stop());
    const { send, all } = await dial(listening.port);
    const chunked = framing.startsWith('Transfer');
    const content = 'x'.repeat(3_000_000);
    send(`POST /take HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`);
    send(chunked ? `${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n` : content);
    // The connection is still in step: the next request on it is answered.
    send('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const text = await all;
    assert.match(text, /^HTTP\/1\.1 413 [^]*BODY_TOO_LARGE[^]*HTTP\/1\.1 200 [^]*"ok"/);
  });
}

test('a POST without body and content type is answered over a real connection', async (t) => {
  const listening = await listen(slowApp().app, address);
  t.after(() => listening.stop());
  assert.equal((await fetch(`${listening.url}/take`, { method: 'POST' })).status, 200);
});

test('a client that leaves in the middle of its body does not disturb the others', async (t) => {
  const listening = await listen(slowApp().app, address);
  t.after(() => listening.stop());
  const { send, socket, all } = await dial(listening.port);
  send('POST /take HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{');
  socket.end();
  socket.destroy();
  await all;
  assert.equal((await fetch(`${listening.url}/healthz`)).status, 200);
});

test('an address that is taken is refused with a sentence that names HOST and PORT', async (t) => {
  const listening = await listen(slowApp().app, address);
  t.after(() => listening.stop());
  await assert.rejects(listen(slowApp().app, { host: '127.0.0.1', port: listening.port }), {
    message: `HOST and PORT: cannot listen on 127.0.0.1:${listening.port} (something else listens there).`,
  });
});
