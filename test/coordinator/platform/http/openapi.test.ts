import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { z } from 'zod';
import { testApp } from '../../../support/app.ts';
import { call } from '../../../support/client.ts';
import { goldenJson, matchesGolden } from '../../../support/golden.ts';

const app = await testApp({ after });

test('the OpenAPI document is the golden one', async () => {
  const { status, body } = await call(app, 'GET', '/openapi.json');
  assert.equal(status, 200);
  await matchesGolden('openapi.json', goldenJson(body));
});

const operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  tags: z.array(z.string()).min(1),
  security: z.array(z.unknown()),
  'x-access': z.string(),
  'x-dialect': z.enum(['envelope', 'detail', 'error']),
  responses: z.record(z.string(), z.looseObject({ description: z.string() })),
});
const document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), operation)) });

test('every operation has a name of its own, a summary, a tag, access and dialect', async () => {
  const { body } = await call(app, 'GET', '/openapi.json');
  const operations = Object.values(document.parse(body).paths).flatMap((path) => Object.values(path));
  const names = operations.map(({ operationId }) => operationId);
  assert.equal(new Set(names).size, names.length);
  for (const { operationId, security, responses, ...rest } of operations) {
    const open = ['public', 'signed-url'].includes(rest['x-access']);
    assert.equal(security.length, open ? 0 : 1, operationId);
    assert(open || '401' in responses, `${operationId} documents no 401`);
  }
});

test('the document is built once', async (t) => {
  const built = t.mock.method(JSON, 'stringify');
  const first = await (await app.app.request('/openapi.json')).text();
  const before = built.mock.callCount();
  assert.equal(await (await app.app.request('/openapi.json')).text(), first);
  const sizes = built.mock.calls.slice(before).map(({ result }) => result?.length ?? 0);
  assert(Math.max(0, ...sizes) < first.length / 2, 'the second answer is made of what was kept');
});

test('the API page names only assets of this origin, and their integrity holds', async () => {
  const page = (await call(app, 'GET', '/docs')).text;
  assert.doesNotMatch(page, /https?:\/\//);
  const scripts = [...page.matchAll(/src="([^"]+)" integrity="sha384-([^"]+)"/g)];
  assert.equal(scripts.length, 2);
  for (const [, url = '', integrity] of scripts) {
    const response = await app.app.request(url);
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    const content = Buffer.from(await response.arrayBuffer());
    assert.equal(createHash('sha384').update(content).digest('base64'), integrity);
  }
});

test('404: no other file is served from under /docs/assets', async () => {
  for (const name of ['scalar.js', 'package.json', '..%2f..%2fpackage.json', 'start-0000000000000000.js']) {
    assert.notEqual((await call(app, 'GET', `/docs/assets/${name}`)).status, 200, name);
  }
});
