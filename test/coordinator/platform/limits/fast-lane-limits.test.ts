import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { limitedApp, limitedUser, quotaOf } from './limited-app.ts';

// The lane serves where requests have no line of their own in the log.
const app = await limitedApp({ after }, { logLevel: 'info', environment: { RATE_LIMIT_ADDRESS: '1/3' } });
const { url } = await app.listen();
const path = '/api/data-hub/gpu/latest/price';

const post = async (headers: Record<string, string>, body = '{}') => {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, never> };
};

test('the fast lane says what is left, and takes one token for each call, good or not', async () => {
  const { authorization } = await limitedUser(app, { burst: 6 });
  const answers = [];
  // The second and third fail in the body: the lane hands them to the ordinary way, which charges nothing again.
  for (const body of ['{}', '{"num_per_page":0}', '{', '{}']) answers.push(await post(authorization, body));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 422, 422, 200],
  );
  // 6 - 1, 6 - 2, 6 - 3, 6 - 4
  assert.deepEqual(
    answers.map(({ headers }) => quotaOf(headers)?.r),
    [5, 4, 3, 2],
  );
  const lane = answers[0]?.headers;
  assert.equal(lane?.get('ratelimit-policy'), '"tier";q=1;w=60');
  assert.equal(lane?.get('ratelimit'), '"tier";r=5;t=60');
});

test('the call too many is 429 through the fast lane, as the router answers it', async () => {
  const { authorization } = await limitedUser(app, { burst: 2 });
  const answers = [await post(authorization), await post(authorization), await post(authorization)];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 429],
  );
  const refused = answers[2];
  assert.equal(refused?.body['meta']?.['code'], 429);
  assert.equal(quotaOf(refused?.headers ?? new Headers())?.r, 0);
  const seconds = Number(refused?.headers.get('retry-after'));
  assert.ok(seconds > 0 && seconds <= 60, `${seconds}`);
  const router = await app.app.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization },
    body: '{}',
  });
  assert.equal(router.status, 429);
  assert.equal(router.headers.get('ratelimit-policy'), refused?.headers.get('ratelimit-policy'));
});

test('a refused credential costs the address one token on the fast lane, not two', async () => {
  const answers = [];
  for (let n = 0; n < 4; n += 1) answers.push(await post({ authorization: 'Bearer gmk_guessed' }));
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, quotaOf(headers)?.policy, quotaOf(headers)?.r]),
    [
      [401, 'address', 2],
      [401, 'address', 1],
      [401, 'address', 0],
      [429, 'address', 0],
    ],
  );
});

test('each address has a bucket of its own: a /64 is one', async (t) => {
  const proxied = await limitedApp(t, { environment: { RATE_LIMIT_ADDRESS: '1/1', TRUSTED_PROXIES: '1' } });
  const from = async (address: string) =>
    (await proxied.app.request('/openapi.json', { headers: { 'x-forwarded-for': address } })).status;
  assert.deepEqual([await from('192.0.2.1'), await from('192.0.2.1'), await from('192.0.2.2')], [200, 429, 200]);
  assert.deepEqual(
    [await from('2001:db8::1'), await from('2001:db8::2'), await from('2001:db8:0:1::1')],
    [200, 429, 200],
  );
});
