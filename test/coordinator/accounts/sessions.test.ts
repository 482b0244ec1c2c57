import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SignJWT } from 'jose';
import { z } from 'zod';
import { currentSigningKey } from '../../../coordinator/accounts/signing-key.ts';
import { pruneAccounts } from '../../../coordinator/background.ts';
import { heedRevocations } from '../../../coordinator/accounts/credential-caches.ts';
import { loginData, type LoginData } from '../../../coordinator/contract/user.ts';
import { testApp } from '../../support/app.ts';
import { actionsOn, auditLines } from '../../support/audit-lines.ts';
import { call, makeUser, type Answer, type TestUser } from '../../support/client.ts';

const app = await testApp({ after }, { now: new Date('2026-11-01T10:00:00Z') });
const { sql } = app.platform;
const look = heedRevocations(app.context);
const refresh = (refresh_token: unknown) => call(app, 'POST', '/api/user/refresh', { body: { refresh_token } });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const me = async (token: string) => (await call(app, 'GET', '/api/user/me', { headers: bearer(token) })).status;
const signOut = (token: string, body?: unknown) =>
  call(app, 'POST', '/api/user/sign-out', { headers: bearer(token), ...(body === undefined ? {} : { body }) });
const tokensOf = ({ body }: Answer): LoginData => z.object({ data: loginData }).parse(body).data;
const signIn = async ({ email, password }: TestUser) =>
  tokensOf(await call(app, 'POST', '/api/user/login', { body: { email, password } }));
const messageOf = ({ body }: Answer) =>
  z.object({ meta: z.object({ message: z.string() }), data: z.object({}) }).parse(body).meta.message;
const REFUSAL = 'The session has ended, or refresh_token is not its newest. Sign in again.';
const claimsIn = (token: string): Record<string, unknown> =>
  z.record(z.string(), z.unknown()).parse(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()));

test('200: a refresh token gives three new tokens, one generation on, for another hour and thirty days', async () => {
  const user = await makeUser(app);
  const first = await signIn(user);
  app.clock.advance({ seconds: 3600 });
  assert.equal(await me(first.id_token), 401);
  const second = tokensOf(await refresh(first.refresh_token));
  assert.deepEqual([await me(second.id_token), await me(second.access_token)], [200, 200]);
  assert.deepEqual([second.token_type, second.expires_in, second.company_name], ['bearer', 3600, first.company_name]);
  const [before, now] = [claimsIn(first.refresh_token), claimsIn(second.refresh_token)];
  assert.deepEqual([before['gen'], now['gen'], before['sid'] === now['sid']], [1, 2, true]);
  assert.equal(Number(now['exp']) - app.clock.now().getTime() / 1000, 30 * 86_400);
});

test('401: a refresh token that comes a second time ends the session for good, and the audit log says so once', async () => {
  const user = await makeUser(app);
  const [stolen, other] = [await signIn(user), await signIn(user)];
  const renewed = tokensOf(await refresh(stolen.refresh_token));
  assert.equal(await me(renewed.id_token), 200);
  const answers = [
    await refresh(stolen.refresh_token),
    await refresh(renewed.refresh_token),
    await refresh(stolen.refresh_token),
  ];
  assert.deepEqual(
    answers.map((answer) => [answer.status, messageOf(answer)]),
    answers.map(() => [401, REFUSAL]),
  );
  await look();
  assert.deepEqual([await me(renewed.id_token), await me(other.id_token)], [401, 200], 'other sessions go on');
  const lines = (await auditLines(app, user.email)).filter(({ action }) => action === 'refresh_token_reused');
  const { sid } = claimsIn(stolen.refresh_token);
  assert.deepEqual(
    lines.map(({ customer_id, actor_id, detail }) => ({ customer_id, actor_id, detail })),
    [{ customer_id: user.customerId, actor_id: user.userId, detail: { session_id: sid } }],
  );
});

test('of renewals at the same time with the same token one wins, and the session is over', async () => {
  const user = await makeUser(app);
  const { refresh_token } = await signIn(user);
  const answers = await Promise.all([refresh(refresh_token), refresh(refresh_token)]);
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 401],
  );
  const won = answers.find(({ status }) => status === 200);
  assert(won);
  assert.equal((await refresh(tokensOf(won).refresh_token)).status, 401);
  await look();
  assert.equal(await me(tokensOf(won).id_token), 401);
});

test('401: a session ends thirty days after its last renewal and ninety days after its sign-in', async () => {
  const user = await makeUser(app);
  const [unused, used] = [await signIn(user), await signIn(user)];
  let newest = used;
  // 29 + 29 + 29 = 87 days: each within thirty of the one before.
  for (let turn = 0; turn < 3; turn += 1) {
    app.clock.advance({ days: 29 });
    newest = tokensOf(await refresh(newest.refresh_token));
  }
  assert.equal((await refresh(unused.refresh_token)).status, 401);
  // The third ends with the ninetieth day, three days on, and not after thirty.
  assert.equal(Number(claimsIn(newest.refresh_token)['exp']) - app.clock.now().getTime() / 1000, 3 * 86_400);
  app.clock.advance({ days: 2, hours: 23, minutes: 30 });
  newest = tokensOf(await refresh(newest.refresh_token));
  assert.equal(newest.expires_in, 1800, 'no token outlives its session');
  app.clock.advance({ minutes: 30 });
  const refused = await refresh(newest.refresh_token);
  assert.deepEqual([refused.status, messageOf(refused), await me(newest.id_token)], [401, REFUSAL, 401]);
  const rows = () => sql`select from login_session where user_id = ${user.userId}`;
  assert.equal((await rows()).count, 3, 'with the one that makeUser began');
  await pruneAccounts(app.context);
  assert.equal((await rows()).count, 0);
});

