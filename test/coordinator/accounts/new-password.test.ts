import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { z } from 'zod';
import { hashPassword, unmatchableHash, verifyPassword } from '../../../coordinator/accounts/password.ts';
import { refuseWeakPassword } from '../../../coordinator/accounts/passwords/refuse-weak-password.ts';
import { heedRevocations } from '../../../coordinator/accounts/credential-caches.ts';
import { loginData } from '../../../coordinator/contract/user.ts';
import { testApp } from '../../support/app.ts';
import { actionsOn } from '../../support/audit-lines.ts';
import { call, makeUser, type TestUser } from '../../support/client.ts';

const app = await testApp({ after }, { now: new Date('2026-11-01T10:00:00Z') });
const { sql } = app.platform;
const look = heedRevocations(app.context);
const owner = { email: 'ada.lovelace@example.com', company: 'Analytical Engines' };
const HASHING = 'ARGON2REQUEST';

/** What is said against a password; null if nothing is. */
const fault = (password: string): Promise<string | null> =>
  refuseWeakPassword('password', password, owner).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

test('a new password has 8 to 1024 characters, as typed and in NFKC; an emoji is one', async () => {
  const [short, long] = ['password must have at least 8 characters', 'password must have at most 1024 characters'];
  const said: [string, string | null][] = [
    ['', short],
    ['x', short],
    ['hq7!zuv', short],
    ['hq7!zuv8', null],
    ['😀🎲🚲🌵🍉🦊🪁', short],
    ['😀🎲🚲🌵🍉🦊🪁🧊', null],
    ['q7'.repeat(127), null],
    [`${'q7'.repeat(127)}q`, null],
    ['😀'.repeat(1024), null],
    ['😀'.repeat(1025), long],
    // Decomposed, eight code points are four letters; composed to 18 each by NFKC, 57 are 1026.
    ['a\u0308o\u0308u\u0308e\u0308', short],
    ['\ufdfa'.repeat(57), long],
  ];
  for (const [password, expected] of said)
    assert.equal(await fault(password), expected, `${Array.from(password).length} code points`);
});

test('it is not one of the common ones in whatever case or width, not the address, not the company, and is text', async () => {
  const common = /^password is one of the most common passwords/;
  for (const password of [
    'password1',
    'PASSWORD1',
    'Iloveyou',
    '12345678',
    'qwertyuiop',
    '\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18',
  ])
    assert.match((await fault(password)) ?? '', common, password);
  const own = /^password must not be the e-mail address or the company/;
  for (const password of [owner.email, 'ADA.Lovelace@example.COM', 'ada.lovelace', 'analytical engines'])
    assert.match((await fault(password)) ?? '', own, password);
  for (const password of ['seven words\0 and one', 'seven words \ud800'])
    assert.equal(await fault(password), 'password must be valid text without NUL characters');
  assert.equal(await fault('correct horse battery'), null);
});

const change = (user: Pick<TestUser, 'authorization'>, current_password: unknown, new_password: unknown) =>
  call(app, 'POST', '/api/user/password', { body: { current_password, new_password }, headers: user.authorization });
const logIn = ({ email }: TestUser, password: string) =>
  call(app, 'POST', '/api/user/login', { body: { email, password } });
const me = async (token: string) =>
  (await call(app, 'GET', '/api/user/me', { headers: { authorization: `Bearer ${token}` } })).status;
const issues = (body: unknown) =>
  z.object({ detail: z.array(z.object({ loc: z.array(z.string()), msg: z.string() })) }).parse(body).detail;

test('200: a changed password ends all sessions and goes on in a new one, at once and without a look', async () => {
  const user = await makeUser(app);
  const elsewhere = z.object({ data: loginData }).parse((await logIn(user, user.password)).body).data;
  assert.equal(await me(elsewhere.id_token), 200);
  const answer = await change(user, user.password, 'a new password of hers');
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('set-cookie') ?? '', /^gpumark_device=/);
  const { data } = z.object({ data: loginData }).parse(answer.body);
  assert.equal(await me(data.id_token), 200);
  await look();
  assert.deepEqual(
    [await me(elsewhere.id_token), await me(user.tokens.id_token), await me(data.id_token)],
    [401, 401, 200],
  );
  const old = await call(app, 'POST', '/api/user/refresh', { body: { refresh_token: elsewhere.refresh_token } });
  assert.equal(old.status, 401);
  assert.deepEqual(
    [(await logIn(user, user.password)).status, (await logIn(user, 'a new password of hers')).status],
    [401, 200],
  );
  assert.deepEqual((await actionsOn(app, user.email)).slice(1, 3), ['sign_in', 'password_changed']);
});

