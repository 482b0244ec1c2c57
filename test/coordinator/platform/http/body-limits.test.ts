import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bodyLimit, LARGE_BODY } from '../../../../coordinator/contract/body-limit.ts';
import { largeBodies } from '../../../../coordinator/contract/large-bodies.ts';
import { testApp } from '../../../support/app.ts';

const { app } = await testApp({ after });
const document = (await (await app.request('/openapi.json')).json()) as {
  paths: Record<string, Record<string, { requestBody?: unknown; 'x-body-limit'?: number; 'x-access': string }>>;
};

/** The only operations that may take more than a form; each is checked by a thread. */
const LARGE = [
  'POST /api/gpu-mark/test-task/register',
  'POST /api/gpu-mark/v1/agent/complete',
  'POST /api/gpu-mark/v1/agent/inventory',
  'POST /api/gpu-mark/v1/agent/network/report',
  'POST /api/gpu-mark/v1/agent/results',
];

test('every operation with a body states how large it may be, and no more than these may send much', () => {
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods))
      if (operation.requestBody !== undefined) assert.ok(operation['x-body-limit'], `${method} ${path}`);
  const large = app.routes.filter((route) => route.takesBody && route.bodyLimit > LARGE_BODY);
  assert.deepEqual(large.map(({ method, path }) => `${method} ${path}`).toSorted(), LARGE);
});

test('a call that needs no credential may send 16 KiB', () => {
  const open = app.routes.filter(({ access, takesBody }) => takesBody && ['public', 'signed-url'].includes(access));
  assert.deepEqual(
    open.map(({ path }) => path),
    ['/api/user/login', '/api/user/refresh', '/api/user/password/forgot', '/api/user/password/reset'],
  );
  for (const route of open) assert.ok(route.bodyLimit <= bodyLimit.login, route.path);
});

test('a thread knows the schema of every large body', () => {
  assert.deepEqual(Object.keys(largeBodies).toSorted(), LARGE);
});
