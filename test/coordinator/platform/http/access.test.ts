import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { SignJWT } from 'jose';
import { createJob } from '../../../../coordinator/jobs/create-job.ts';
import type { BoundRoute } from '../../../../coordinator/platform/http/http-env.ts';
import { currentSigningKey } from '../../../../coordinator/accounts/signing-key.ts';
import { testApp } from '../../../support/app.ts';
import { actorOf, call, makeUser, type Json } from '../../../support/client.ts';

const app = await testApp({ after });
const { routes } = app.app;
const owner = await makeUser(app);
const stranger = await makeUser(app);
const staff = await makeUser(app, { role: 'staff' });
const actor = await actorOf(app, owner);
const created = await createJob(
  { ...app.context, actor },
  { benchmarks: ['quick_mark'], node_count: 1, tags: [] },
  undefined,
);
const { id: jobId, token: jobToken } = created.job;

/** A token that was good until a second ago, signed with the real key. */
async function expired(purpose: 'login' | 'job'): Promise<string> {
  const signing = await currentSigningKey(app.context, purpose);
  const claims = purpose === 'login' ? { use: 'id', epoch: 1 } : { use: 'job' };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', kid: signing.kid })
    .setIssuer('gpumark')
    .setSubject(purpose === 'login' ? owner.userId : jobId)
    .setIssuedAt(1_700_000_000)
    .setExpirationTime(1_700_000_001)
    .sign(signing.key);
}

/** The path with ids of the owner's rows, and a body with them, so that only the credential stands in the way. */
const concrete = (route: BoundRoute) => route.path.replace('{job_id}', jobId).replace(/\{[^}]+\}/g, '1');
const bodyFor = (route: BoundRoute) =>
  route.takesBody && route.method !== 'GET' ? { body: { id: jobId, task_id: jobId, machine_uuid: 'm' } } : {};
const send = (route: BoundRoute, token: string | null) =>
  call(app, route.method, concrete(route), {
    ...bodyFor(route),
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  });

const shapes: Record<BoundRoute['dialect'], string[]> = {
  error: ['error'],
  detail: ['detail'],
  envelope: ['meta', 'data'],
};
const shapeOf = (body: Json) => (typeof body === 'object' && body !== null ? Object.keys(body) : []);
const isClosed = (route: BoundRoute) => route.access !== 'public' && route.access !== 'signed-url';

// Everything awaited stands above the first test: the runner closes the app when the tests it knows have ended.
const closed = routes.filter(isClosed);
const bad: [name: string, token: string | null][] = [
  ['no credential', null],
  ['garbage', 'garbage'],
  [
    'a JWT of someone else',
    await new SignJWT({}).setProtectedHeader({ alg: 'HS256', kid: 'login-0123456789abcdef' }).sign(Buffer.alloc(32, 7)),
  ],
  ['an unsigned JWT', `${Buffer.from('{"alg":"none","kid":"login-0123456789abcdef"}').toString('base64url')}.e30.`],
  ['an expired login', await expired('login')],
  ['an expired job token', await expired('job')],
  ['the refresh token', owner.tokens.refresh_token],
  ['the token with one character changed', `${owner.tokens.id_token.slice(0, -5)}AAAAA`],
  ['a token over the length limit', 'x'.repeat(5000)],
];
test('every route says who may call it and which dialect it speaks', () => {
  assert(routes.length > 20);
  const kinds = new Set(['public', 'user', 'data', 'application', 'job', 'job-late', 'signed-url']);
  for (const route of routes) {
    assert(kinds.has(route.access), route.path);
    assert(route.dialect in shapes, route.path);
  }
});

test('the routes open to everybody are these and no others', () => {
  const open = routes.filter((route) => !isClosed(route)).map((route) => `${route.method} ${route.path}`);
  assert.deepEqual(open.filter((name) => !name.includes('/artifacts/')).toSorted(), [
    'GET /agent/{file}',
    'GET /docs',
    'GET /docs/assets/{name}',
    'GET /healthz',
    'GET /metrics',
    'GET /openapi.json',
    'GET /readyz',
    'POST /api/user/login',
    'POST /api/user/password/forgot',
    'POST /api/user/password/reset',
    'POST /api/user/refresh',
  ]);
});

test('the OpenAPI document and the router know the same operations', async () => {
  const { body } = await call(app, 'GET', '/openapi.json');
  assert(typeof body === 'object' && body !== null && 'paths' in body);
  const documented = Object.entries(Object(body['paths'])).flatMap(([path, operations]) =>
    Object.keys(Object(operations)).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const served = routes.filter((route) => !route.hidden).map((route) => `${route.method} ${route.path}`);
  assert.deepEqual(documented.toSorted(), served.toSorted());
});

for (const [name, token] of bad) {
  suite(`401 on every closed route in its own dialect: ${name}`, () => {
    for (const route of closed) {
      // Late calls take an expired job token for 7 days; that it ends then is proved beside the verifier.
      test(`${route.method} ${route.path}`, async () => {
        const answer = await send(route, token);
        assert.equal(answer.status, 401, JSON.stringify(answer.body));
        assert.deepEqual(shapeOf(answer.body), shapes[route.dialect]);
        assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
      });
    }
  });
}

suite('401: a credential of the wrong kind opens nothing', () => {
  for (const route of closed) {
    const takesJobToken = route.access === 'job' || route.access === 'job-late';
    test(`${route.method} ${route.path}`, async () => {
      const answer = await send(route, takesJobToken ? owner.tokens.id_token : jobToken);
      assert.equal(answer.status, 401);
      assert.deepEqual(shapeOf(answer.body), shapes[route.dialect]);
    });
  }
});

suite("another customer's credential shows and changes nothing of ours", () => {
  for (const route of closed.filter(({ access, path }) => access === 'data' && /\{job_id\}|delete/.test(path))) {
    test(`403 or 404: ${route.method} ${route.path}`, async () => {
      const answer = await send(route, stranger.tokens.id_token);
      assert([403, 404].includes(answer.status), `${answer.status} ${JSON.stringify(answer.body)}`);
      assert.deepEqual(shapeOf(answer.body), shapes[route.dialect]);
    });
  }
  for (const route of closed.filter(
    ({ access, method, path }) => access === 'data' && method === 'GET' && !path.includes('{'),
  )) {
    test(`nothing of ours in ${route.path}`, async () => {
      const answer = await send(route, stranger.tokens.id_token);
      // 422: the route asks for a place, which is not said here; its answers are of no customer.
      const open = route.path.startsWith('/api/data-hub/carbon/') ? [200, 422] : [200];
      const expected = route.needs.product === undefined ? open : [403];
      assert(expected.includes(answer.status), String(answer.status));
      assert(!JSON.stringify(answer.body).includes(jobId));
      const all = await send(route, staff.tokens.id_token);
      if (route.needs.product === undefined) assert.equal(all.status, answer.status);
      else assert.notEqual(all.status, 403, 'staff need no product');
    });
  }
});

test('both the id_token and the access_token open what a user may see', async () => {
  for (const token of [owner.tokens.id_token, owner.tokens.access_token]) {
    const headers = { authorization: `Bearer ${token}` };
    assert.equal((await call(app, 'GET', '/api/user/me', { headers })).status, 200);
    assert.equal((await call(app, 'GET', `/api/gpu-mark/v1/jobs/${jobId}`, { headers })).status, 200);
  }
});