test('422: a wrong current password counts like a failed sign-in, and after five of them is 429; nothing has changed', async () => {
  const user = await makeUser(app);
  const statuses = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const answer = await change(user, 'not her password', 'a new password of hers');
    statuses.push(answer.status);
    assert.deepEqual(issues(answer.body), [{ loc: ['body', 'current_password'], msg: 'is wrong' }]);
  }
  const paused = await change(user, user.password, 'a new password of hers');
  assert.deepEqual([...statuses, paused.status], [422, 422, 422, 422, 422, 429]);
  assert.equal((await logIn(user, user.password)).status, 429, 'the pause is the one of sign-ins');
  assert.deepEqual((await actionsOn(app, user.email)).slice(1), [
    ...Array<string>(5).fill('sign_in_failed'),
    'sign_in_slowed',
  ]);
  app.clock.advance({ seconds: 1 });
  assert.equal((await logIn(user, user.password)).status, 200);
});

test('422: what a new password must not be, before anything is hashed or counted', async () => {
  const user = await makeUser(app, { company: 'Analytical Engines' });
  let hashed = 0;
  const hook = createHook({ init: (_id, type) => void (hashed += type === HASHING ? 1 : 0) }).enable();
  const refused = [
    '',
    'x',
    'short',
    'password1',
    user.email,
    'analytical ENGINES',
    'x'.repeat(1025),
    'words with \0 in',
    7,
  ];
  for (const password of refused) {
    const answer = await change(user, user.password, password);
    assert.equal(answer.status, 422, JSON.stringify(password));
    assert.deepEqual(issues(answer.body)[0]?.loc, ['body', 'new_password']);
  }
  hook.disable();
  assert.equal(hashed, 0);
  assert.equal((await change(user, user.password, '\ud800'.padEnd(20, 'x'))).status, 422);
  assert.deepEqual(await actionsOn(app, user.email), ['user_created']);
});

test('a password of 254, 255 and 1024 characters of four bytes can be set and signed in with', async () => {
  const user = await makeUser(app);
  let [current, authorization] = [user.password, user.authorization];
  for (const count of [254, 255, 1024]) {
    const next = '🎲'.repeat(count);
    const { status, body } = await change({ authorization }, current, next);
    assert.equal(status, 200, `${count}`);
    authorization = { authorization: `Bearer ${z.object({ data: loginData }).parse(body).data.id_token}` };
    current = next;
    assert.equal((await logIn(user, next)).status, 200, `${count}`);
  }
});

test('a right sign-in renews a hash of other parameters, a wrong one and a disabled user do not', async () => {
  const user = await makeUser(app);
  // m=8192, t=1: what an installation may have kept before; node's own argon2 made it of this password and salt.
  const { argon2Sync } = await import('node:crypto');
  const salt = Buffer.alloc(16, 7);
  const message = Buffer.from(user.password);
  const tag = argon2Sync('argon2id', { message, nonce: salt, memory: 8192, passes: 1, parallelism: 1, tagLength: 32 });
  const bare = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  const old = `$argon2id$v=19$m=8192,t=1,p=1$${bare(salt)}$${bare(tag)}`;
  await sql`update user_account set password_hash = ${old} where id = ${user.userId}`;
  const stored = async () =>
    String((await sql`select password_hash from user_account where id = ${user.userId}`)[0]?.['password_hash']);
  assert.equal((await logIn(user, 'not her password')).status, 401);
  assert.equal(await stored(), old);
  await sql`update user_account set disabled_at = now() where id = ${user.userId}`;
  assert.equal((await logIn(user, user.password)).status, 401);
  assert.equal(await stored(), old);
  await sql`update user_account set disabled_at = null where id = ${user.userId}`;
  assert.equal((await logIn(user, user.password)).status, 200);
  const renewed = await stored();
  const parametersOf = (hash: string) => hash.split('$').slice(0, 4).join('$');
  assert.equal(parametersOf(renewed), parametersOf(await hashPassword('whatever else', randomBytes)));
  assert.equal(parametersOf(renewed), parametersOf(unmatchableHash(randomBytes)), 'an unknown address costs the same');
  assert.equal(await verifyPassword(user.password, renewed), true);
  assert.equal((await logIn(user, user.password)).status, 200);
  assert.equal(await stored(), renewed, 'once');
});
