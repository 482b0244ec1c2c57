import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeResetLink } from '../../../../coordinator/accounts/passwords/make-link.ts';
import { findUser } from '../../../../coordinator/accounts/queries.ts';
import { finishSignIn } from '../../../../coordinator/accounts/second-factor/finish-sign-in.ts';
import { issueTicket } from '../../../../coordinator/accounts/second-factor/sign-in-ticket.ts';
import { testApp } from '../../../support/app.ts';
import { actionsOn, auditLines } from '../../../support/audit-lines.ts';
import { call, makeUser } from '../../../support/client.ts';
import { outcomeOf } from '../../../support/verb-outcome.ts';
import { logIn, makeEnrolled } from './enrolled.ts';

const app = await testApp({ after }, { now: new Date('2026-11-01T10:00:00Z') });
const ticketOf = (row: Parameters<typeof issueTicket>[1]): Promise<string> => issueTicket(app.context, row);
const messageOf = (text: string): string => /"message":"([^"]*)"/.exec(text)?.[1] ?? '';

test('the right password and code sign in; without a code the answer says that one is needed, and only after the right password', async () => {
  const { user, code } = await makeEnrolled(app);
  const without = await logIn(app, user);
  assert.equal(without.status, 401);
  assert.match(messageOf(without.text), /second factor\. Send code as well/);
  const wrong = await logIn(app, { ...user, password: 'not the password' }, code());
  assert.deepEqual([wrong.status, messageOf(wrong.text)], [401, 'The e-mail address or the password is wrong.']);
  const right = await logIn(app, user, ` ${code().slice(0, 3)} ${code().slice(3)}`);
  assert.equal(right.status, 200, right.text);
  assert.ok(right.headers.get('set-cookie')?.includes('gpumark_device'));
});

test('an account without a second factor signs in as before, and a code that it sends is not looked at', async () => {
  const user = await makeUser(app);
  const [without, beside] = [await logIn(app, user), await logIn(app, user, '123456')];
  assert.deepEqual([without.status, beside.status], [200, 200]);
  const keys = 'access_token refresh_token id_token token_type expires_in company_name';
  assert.equal(Object.keys((without.body as { data: object }).data).join(' '), keys);
});

test('a code is good once: the step that was used, and those before it, are refused', async () => {
  const { user, code } = await makeEnrolled(app);
  const [before, now, next] = [code(-1), code(), code(1)];
  assert.equal((await logIn(app, user, now)).status, 200);
  for (const used of [now, before]) {
    const again = await logIn(app, user, used);
    assert.deepEqual([again.status, /wrong, expired or used/.test(again.text)], [401, true]);
  }
  assert.equal((await logIn(app, user, next)).status, 200);
});

test('the code of the step before and of the next are taken, those of two steps off are not', async () => {
  for (const [steps, status] of [
    [-2, 401],
    [-1, 200],
    [1, 200],
    [2, 401],
  ] as const) {
    const { user, code } = await makeEnrolled(app);
    // That of the enrolment is two steps back by now.
    app.clock.advance({ minutes: 1 });
    assert.equal((await logIn(app, user, code(steps))).status, status, `${steps} steps`);
  }
});

test('of four sign-ins with one code at the same time exactly one passes, with a code of the app and with a recovery code', async () => {
  for (const kind of ['app', 'recovery'] as const) {
    const { user, code, recoveryCodes } = await makeEnrolled(app);
    const row = (await findUser(app.platform.sql, user.userId)) ?? assert.fail();
    const ticket = await ticketOf(row);
    const given = { ticket, code: kind === 'app' ? code() : (recoveryCodes[0] ?? ''), cookie: undefined };
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => outcomeOf(finishSignIn(app.context, given))));
    assert.deepEqual(outcomes.toSorted(), ['done', 'validation', 'validation', 'validation'], kind);
  }
});

test('the ticket between password and code is good for ten minutes, opens nothing itself, and ends with the sessions of the user', async () => {
  const { user, code } = await makeEnrolled(app);
  const row = (await findUser(app.platform.sql, user.userId)) ?? assert.fail();
  const finish = (ticket: string) => outcomeOf(finishSignIn(app.context, { ticket, code: code(), cookie: undefined }));
  const [late, used] = [await ticketOf(row), await ticketOf(row)];
  const me = await call(app, 'GET', '/api/user/me', { headers: { authorization: `Bearer ${used}` } });
  assert.equal(me.status, 401);
  for (const other of [user.tokens.id_token, user.tokens.refresh_token, 'nonsense', ''])
    assert.equal(await finish(other), 'unauthenticated', 'no other token is one');
  app.clock.advance({ seconds: 599 });
  assert.equal(await finish(used), 'done');
  app.clock.advance({ seconds: 1 });
  assert.equal(await finish(late), 'unauthenticated');
  const ended = await ticketOf(row);
  await app.platform.sql`update user_account set session_epoch = session_epoch + 1 where id = ${user.userId}`;
  assert.equal(await finish(ended), 'unauthenticated');
});