test('401: of another kind, forged, of another user, of a disabled user, from before a raised epoch, without its row', async () => {
  const [user, disabled, raised, gone] = [
    await makeUser(app),
    await makeUser(app),
    await makeUser(app),
    await makeUser(app),
  ];
  await sql`update user_account set disabled_at = now() where id = ${disabled.userId}`;
  await sql`update user_account set session_epoch = session_epoch + 1 where id = ${raised.userId}`;
  await sql`delete from login_session where user_id = ${gone.userId}`;
  const own = claimsIn(user.tokens.refresh_token);
  const { kid, key } = await currentSigningKey(app.context, 'login');
  // Signed by us, as none of ours is: whatever a slip elsewhere might sign must not renew a session either.
  const signed = (claims: Record<string, unknown>) =>
    new SignJWT({ ...own, ...claims }).setProtectedHeader({ alg: 'HS256', kid }).sign(key);
  const tokens = {
    'an id_token': user.tokens.id_token,
    'an access_token': user.tokens.access_token,
    'no JWT': 'nonsense',
    'another signature': `${user.tokens.refresh_token.slice(0, -5)}AAAAA`,
    'another user': await signed({ sub: disabled.userId }),
    'no session': await signed({ sid: undefined }),
    'a later generation': await signed({ gen: 2 }),
    'no generation': await signed({ gen: undefined }),
    'a disabled user': disabled.tokens.refresh_token,
    'a raised epoch': raised.tokens.refresh_token,
    'a row that is gone': gone.tokens.refresh_token,
  };
  for (const [name, token] of Object.entries(tokens)) {
    const answer = await refresh(token);
    assert.deepEqual([answer.status, messageOf(answer)], [401, REFUSAL], name);
  }
  assert.equal((await refresh(user.tokens.refresh_token)).status, 200, 'none of them ended the session');
});

test('422: a refresh token at its limits', async () => {
  // 1 and 2048 characters are looked at and refused as no token; 0, 2049 and other types are not values of the field.
  const statuses = [];
  for (const value of ['x', 'x'.repeat(2048), '', 'x'.repeat(2049), 7, null, ['x'], undefined])
    statuses.push((await refresh(value)).status);
  assert.deepEqual(statuses, [401, 401, 422, 422, 422, 422, 422, 422]);
  const unusual = [];
  for (const value of ['😀', '\0', '\ud800']) unusual.push((await refresh(value)).status);
  assert.deepEqual(unusual, [401, 422, 422], 'no text that Postgres could hold');
  const { body } = await refresh(undefined);
  assert.deepEqual(body, { detail: [{ loc: ['body', 'refresh_token'], msg: 'Field required', type: 'missing' }] });
});

test('sign-out ends this session with the next look, and everywhere all of them; the audit log has both', async () => {
  const user = await makeUser(app);
  const [here, there] = [await signIn(user), await signIn(user)];
  assert.equal((await signOut(here.id_token)).status, 200);
  await look();
  assert.deepEqual([await me(here.id_token), await me(here.access_token), await me(there.id_token)], [401, 401, 200]);
  assert.equal((await refresh(here.refresh_token)).status, 401);
  assert.equal((await signOut(there.id_token, { everywhere: true })).status, 200);
  await look();
  assert.deepEqual([await me(there.id_token), await me(user.tokens.id_token)], [401, 401]);
  assert.equal((await refresh(there.refresh_token)).status, 401);
  const actions = await actionsOn(app, user.email);
  assert.deepEqual(actions, ['user_created', 'sign_in', 'sign_in', 'sign_out', 'sessions_ended']);
});

test('sign-out: a body that is not the form is 422, a token from before there were sessions is told what to send', async () => {
  const user = await makeUser(app);
  assert.equal((await signOut(user.tokens.id_token, { everywhere: 'yes' })).status, 422);
  assert.equal(await me(user.tokens.id_token), 200);
  const { kid, key } = await currentSigningKey(app.context, 'login');
  const { sid, ...claims } = claimsIn(user.tokens.id_token);
  const old = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid }).sign(key);
  assert.equal(typeof sid, 'string');
  assert.equal(await me(old), 200);
  const refused = await signOut(old);
  assert.deepEqual([refused.status, /everywhere: true/.test(messageOf(refused))], [409, true]);
  assert.equal((await signOut(old, { everywhere: true })).status, 200);
  await look();
  assert.deepEqual([await me(old), await me(user.tokens.id_token)], [401, 401]);
});

test('a user has a thousand sessions at most: the next sign-in ends the one used longest ago', async () => {
  const user = await makeUser(app);
  const early = new Date(app.clock.now().getTime() - 1000);
  await sql`
    insert into login_session (id, user_id, created_at, refreshed_at, expires_at)
    select n, ${user.userId}, ${early}, ${early}, ${new Date(app.clock.now().getTime() + 86_400_000)}
    from generate_series(1, 999) n`;
  const counted = async () => (await sql`select from login_session where user_id = ${user.userId}`).count;
  assert.equal(await counted(), 1000);
  const { id_token } = await signIn(user);
  assert.equal(await counted(), 1000);
  assert.equal((await sql`select from login_session where id = 1`).count, 0);
  assert.deepEqual([await me(id_token), await me(user.tokens.id_token)], [200, 200]);
});
