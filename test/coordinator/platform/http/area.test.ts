import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { createRoute, z } from '@hono/zod-openapi';
import { access } from '../../../../coordinator/contract/access.ts';
import { envelopeOf } from '../../../../coordinator/contract/errors.ts';
import { json, jsonBody, speaks } from '../../../../coordinator/contract/operation.ts';
import { digitsId, queryInt, repeated, text } from '../../../../coordinator/contract/wire.ts';
import { DomainError } from '../../../../coordinator/platform/errors.ts';
import { createArea, reply } from '../../../../coordinator/platform/http/area.ts';
import { createMetrics } from '../../../../coordinator/platform/http/observe.ts';
import { mount } from '../../../../coordinator/platform/http/mount.ts';
import { listen } from '../../../../coordinator/platform/http/serve.ts';
import { testApp } from '../../../support/app.ts';

const { platform, logLines } = await testApp({ after });

const body = z.object({ id: digitsId, note: text(10).default('none') });
const anything = json(z.unknown(), 'anything');
const common = { ...access.public, ...speaks('error', 'Test'), method: 'post', responses: { 200: anything } } as const;
const echoRoute = createRoute({ ...common, path: '/t/echo', request: jsonBody(body) });
const optionalRoute = createRoute({
  ...common,
  path: '/t/optional',
  request: jsonBody(z.object({ page: z.int().default(1) }), false),
});
const smallRoute = createRoute({ ...common, path: '/t/small', 'x-body-limit': 100, request: jsonBody(z.object({})) });
const getBodyRoute = createRoute({ ...common, method: 'get', path: '/t/get-body', request: jsonBody(body) });
const slashRoute = createRoute({ ...common, method: 'get', path: '/t/slash/' });
const queryRoute = createRoute({
  ...common,
  method: 'get',
  path: '/t/query/{name}',
  request: {
    params: z.object({ name: text(5) }),
    query: z.object({ page: queryInt(1, 9).default(1), tags: repeated(text(5), 3).optional() }),
  },
});
const createdRoute = createRoute({
  ...common,
  path: '/t/created',
  responses: { 201: json(z.object({ id: z.string() }), 'made') },
});
const failRoute = createRoute({ ...common, path: '/t/fail' });
const envelopeRoute = createRoute({
  ...common,
  ...speaks('envelope', 'Test'),
  path: '/t/envelope',
  request: jsonBody(body),
  responses: { 200: json(envelopeOf(z.object({ id: z.string() })), 'wrapped') },
});
const mixedRoute = createRoute({ ...envelopeRoute, 'x-validation-dialect': 'detail' as const, path: '/t/mixed' });

const area = createArea(platform, 'error');
area.on(echoRoute, async (_context, input) => input.body);
area.on(optionalRoute, async (_context, input) => input.body);
area.on(smallRoute, async () => ({}));
area.on(getBodyRoute, async (_context, input) => input.body);
area.on(slashRoute, async () => ({ ok: true }));
area.on(queryRoute, async (_context, { params, query }) => ({ ...params, ...query }));
area.on(createdRoute, async () => reply(201, { id: '7' }, { Location: '/t/7' }));
area.on(failRoute, async () => {
  throw new Error('column "secret_thing" does not exist');
});
const wrapped = createArea(platform, 'envelope');
wrapped.on(envelopeRoute, async (_context, input) => ({ id: input.body.id }));
wrapped.on(mixedRoute, async () => {
  throw new DomainError('business', 'No data is available.', { code: 34003 });
});
const metrics = createMetrics({ processMetrics: false });
const app = mount({ platform, areas: [area, wrapped], verifiers: [], metrics, isDraining: () => false });

