import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { after, test } from 'node:test';
import { z } from 'zod';
import { loginData } from '../../../coordinator/contract/user.ts';
import { testApp } from '../../support/app.ts';
import { endSessionsOf } from '../../../coordinator/accounts/revocation/queries.ts';
import { untilLocked } from '../../support/other-sessions.ts';
import { call, makeUser } from '../../support/client.ts';

const app = await testApp({ after }, { now: new Date('2026-11-01T10:00:00Z') });
/** What node calls a derivation by argon2 under way. */
const HASHING = 'ARGON2REQUEST';
const login = (email: string, password: string) => call(app, 'POST', '/api/user/login', { body: { email, password } });
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const me = async (token: string) => (await call(app, 'GET', '/api/user/me', bearer(token))).status;
const tokensOf = (body: unknown) => z.object({ data: loginData }).parse(body).data;

test('200: the right password gives three tokens in the envelope, whatever the case of the address', async () => {
  const user = await makeUser(app, { email: 'Ada.Case@Example.com', company: 'Acme' });
  const { status, body } = await login('ada.case@EXAMPLE.com', user.password);
  assert.equal(status, 200);
  const { token_type, expires_in, company_name, ...tokens } = tokensOf(body);
  assert.deepEqual(
    { token_type, expires_in, company_name },
    { token_type: 'bearer', expires_in: 3600, company_name: 'Acme' },
  );
  assert.equal(new Set(Object.values(tokens)).size, 3);
  assert.equal(await me(tokens.id_token), 200);
});

test('GET /api/user/me tells who is signed in', async () => {
  const user = await makeUser(app, { company: 'Umbrella' });
  const { body } = await call(app, 'GET', '/api/user/me', { headers: user.authorization });
  const { data } = z.object({ data: z.unknown() }).parse(body);
  assert.deepEqual(data, { email: user.email, first_name: 'Ada', last_name: 'Lovelace', company_name: 'Umbrella' });
});

test('401: wrong password, unknown address and disabled user get the same answer', async () => {
  const user = await makeUser(app);
  const disabled = await makeUser(app);
  await app.platform.sql`update user_account set disabled_at = now() where id = ${disabled.userId}`;
  const answers = [
    await login(user.email, 'not the password'),
    await login('nobody@example.com', user.password),
    await login(disabled.email, disabled.password),
  ];
  for (const { status, body } of answers) {
    assert.equal(status, 401);
    assert.deepEqual(body, answers[0]?.body);
  }
});

test('an unknown address takes as long as a wrong password', async () => {
  const user = await makeUser(app);
  let hashed = 0;
  const hook = createHook({ init: (_id, type) => void (hashed += type === HASHING ? 1 : 0) }).enable();
  after(() => hook.disable());
  // A hash is nine tenths of the time; password.test.ts has that both are of the same cost.
  for (const email of [user.email, 'nobody@example.com']) {
    hashed = 0;
    await login(email, 'not the password');
    assert.equal(hashed, 1, email);
  }
});

test('422: what is missing or wrong is listed in the detail dialect', async () => {
  const { status, body } = await call(app, 'POST', '/api/user/login', { body: { email: 'nonsense' } });
  assert.equal(status, 422);
  assert.deepEqual(body, {
    detail: [
      { loc: ['body', 'email'], msg: 'value is not a valid email address', type: 'invalid_format' },
      { loc: ['body', 'password'], msg: 'Field required', type: 'missing' },
    ],
  });
});

test('401: tokens end with expires_in, with a raised session epoch and with a disabled user', async () => {
  const user = await makeUser(app);
  assert.equal(await me(user.tokens.id_token), 200);
  app.clock.advance({ seconds: 3599 });
  assert.equal(await me(user.tokens.id_token), 200);
  app.clock.advance({ seconds: 1 });
  assert.equal(await me(user.tokens.id_token), 401);

  const ended = tokensOf((await login(user.email, user.password)).body);
  assert.equal(await me(ended.access_token), 200);
  await app.platform.sql`update user_account set session_epoch = session_epoch + 1 where id = ${user.userId}`;
  app.clock.advance({ seconds: 6 });
  assert.equal(await me(ended.access_token), 401);

  const again = tokensOf((await login(user.email, user.password)).body);
  assert.equal(await me(again.id_token), 200);
  await app.platform.sql`update user_account set disabled_at = now() where id = ${user.userId}`;
  app.clock.advance({ seconds: 6 });
  assert.equal(await me(again.id_token), 401);
});

test('401: the refresh token is not a credential', async () => {
  const user = await makeUser(app);
  assert.equal(await me(user.tokens.refresh_token), 401);
});

test('401: a sign-in whose user loses all sessions while it is under way begins none', async () => {
  const user = await makeUser(app);
  const { sql } = app.platform;
  const begun = await sql.begin(async (tx) => {
    await endSessionsOf(tx, user.userId, app.clock.now());
    const signIn = login(user.email, user.password);
    await untilLocked(sql);
    // Not the promise itself, which would be waited for within the transaction.
    return { signIn };
  });
  assert.equal((await begun.signIn).status, 401);
  const sessions = await sql`select from login_session where user_id = ${user.userId} and ended_at is null`;
  assert.equal(sessions.length, 0);
  assert.equal((await login(user.email, user.password)).status, 200);
});
