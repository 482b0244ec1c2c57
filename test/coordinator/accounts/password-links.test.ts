import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { forgotPassword } from '../../../coordinator/accounts/passwords/forgot-password.ts';
import { pruneAccounts } from '../../../coordinator/background.ts';
import { heedRevocations } from '../../../coordinator/accounts/credential-caches.ts';
import { linkPace } from '../../../coordinator/accounts/throttle/limits.ts';
import { testApp } from '../../support/app.ts';
import { altered } from '../../support/altered.ts';
import { auditLines } from '../../support/audit-lines.ts';
import { appOver } from '../../support/app-over.ts';
import { call, makeUser, type TestUser } from '../../support/client.ts';
import { countingSql } from '../../support/counting-sql.ts';
import { mailServer, type ReceivedMail } from '../../support/mail-server.ts';
import { until } from '../../support/until.ts';

const mail = await mailServer({ after });
const environment = { SMTP_URL: mail.url, MAIL_FROM: 'gpumark <noreply@gpumark.test>' };
const app = await testApp({ after }, { now: new Date('2026-11-01T10:00:00Z'), environment });
const { sql } = app.platform;
const look = heedRevocations(app.context);
const forgot = (email: unknown) => call(app, 'POST', '/api/user/password/forgot', { body: { email } });
const reset = (token: unknown, password: unknown) =>
  call(app, 'POST', '/api/user/password/reset', { body: { token, password } });
const logIn = async ({ email }: Pick<TestUser, 'email'>, password: string) =>
  (await call(app, 'POST', '/api/user/login', { body: { email, password } })).status;
const me = async (user: TestUser) => (await call(app, 'GET', '/api/user/me', { headers: user.authorization })).status;
const mailsTo = (email: string): ReceivedMail[] => mail.mails.filter(({ to }) => to.includes(email));
const tokenIn = ({ text }: ReceivedMail): string =>
  /^http:\/\/coordinator\.test\/reset\/(gmp_[0-9A-Za-z]{38})$/m.exec(text)?.[1] ?? text;
const messagesOf = (body: unknown): string[] =>
  z
    .object({ detail: z.array(z.object({ loc: z.array(z.string()), msg: z.string() })) })
    .parse(body)
    .detail.map(({ loc, msg }) => `${loc.join('.')} ${msg}`);
const NOT_GOOD = 'body.token is unknown, used or expired. Ask for a new link.';

/** Asks for a link and waits for the mail after those that have come. */
async function linkFor(user: TestUser): Promise<string> {
  const before = mailsTo(user.email).length;
  // Other tests of this file ask from the same network, which has a limit of its own.
  await sql`delete from login_throttle where subject = 'links:local'`;
  assert.equal((await forgot(user.email)).status, 200);
  return tokenIn(await until('the mail with the link', () => mailsTo(user.email)[before]));
}

test('a link by mail sets the password once, ends all sessions and makes the other links void', async () => {
  const [user, other] = [await makeUser(app), await makeUser(app)];
  const [first, second, ofOther] = [await linkFor(user), await linkFor(user), await linkFor(other)];
  assert.deepEqual([await me(user), await me(other)], [200, 200]);
  assert.equal((await reset(second, 'set by the link')).status, 200);
  await look();
  assert.deepEqual([await me(user), await me(other)], [401, 200]);
  for (const token of [second, first])
    assert.deepEqual(messagesOf((await reset(token, 'set once more')).body), [NOT_GOOD]);
  assert.deepEqual([await logIn(user, user.password), await logIn(user, 'set by the link')], [401, 200]);
  assert.equal((await reset(ofOther, 'set by the link')).status, 200, 'a link of another user is not touched');
  assert.equal(await logIn(other, 'set by the link'), 200);
  const lines = (await auditLines(app, user.email)).map(({ action, detail, actor_id }) => ({
    action,
    detail,
    actor_id,
  }));
  assert.deepEqual(lines.slice(1, 4), [
    { action: 'password_link_sent', detail: { by: 'mail', hours: 1 }, actor_id: null },
    { action: 'password_link_sent', detail: { by: 'mail', hours: 1 }, actor_id: null },
    { action: 'password_set_by_link', detail: {}, actor_id: user.userId },
  ]);
  const stored = JSON.stringify(await sql`select encode(token_hash, 'escape') as hash from password_link`);
  const kept = stored + JSON.stringify(await sql`select * from audit_event`) + JSON.stringify(app.logLines());
  for (const token of [first, second]) assert.ok(!kept.includes(token.slice(10)), 'the token stands nowhere');
});

