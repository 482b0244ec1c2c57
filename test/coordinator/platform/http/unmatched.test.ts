import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../../support/app.ts';
import { call } from '../../../support/client.ts';

const app = await testApp({ after });

test('404: an unknown path answers in the dialect of the nearest area', async () => {
  const near = async (path: string) => Object.keys(Object((await call(app, 'GET', path)).body));
  assert.deepEqual(await near('/api/gpu-mark/v1/nothing'), ['error']);
  assert.deepEqual(await near('/api/gpu-mark/v1/jobs/1/nothing'), ['error']);
  assert.deepEqual(await near('/api/gpu-mark/test-task/nothing'), ['detail']);
  assert.deepEqual(await near('/api/user/nothing'), ['meta', 'data']);
  assert.deepEqual(await near('/api/nothing'), ['meta', 'data']);
  assert.deepEqual(await near('/nothing'), ['error']);
  assert.equal((await call(app, 'GET', '/api/user/nothing')).status, 404);
});

test('404: a browser gets a page for an address outside the API, a program an error', async () => {
  const answered = async (path: string, accept: string) => {
    const { status, headers, text } = await call(app, 'GET', path, { headers: { accept } });
    return { status, type: headers.get('content-type')?.split(';')[0], hasTitle: text.includes('<h1>Not found</h1>') };
  };
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  assert.deepEqual(await answered('/nothing', browser), { status: 404, type: 'text/html', hasTitle: true });
  const error = { status: 404, type: 'application/json', hasTitle: false };
  assert.deepEqual(await answered('/nothing', '*/*'), error);
  assert.deepEqual(await answered('/api/nothing', browser), error);
  assert.equal((await call(app, 'POST', '/nothing', { headers: { accept: browser } })).status, 404);
  const { headers } = await call(app, 'GET', '/nothing', { headers: { accept: browser } });
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
});

test('405: a known path with another method says in Allow what it takes', async () => {
  const answer = await call(app, 'PUT', '/api/user/login', { body: {} });
  assert.equal(answer.status, 405);
  assert.equal(answer.headers.get('allow'), 'OPTIONS, POST');
  const me = await call(app, 'DELETE', '/api/user/me');
  assert.equal(me.status, 405);
  assert.equal(me.headers.get('allow'), 'GET, HEAD, OPTIONS');
});

test('204: OPTIONS answers with Allow and without a credential', async () => {
  const answer = await call(app, 'OPTIONS', '/api/user/me');
  assert.equal(answer.status, 204);
  assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS');
});

test('HEAD answers as GET does, without a body', async () => {
  const answer = await call(app, 'HEAD', '/healthz');
  assert.deepEqual([answer.status, answer.body], [200, '']);
  assert.equal((await call(app, 'HEAD', '/api/user/me')).status, 401);
});