async function post(path: string, content: string, contentType: string | null = 'application/json') {
  const headers = contentType === null ? {} : { 'content-type': contentType };
  const response = await app.request(path, { method: 'POST', body: Buffer.from(content), headers });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

test('an id of 19 digits survives as a JSON integer', async () => {
  assert.deepEqual((await post('/t/echo', '{"id": 1847032911563124737}')).body, {
    id: '1847032911563124737',
    note: 'none',
  });
});

test('a refused field is named with the remedy', async () => {
  const { status, body } = await post('/t/echo', '{"id": "x", "note": "longer than ten"}');
  assert.equal(status, 400);
  assert.deepEqual(body, {
    error: {
      code: 'PARAMETER_INCORRECT_VALUE',
      message: 'id: must be an integer id of at most 19 digits; note: must be at most 10 characters',
    },
  });
});

test('a missing field and a missing body say which field is required', async () => {
  for (const content of ['{}', '']) {
    const { status, body } = await post('/t/echo', content);
    assert.equal(status, 400);
    assert.deepEqual(body['error'], { code: 'PARAMETER_INCORRECT_VALUE', message: 'id: Field required' });
  }
});

test('an absent optional body means its defaults', async () => {
  assert.deepEqual((await post('/t/optional', '', null)).body, { page: 1 });
  assert.deepEqual((await post('/t/optional', '')).body, { page: 1 });
  // What curl -d '' sends.
  assert.deepEqual((await post('/t/optional', '', 'application/x-www-form-urlencoded')).body, { page: 1 });
  assert.deepEqual((await post('/t/optional', '{"page": 3}')).body, { page: 3 });
});

test('a body that is JSON but not an object is a validation error', async () => {
  for (const content of ['null', '[]', '7', '"x"', 'true'])
    assert.equal((await post('/t/echo', content)).status, 400, content);
});

test("413: a body over the route's limit, in the dialect, with the limit named", async () => {
  const { status, body } = await post('/t/small', JSON.stringify({ filler: 'x'.repeat(100) }));
  assert.equal(status, 413);
  assert.deepEqual(body['error'], {
    code: 'BODY_TOO_LARGE',
    message: 'body: must be at most 100 bytes; send less, or in several requests',
  });
  const exact = JSON.stringify({ f: 'x'.repeat(100 - '{"f":""}'.length) });
  assert.equal(exact.length, 100);
  assert.equal((await post('/t/small', exact)).status, 200);
});

test('the default limit is 64 KiB', async () => {
  const filler = (size: number) => `{"id": 1, "filler": "${'x'.repeat(size)}"}`;
  assert.equal((await post('/t/echo', filler(64 * 1024 - 100))).status, 200);
  assert.equal((await post('/t/echo', filler(64 * 1024))).status, 413);
});

test('path and query are validated, and a repeated parameter is a list', async () => {
  const get = async (path: string) => {
    const response = await app.request(path);
    return [response.status, await response.json()];
  };
  assert.deepEqual(await get('/t/query/ab?page=2&tags=a&tags=b'), [200, { name: 'ab', page: 2, tags: ['a', 'b'] }]);
  assert.deepEqual(await get('/t/query/ab?tags=a'), [200, { name: 'ab', page: 1, tags: ['a'] }]);
  assert.equal((await get('/t/query/ab?page=0'))[0], 400);
  assert.equal((await get('/t/query/abcdef'))[0], 400);
  assert.equal((await get('/t/query/%00'))[0], 400);
  assert.equal((await get('/t/query/%ff'))[0], 200);
});

test('a contract path that ends in a slash is served without it too', async () => {
  assert.equal((await app.request('/t/slash/')).status, 200);
  assert.equal((await app.request('/t/slash')).status, 200);
});

test('reply sets status and headers', async () => {
  const response = await app.request('/t/created', { method: 'POST' });
  assert.equal(response.status, 201);
  assert.equal(response.headers.get('location'), '/t/7');
  assert.deepEqual(await response.json(), { id: '7' });
});

test('the envelope dialect wraps results, and its validation message begins as the interface says', async () => {
  const good = await post('/t/envelope', '{"id": 5}');
  const meta = z.object({
    code: z.literal(0),
    url: z.literal('/t/envelope'),
    message: z.literal('OK'),
    timestamp: z.int(),
  });
  z.object({ meta: meta.strict(), data: z.object({ id: z.literal('5') }).strict() })
    .strict()
    .parse(good.body);
  const bad = await post('/t/envelope', '{}');
  assert.equal(bad.status, 422);
  const { meta: failed } = z.object({ meta: z.object({ code: z.int(), message: z.string() }) }).parse(bad.body);
  assert.deepEqual(failed, { code: 422, message: 'Parameter value error: id: Field required' });
});

test('a route may speak another dialect for validation only', async () => {
  const invalid = await post('/t/mixed', '{}');
  assert.deepEqual(
    [invalid.status, invalid.body],
    [422, { detail: [{ loc: ['body', 'id'], msg: 'Field required', type: 'missing' }] }],
  );
  const failed = await post('/t/mixed', '{"id": 5}');
  assert.equal(failed.status, 500);
  assert.deepEqual(z.object({ meta: z.object({ code: z.int() }) }).parse(failed.body).meta.code, 34003);
});

test('500: an unknown error gives the caller a request id and the log everything', async () => {
  const response = await app.request('/t/fail', { method: 'POST', headers: { 'x-request-id': 'caller-0001' } });
  assert.equal(response.status, 500);
  assert.deepEqual(await response.json(), {
    error: { code: 'INTERNAL_ERROR', message: 'Internal error. Quote the request id caller-0001 when you report it.' },
  });
  const line = logLines().find((entry) => entry['request_id'] === 'caller-0001');
  assert.equal(line?.['level'], 50);
  assert.match(JSON.stringify(line?.['err']), /secret_thing/);
});

test('a GET with a body reads it where the contract has one', async (t) => {
  const listening = await listen(app, { host: '127.0.0.1', port: 0 });
  t.after(() => listening.stop());
  const answer = await new Promise<string>((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': 10, connection: 'close' };
    const request = httpRequest(`${listening.url}/t/get-body`, { method: 'GET', headers }, (response) => {
      readText(response).then(resolve, reject);
    });
    request.once('error', reject);
    request.end('{"id": 12}');
  });
  assert.deepEqual(JSON.parse(answer), { id: '12', note: 'none' });
});