test('the mail says what it is, is from MAIL_FROM and goes to that address alone', async () => {
  const user = await makeUser(app);
  await linkFor(user);
  const [received] = mailsTo(user.email);
  assert.ok(received);
  assert.deepEqual([received.from, received.to], ['noreply@gpumark.test', [user.email]]);
  assert.match(received.raw, /^From: gpumark <noreply@gpumark\.test>$/m);
  assert.match(received.raw, /^Subject: Set your gpumark password$/m);
  assert.match(received.text, /works once, within one hour/);
});

test('of two who use a link at the same time one sets the password', async () => {
  const user = await makeUser(app);
  const token = await linkFor(user);
  const answers = await Promise.all([reset(token, 'the first of two'), reset(token, 'the second of two')]);
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 422],
  );
  const works = [await logIn(user, 'the first of two'), await logIn(user, 'the second of two')];
  assert.deepEqual(
    works,
    answers.map(({ status }) => (status === 200 ? 200 : 401)),
  );
});

test('422: a link that expired, is of a disabled user, unknown or malformed; a bad password leaves a good link good', async () => {
  const [expired, disabled, user] = [await makeUser(app), await makeUser(app), await makeUser(app)];
  const [late, ofDisabled, good] = [await linkFor(expired), await linkFor(disabled), await linkFor(user)];
  await sql`update user_account set disabled_at = now() where id = ${disabled.userId}`;
  await sql`update password_link set expires_at = ${app.clock.now()} where user_id = ${expired.userId}`;
  for (const token of [late, ofDisabled])
    assert.deepEqual(messagesOf((await reset(token, 'a good password')).body), [NOT_GOOD]);
  const malformed = [
    'x',
    altered(good),
    good.replace('gmp_', 'gmk_'),
    `${good} `,
    good.toLowerCase(),
    'x'.repeat(100),
    '😀',
  ];
  for (const token of malformed)
    assert.match(
      messagesOf((await reset(token, 'a good password')).body)[0] ?? '',
      /^body\.token is not complete/,
      token,
    );
  for (const token of ['', 'x'.repeat(101), 7, null, undefined, '\0', '\ud800'])
    assert.equal((await reset(token, 'a good password')).status, 422);
  for (const password of ['', 'short', 'password1', user.email, 'x'.repeat(1025)])
    assert.match(messagesOf((await reset(good, password)).body)[0] ?? '', /^body\.password /, password);
  assert.equal((await reset(good, '🎲'.repeat(1024))).status, 200);
});

test('a link is good for one hour and not a second longer, and its row goes a day after', async () => {
  const [user, late] = [await makeUser(app), await makeUser(app)];
  const [first, second] = [await linkFor(user), await linkFor(late)];
  app.clock.advance({ seconds: 3599 });
  assert.equal((await reset(first, 'in the last second')).status, 200);
  app.clock.advance({ seconds: 1 });
  assert.deepEqual(messagesOf((await reset(second, 'a second too late')).body), [NOT_GOOD]);
  const left = async () =>
    (await sql`select from password_link where user_id in (${user.userId}, ${late.userId})`).count;
  app.clock.advance({ hours: 24 });
  await pruneAccounts(app.context);
  assert.equal(await left(), 2);
  app.clock.advance({ seconds: 1 });
  await pruneAccounts(app.context);
  assert.equal(await left(), 0);
});

test('an account gets three links an hour, no matter who asks, and the fourth answer is the same', async () => {
  const user = await makeUser(app);
  for (let turn = 0; turn < 3; turn += 1) await linkFor(user);
  const count = async () => (await sql`select from password_link where user_id = ${user.userId}`).count;
  const fourth = await forgot(user.email);
  // The queue sends one at a time: once a later one has arrived, the fourth has been dealt with.
  await linkFor(await makeUser(app));
  assert.deepEqual([fourth.status, await count(), mailsTo(user.email).length], [200, 3, 3]);
  app.clock.advance({ seconds: 3600 });
  await linkFor(user);
  assert.equal(await count(), 4);
});

