import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { heedRevocations } from '../../../../coordinator/accounts/credential-caches.ts';
import { altered } from '../../../support/altered.ts';
import { testApp } from '../../../support/app.ts';
import { call, makeUser } from '../../../support/client.ts';
import { at, textAt } from '../../jobs/node.ts';
import { applicationClient, bearer, codeOf } from './application-client.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const { sql } = app.platform;
const user = await makeUser(app, { tier: 'plus' });
const stranger = await makeUser(app, { tier: 'plus' });
const { send, create, createWithToken, clear } = applicationClient(app, user);

const look = heedRevocations(app.context);
await look();

test('an application token opens data and jobs, says what it is, and opens neither user nor application endpoints', async () => {
  const { name, id, client, token, tokenId } = await createWithToken();
  assert.equal((await call(app, 'GET', '/api/gpu-mark/v1/jobs', bearer(token))).status, 200);
  const info = await call(app, 'GET', '/api/application/token-info', bearer(token));
  assert.deepEqual(at(info.body, 'data'), {
    application: { id, name, client_id: client.client_id },
    token: { id: tokenId, token_prefix: token.slice(0, 10) },
    customer: textAt(
      (await call(app, 'GET', '/api/user/me', { headers: user.authorization })).body,
      'data',
      'company_name',
    ),
    tier: 'plus',
    products: ['gpu-index', 'gpu-forward', 'price-iq'],
    issued_at: '2026-11-21T12:00:00.000Z',
    expires_at: '2027-02-19T12:00:00.000Z',
  });
  for (const [method, path] of [
    ['GET', '/api/user/me'],
    ['POST', '/api/application/list'],
    ['POST', '/api/application/create'],
  ] as const) {
    const body = method === 'POST' ? { body: { name: 'x' } } : {};
    assert.equal((await call(app, method, path, { ...body, ...bearer(token) })).status, 401, path);
  }
  assert.equal((await send('GET', 'token-info')).status, 401, 'a login is not an application token');
  await clear();
});

test('a wrong secret, an unknown client and the client of another company get one answer', async () => {
  const mine = await create();
  const theirs = await create(stranger);
  const answers = await Promise.all(
    [
      { client_id: mine.client_id, client_secret: theirs.client_secret },
      { client_id: 'gmc_nothing', client_secret: mine.client_secret },
      theirs,
      { client_id: mine.client_id, client_secret: 'not one' },
    ].map(({ client_id, client_secret }) => send('POST', 'generate-token', { client_id, client_secret })),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [401]);
  assert.deepEqual(
    [...new Set(answers.map(({ body }) => at(body, 'meta', 'message')))],
    ['client_id or client_secret is wrong.'],
  );
  await clear();
});

test('an application with a valid token is not deleted; the token is revoked everywhere at the next look, and then it is', async () => {
  const { id, token, tokenId } = await createWithToken();
  assert.equal((await call(app, 'GET', '/api/gpu-mark/v1/jobs', bearer(token))).status, 200);
  const refused = await send('DELETE', 'delete', { id });
  assert.deepEqual([refused.status, codeOf(refused)], [409, 409]);
  assert.match(refused.text, /has 1 valid token\. Revoke it first/);
  const revoked = await send('DELETE', 'token', { id: tokenId });
  assert.deepEqual([revoked.status, at(revoked.body, 'data', 'revoked_at')], [200, app.clock.now().toISOString()]);
  await look();
  assert.equal((await call(app, 'GET', '/api/gpu-mark/v1/jobs', bearer(token))).status, 401);
  const again = await send('DELETE', 'token', { id: tokenId });
  assert.deepEqual([again.status, at(again.body, 'data')], [200, at(revoked.body, 'data')]);
  assert.deepEqual(at((await send('DELETE', 'delete', { id })).body, 'data'), { id, deleted: true });
  assert.equal((await send('POST', 'info', { id })).status, 404);
  await clear();
});

test('another company sees, changes, deletes and revokes nothing, by id or by name; staff see it by id', async () => {
  const { name, id, tokenId } = await createWithToken();
  for (const [method, operation, body] of [
    ['POST', 'info', { id }],
    ['POST', 'info', { name }],
    ['POST', 'update', { id, name: 'taken' }],
    ['POST', 'update', { name, description: 'taken' }],
    ['DELETE', 'delete', { id }],
    ['DELETE', 'delete', { name }],
    ['DELETE', 'token', { id: tokenId }],
  ] as const)
    assert.equal((await send(method, operation, body, stranger)).status, 404, `${operation} ${JSON.stringify(body)}`);
  const listed = await send('POST', 'list', { filter: [{ name: 'application' }] }, stranger);
  assert.equal(at(listed.body, 'data', 'total'), 0);
  const staff = await makeUser(app, { role: 'staff' });
  assert.equal((await send('POST', 'info', { id }, staff)).status, 200);
  assert.equal((await send('POST', 'info', { name }, staff)).status, 404, 'a name is one of the own company');
  await clear();
});

test('34001 without an active subscription, from its end on; staff need none', async () => {
  const poor = await makeUser(app, { tier: 'plus' });
  await sql`update subscription set ends_at = ${new Date(app.clock.now().getTime() + 60_000)} where customer_id = ${poor.customerId}`;
  const { token } = await createWithToken(poor);
  app.clock.advance({ seconds: 61 });
  for (const [method, operation] of [
    ['POST', 'create'],
    ['POST', 'list'],
    ['POST', 'generate-token'],
    ['DELETE', 'delete'],
  ] as const) {
    const answer = await send(method, operation, {}, poor);
    assert.deepEqual([answer.status, codeOf(answer)], [403, 34001], operation);
  }
  const info = await call(app, 'GET', '/api/application/token-info', bearer(token));
  assert.deepEqual([info.status, codeOf(info)], [403, 34001]);
  assert.equal((await call(app, 'GET', '/api/gpu-mark/v1/jobs', bearer(token))).status, 200, 'data stays readable');
  const staff = await makeUser(app, { role: 'staff' });
  await sql`delete from subscription where customer_id = ${staff.customerId}`;
  assert.equal((await send('POST', 'list', {}, staff)).status, 200);
  await clear();
});

// Last: the clock passes the sessions' end.
test('a token is refused from its expiry on, and with one character changed', async () => {
  const { token } = await createWithToken();
  const jobs = () => call(app, 'GET', '/api/gpu-mark/v1/jobs', bearer(token));
  app.clock.advance({ hours: 90 * 24 - 1 });
  assert.equal((await jobs()).status, 200);
  app.clock.advance({ hours: 1 });
  assert.match((await jobs()).text, /application token has expired/);
  assert.match(
    (await call(app, 'GET', '/api/gpu-mark/v1/jobs', bearer(altered(token)))).text,
    /check digits are wrong/,
  );
  await clear();
});