test('ten recovery codes sign in once each, in either case and without hyphens; they are kept as hashes, and the audit log has each use', async () => {
  const { user, recoveryCodes } = await makeEnrolled(app);
  assert.equal(new Set(recoveryCodes).size, 10);
  const [first = '', second = ''] = recoveryCodes;
  assert.match(first, /^([a-z2-7]{4}-){5}[a-z2-7]{4}$/);
  assert.equal((await logIn(app, user, first)).status, 200);
  assert.equal((await logIn(app, user, first)).status, 401);
  assert.equal((await logIn(app, user, second.toUpperCase().replaceAll('-', ''))).status, 200);
  const lines = (await auditLines(app, user.email)).filter(({ action }) => action === 'recovery_code_used');
  assert.deepEqual(
    lines.map(({ detail }) => detail),
    [{ left: 9 }, { left: 8 }],
  );
  const rows = await app.platform.sql`select encode(code_hash, 'escape') as kept from recovery_code`;
  for (const { kept } of rows) for (const code of recoveryCodes) assert.ok(!String(kept).includes(code.slice(0, 4)));
});

test('a recovery code signs in the person it was made for, and nobody else', async () => {
  const [one, other] = [await makeEnrolled(app), await makeEnrolled(app)];
  assert.equal((await logIn(app, one.user, other.recoveryCodes[0])).status, 401);
  assert.equal((await logIn(app, other.user, other.recoveryCodes[0])).status, 200);
});

test('wrong codes are slowed like wrong passwords, and the right password alone in between does not begin the count anew', async () => {
  const { user, code } = await makeEnrolled(app);
  const seen: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    seen.push((await logIn(app, user)).status);
    seen.push((await logIn(app, user, '000000')).status);
  }
  assert.deepEqual(seen, Array(10).fill(401));
  const paused = await logIn(app, user, code());
  assert.deepEqual([paused.status, Number(paused.headers.get('retry-after')) > 0], [429, true]);
  app.clock.advance({ minutes: 1 });
  assert.equal((await logIn(app, user, code())).status, 200);
  const actions = await actionsOn(app, user.email);
  assert.deepEqual(actions.filter((action) => action === 'second_factor_failed').length, 5);
  assert.ok(actions.includes('sign_in_slowed'));
  assert.ok(!actions.includes('sign_in_failed'), 'the password was never wrong');
});

test('twelve sign-ins with the right password and no code slow nobody down', async () => {
  const { user, code } = await makeEnrolled(app);
  for (let n = 0; n < 12; n += 1) assert.equal((await logIn(app, user)).status, 401);
  assert.equal((await logIn(app, user, code())).status, 200);
});

test('a password set by a link signs nobody in, and the code is still asked for', async () => {
  const { user, code, recoveryCodes } = await makeEnrolled(app);
  const { link } = await makeResetLink(app.context, user.email);
  const body = { token: link.slice(link.lastIndexOf('/') + 1), password: 'a new good phrase 9' };
  const reset = await call(app, 'POST', '/api/user/password/reset', { body });
  assert.deepEqual([reset.status, (reset.body as { data: unknown }).data], [200, {}]);
  const changed = { ...user, password: body.password };
  const without = await logIn(app, changed);
  assert.deepEqual([without.status, /second factor/.test(without.text)], [401, true]);
  assert.equal((await logIn(app, changed, code())).status, 200);
  assert.equal((await logIn(app, changed, recoveryCodes[0])).status, 200, 'they outlive a reset too');
});

test('a disabled person is refused in the words of a wrong password, with the code too', async () => {
  const { user, code } = await makeEnrolled(app);
  await app.platform.sql`update user_account set disabled_at = now() where id = ${user.userId}`;
  const refused = await logIn(app, user, code());
  assert.deepEqual([refused.status, messageOf(refused.text)], [401, 'The e-mail address or the password is wrong.']);
});