test('known, unknown and disabled addresses get the same answer, with the same headers and queries before it', async (t) => {
  const [user, disabled] = [await makeUser(app), await makeUser(app)];
  await sql`update user_account set disabled_at = now() where id = ${disabled.userId}`;
  const counting = countingSql(sql);
  // Without mail nothing goes on behind the answer, so that every query counted is one before it.
  const { test: silent, close } = await appOver({ sql: counting.sql, url: app.databaseUrl }, { now: app.clock.now() });
  t.after(close);
  const seen = [];
  for (const email of [user.email, 'nobody@example.com', disabled.email]) {
    await sql`delete from login_throttle where subject = 'links:local'`;
    counting.count();
    const quiet = await call(silent, 'POST', '/api/user/password/forgot', { body: { email } });
    const queries = counting.count();
    const mailed = await forgot(email);
    const headers = [...quiet.headers].filter(([name]) => name !== 'x-request-id');
    seen.push({ status: [quiet.status, mailed.status], body: [quiet.body, mailed.body], headers, queries });
  }
  assert.deepEqual([seen[0]?.status, seen[0]?.queries], [[200, 200], 3], 'one statement of three parts');
  for (const one of seen) assert.deepEqual(one, seen[0]);
});

test('429: a network that asks for twenty links waits 1, 2, 4 ... seconds, whatever addresses it names', async () => {
  const from = (email: string) =>
    forgotPassword({ ...app.context, client: { address: '192.0.2.9', country: null } }, email);
  const asked = async (email: string) =>
    from(email).then(
      () => 'ok',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  for (let turn = 0; turn < linkPace.free; turn += 1) assert.equal(await asked(`nobody${turn}@example.com`), 'ok');
  const user = await makeUser(app);
  for (const email of [user.email, 'nobody@example.com'])
    assert.equal(await asked(email), 'Too many password links were requested. Try again in 1 seconds.');
  app.clock.advance({ seconds: 1 });
  assert.equal(await asked('nobody@example.com'), 'ok');
  assert.match(await asked('nobody@example.com'), /in 2 seconds/);
  assert.equal((await forgot(user.email)).status, 200, 'another network');
});

test('422: an address at its limits', async () => {
  await sql`delete from login_throttle where subject = 'links:local'`;
  const local = (length: number) => `${'a'.repeat(length - '@example.com'.length)}@example.com`;
  const statuses = [];
  for (const email of [
    local(254),
    local(255),
    '',
    'x',
    'a@b',
    '😀@example.com',
    '\0@example.com',
    '\ud800@example.com',
    7,
  ])
    statuses.push((await forgot(email)).status);
  assert.deepEqual(statuses, [200, 422, 422, 422, 422, 422, 422, 422, 422]);
});

test('a mail server that refuses is a line in the log, and the answer was given before', async () => {
  const user = await makeUser(app);
  await sql`delete from login_throttle where subject = 'links:local'`;
  mail.refuse(true);
  const answer = await forgot(user.email);
  assert.equal(answer.status, 200);
  const line = await until('the line in the log', () =>
    app
      .logLines()
      .find(
        ({ msg, request_id }) =>
          msg === 'a password link was not sent' && request_id === answer.headers.get('x-request-id'),
      ),
  );
  mail.refuse(false);
  assert.equal(line['level'], 40);
  assert.ok(!JSON.stringify(line).includes('gmp_'));
});

test('without SMTP_URL nothing is made and nothing sent; a line says how the operator makes a link', async (t) => {
  const user = await makeUser(app);
  const { test: silent, close } = await appOver({ sql, url: app.databaseUrl }, { now: app.clock.now() });
  t.after(close);
  await sql`delete from login_throttle where subject = 'links:local'`;
  const { status } = await call(silent, 'POST', '/api/user/password/forgot', { body: { email: user.email } });
  assert.equal(status, 200);
  const lines = silent.logLines().filter(({ msg }) => String(msg).includes('mail is not set up'));
  assert.deepEqual([lines.length, lines[0]?.['level'], JSON.stringify(lines).includes(user.email)], [1, 30, false]);
  assert.equal((await sql`select from password_link where user_id = ${user.userId}`).count, 0);
});
