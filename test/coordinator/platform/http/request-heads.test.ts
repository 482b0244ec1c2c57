import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createRoute, z } from '@hono/zod-openapi';
import { access } from '../../../../coordinator/contract/access.ts';
import { envelopeOf } from '../../../../coordinator/contract/errors.ts';
import { json, jsonBody, speaks } from '../../../../coordinator/contract/operation.ts';
import { createArea } from '../../../../coordinator/platform/http/area.ts';
import { createMetrics } from '../../../../coordinator/platform/http/observe.ts';
import { mount } from '../../../../coordinator/platform/http/mount.ts';
import { listen } from '../../../../coordinator/platform/http/serve.ts';
import { testApp } from '../../../support/app.ts';

const { platform } = await testApp({ after });
const common = { ...access.public, method: 'post', request: jsonBody(z.object({ id: z.int() })) } as const;
const area = createArea(platform, 'error');
const echoRoute = {
  ...common,
  ...speaks('error', 'Test'),
  path: '/t/echo',
  responses: { 200: json(z.unknown(), 'it') },
};
area.on(createRoute(echoRoute), async (_context, input) => input.body);
const wrapped = createArea(platform, 'envelope');
const envelope = json(envelopeOf(z.object({ id: z.int() })), 'it');
const wrappedRoute = { ...common, ...speaks('envelope', 'Test'), path: '/t/envelope', responses: { 200: envelope } };
wrapped.on(createRoute(wrappedRoute), async (_context, input) => ({ id: input.body.id }));
const metrics = createMetrics({ processMetrics: false });
const app = mount({ platform, areas: [area, wrapped], verifiers: [], metrics, isDraining: () => false });

async function post(path: string, content: string, contentType: string | null) {
  const headers = contentType === null ? {} : { 'content-type': contentType };
  const answer = await app.request(path, { method: 'POST', headers, body: new TextEncoder().encode(content) });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

test('a body of another content type is refused with the right one; parameters, even empty ones, are not', async () => {
  const message = 'content-type: must be application/json';
  for (const type of [
    null,
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json, text/plain',
    'json',
  ]) {
    const { status, body } = await post('/t/echo', '{"id": 1}', type);
    assert.equal(status, 400, String(type));
    assert.deepEqual(body['error'], { code: 'PARAMETER_INCORRECT_VALUE', message });
  }
  // RFC 9110, 5.6.6: parameters = *( OWS ";" OWS [ parameter ] )
  for (const type of [
    'application/json; charset=utf-8',
    'application/json;',
    'application/json; ;',
    'application/json ; charset=utf-8',
    'application/json;charset="utf-8";q="a;b"',
    'Application/JSON',
    'application/merge-patch+json',
  ])
    assert.equal((await post('/t/echo', '{"id": 1}', type)).status, 200, type);
});

test('415: a body with a Content-Encoding is refused by that name, whatever its type; identity is none', async () => {
  const packed = new Uint8Array(gzipSync('{"id": 1}'));
  const send = (coding: string, body: string | Uint8Array<ArrayBuffer>) =>
    app.request('/t/echo', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': coding },
      body,
    });
  const refused = await send('gzip', packed);
  assert.equal(refused.status, 415);
  assert.equal(refused.headers.get('accept-encoding'), 'identity');
  assert.match(JSON.stringify(await refused.json()), /UNSUPPORTED_ENCODING.*Content-Encoding/);
  assert.equal((await send('identity', '{"id": 1}')).status, 200);
});

test('meta.url is the path as it was sent, with its escapes, in answers and failures, over a socket and without', async (t) => {
  const listening = await listen(app, { host: '127.0.0.1', port: 0 });
  t.after(() => listening.stop());
  const urlIn = (text: string): string => (JSON.parse(text) as { meta: { url: string } }).meta.url;
  const overSocket = async (path: string): Promise<string> => {
    const answer = Promise.withResolvers<string>();
    httpRequest({ port: listening.port, path, method: 'POST' }, (response) => answer.resolve(readText(response))).end();
    return urlIn(await answer.promise);
  };
  for (const path of [
    '/t/envelope?a=%20',
    '/t/%65nvelope',
    '/api/gpu-navigator/a%20b',
    '/api/%2F%C3%A4?x=1',
    '/api/%zz',
  ]) {
    const sent = path.replace(/\?.*/, '');
    assert.equal(urlIn(await (await app.request(path, { method: 'POST' })).text()), sent);
    assert.equal(await overSocket(path), sent);
  }
  assert.equal(await overSocket('http://example.com/api/gpu-navigator/a%20b'), '/api/gpu-navigator/a%20b');
});
