import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { heedRevocations } from '../../../coordinator/accounts/credential-caches.ts';
import { testApp } from '../../support/app.ts';
import { actionsOn } from '../../support/audit-lines.ts';
import { appCode } from '../../support/authenticator.ts';
import { logIn, makeEnrolled } from '../accounts/second-factor/enrolled.ts';
import { browser, signedIn, type Browser } from './browser-session.ts';

const app = await testApp({ after }, { now: new Date('2026-11-01T10:00:00Z') });
const HERE = '/account/second-factor';
const keyIn = (text: string): string =>
  /aria-label="Key of the second factor"[^>]*><code>([A-Z2-7 ]+)</.exec(text)?.[1]?.replaceAll(' ', '') ??
  assert.fail(text);
const ticketIn = (text: string): string => /name="ticket" value="([\w.-]+)"/.exec(text)?.[1] ?? assert.fail(text);
const recoveryIn = (text: string): string[] =>
  /<output>([a-z2-7\n-]+)<\/output>/.exec(text)?.[1]?.split('\n') ?? assert.fail(text);
/** As the server does four times a second. */
const look = heedRevocations(app.context);
const opens = async (it: Browser): Promise<boolean> => {
  await look();
  return (await it.get('/account')).status === 200;
};
const nowCode = (key: string, steps = 0): string => appCode(key, app.clock.now(), steps);

async function enrolHere(it: Browser): Promise<{ key: string; recoveryCodes: string[]; text: string }> {
  const key = keyIn(await (await it.post(`${HERE}/begin`)).text());
  const done = await it.post(HERE, { code: nowCode(key) });
  const text = await done.text();
  assert.equal(done.status, 200, text);
  return { key, recoveryCodes: recoveryIn(text), text };
}

test('a person sets it up: key and URI as text, one right code, ten recovery codes shown once; other browsers are signed out, this one stays', async () => {
  const { user, it } = await signedIn(app);
  const other = browser(app);
  await other.signIn(user.email, user.password);
  assert.match(await (await it.get(HERE)).text(), /Set up a second factor/);
  const begun = await (await it.post(`${HERE}/begin`)).text();
  const key = keyIn(begun);
  assert.ok(
    begun.includes(`otpauth://totp/gpumark:${encodeURIComponent(user.email)}?secret=${key}&amp;issuer=gpumark`),
  );
  const wrong = await it.post(HERE, { code: '000000' });
  const again = await wrong.text();
  assert.deepEqual([wrong.status, keyIn(again)], [422, key], 'the same key, to try once more');
  assert.match(again, /Nothing was changed/);
  assert.ok(await opens(other));
  const before = new Map(it.cookies);
  const done = await it.post(HERE, { code: nowCode(key) });
  const text = await done.text();
  assert.equal(recoveryIn(text).length, 10);
  assert.deepEqual([await opens(other), await opens(it)], [false, true]);
  assert.notDeepEqual(it.cookies, before, 'the session is new');
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
  assert.equal(
    (await it.post('/account/confirm', { csrf })).status,
    303,
    'forms of the answer belong to the new session',
  );
  const later = await (await it.get(HERE)).text();
  assert.match(later, /Recovery codes left<\/dt>\s*<dd>10</);
  for (const secret of [key, ...recoveryIn(text)]) assert.ok(!later.includes(secret), 'shown once');
});

test('the key requires a password given in the last ten minutes, and is not shown to an unattended browser', async () => {
  const { user, it } = await signedIn(app);
  const key = keyIn(await (await it.post(`${HERE}/begin`)).text());
  app.clock.advance({ minutes: 11 });
  for (const path of [HERE, `${HERE}/begin`]) {
    const answer = await it.post(path, { code: '000000' });
    const text = await answer.text();
    assert.deepEqual([answer.status, text.includes(key)], [422, false], path);
    assert.match(text, /id="f-current_password"/);
  }
  const right = await it.post(HERE, { code: nowCode(key), current_password: user.password });
  assert.equal(right.status, 200, await right.text());
});

test('a sign-in asks for the code on a second page, without the password, and leads to the requested page', async () => {
  const { user, code } = await makeEnrolled(app);
  const it = browser(app);
  const asked = await it.post('/sign-in?next=%2Fmachines', { email: user.email, password: user.password });
  const text = await asked.text();
  assert.deepEqual([asked.status, it.cookies.size, await opens(it)], [200, 0, false]);
  assert.ok(!text.includes(user.password) && !text.includes('<script>'));
  assert.equal(asked.headers.get('cache-control')?.includes('no-store'), true);
  const ticket = ticketIn(text);
  const wrong = await it.post('/sign-in/code?next=%2Fmachines', { ticket, code: '000000' });
  const again = await wrong.text();
  assert.deepEqual([wrong.status, ticketIn(again)], [422, ticket]);
  assert.match(again, /code is wrong, expired or used/);
  const right = await it.post('/sign-in/code?next=%2Fmachines', { ticket, code: code() });
  assert.deepEqual([right.status, right.headers.get('location'), await opens(it)], [303, '/machines', true]);
  const replayed = browser(app);
  assert.equal((await replayed.post('/sign-in/code', { ticket, code: code() })).status, 422);
  assert.ok(!(await opens(replayed)));
  const elsewhere = await browser(app).post('/sign-in/code?next=%2F%2Felsewhere.example', { ticket, code: code(1) });
  assert.equal(elsewhere.headers.get('location'), '/jobs', 'not to another host');
});

test('a recovery code signs in on the same page; a wrong password shows no second page', async () => {
  const { user, recoveryCodes } = await makeEnrolled(app);
  const it = browser(app);
  const wrong = await it.signIn(user.email, 'not the password');
  assert.deepEqual([wrong.status, /ticket/.test(await wrong.text())], [422, false]);
  const ticket = ticketIn(await (await it.signIn(user.email, user.password)).text());
  assert.equal((await it.post('/sign-in/code', { ticket, code: recoveryCodes[3] ?? '' })).status, 303);
  assert.ok(await opens(it));
});

test('wrong codes on the second page are throttled, and an expired ticket says to begin again', async () => {
  const { user, code } = await makeEnrolled(app);
  const it = browser(app);
  const ticket = ticketIn(await (await it.signIn(user.email, user.password)).text());
  for (let n = 0; n < 5; n += 1) await it.post('/sign-in/code', { ticket, code: '000000' });
  const slowed = await it.post('/sign-in/code', { ticket, code: code() });
  assert.deepEqual([slowed.status, /Too many failed sign-ins/.test(await slowed.text())], [422, true]);
  app.clock.advance({ minutes: 10 });
  const late = await it.post('/sign-in/code', { ticket, code: code() });
  assert.deepEqual([late.status, /Begin again/.test(await late.text())], [422, true]);
  assert.ok(!(await opens(it)));
});

test('its owner makes new recovery codes and removes it, each with a code; other sessions end', async () => {
  const { user, it } = await signedIn(app);
  const { key, recoveryCodes } = await enrolHere(it);
  const other = browser(app);
  const ticket = ticketIn(await (await other.signIn(user.email, user.password)).text());
  await other.post('/sign-in/code', { ticket, code: nowCode(key, 1) });
  assert.ok(await opens(other));
  app.clock.advance({ minutes: 2 });
  assert.equal((await it.post(`${HERE}/recovery-codes`, { code: '000000' })).status, 422);
  const made = recoveryIn(await (await it.post(`${HERE}/recovery-codes`, { code: nowCode(key) })).text());
  assert.ok(made.length === 10 && made.every((code) => !recoveryCodes.includes(code)));
  assert.equal((await it.post(`${HERE}/remove`, { code: nowCode(key) })).status, 422, 'that code was used already');
  const removed = await it.post(`${HERE}/remove`, { code: made[0] ?? '' });
  assert.match(await removed.text(), /The password alone signs in again/);
  assert.deepEqual([await opens(other), await opens(it)], [false, true]);
  assert.equal((await browser(app).signIn(user.email, user.password)).status, 303);
});

test('a company requires it: a member without one sets it up after the password, sees nothing else before, and is then signed in', async () => {
  const company = 'Strict Ltd';
  const { it: admin } = await signedIn(app, { company, role: 'customer_admin' });
  const { user, it: old } = await signedIn(app, { company });
  const RULE = '/company/members/second-factor';
  const early = await admin.post(RULE, { require_second_factor: 'yes' });
  assert.match(await early.text(), /Set up a second factor of your own first/);
  await enrolHere(admin);
  assert.equal((await admin.post(RULE, { require_second_factor: 'yes' })).status, 200);
  assert.deepEqual([await opens(old), await opens(admin)], [false, true]);
  const it = browser(app);
  const text = await (await it.signIn(user.email, user.password)).text();
  assert.match(text, /Your company requires a second factor/);
  assert.deepEqual([it.cookies.size, await opens(it)], [0, false]);
  const [ticket, key] = [ticketIn(text), keyIn(text)];
  const wrong = await (await it.post('/sign-in/set-up', { ticket, code: '000000' })).text();
  assert.equal(keyIn(wrong), key, 'the same key, to try once more');
  assert.ok(!(await opens(it)));
  const done = await it.post('/sign-in/set-up', { ticket, code: nowCode(key) });
  assert.equal(recoveryIn(await done.text()).length, 10);
  assert.ok(await opens(it));
  assert.equal((await browser(app).post('/sign-in/set-up', { ticket, code: nowCode(key, 1) })).status, 401);
  assert.equal((await logIn(app, user, nowCode(key, 1))).status, 200);
  app.clock.advance({ minutes: 2 });
  const left = await it.post(`${HERE}/remove`, { code: nowCode(key), current_password: user.password });
  assert.deepEqual([left.headers.get('location'), await opens(it)], ['/sign-in', false], 'the next sign-in sets it up');
});

test('an administrator removes the factor of a member who lost it, on the page of members, which says who has one', async () => {
  const company = 'Acme';
  const { user: boss, it: admin } = await signedIn(app, { company, role: 'customer_admin' });
  const { user } = await makeEnrolled(app, { company });
  const rival = await signedIn(app, { company: 'Rival Ltd', role: 'customer_admin' });
  const form = { person: user.email, what: 'remove_second_factor', current_password: boss.password };
  const csv = async () => (await admin.get('/company/members.csv')).text();
  assert.match(await csv(), new RegExp(`${user.email},.*,yes`));
  assert.equal(
    (await rival.it.post('/company/members/change', { ...form, current_password: rival.user.password })).status,
    422,
  );
  assert.match(await csv(), new RegExp(`${user.email},.*,yes`), 'another company changes nothing');
  assert.match(await (await admin.post('/company/members/change', form)).text(), /was changed/);
  assert.match(await csv(), new RegExp(`${user.email},.*,no`));
  assert.ok((await actionsOn(app, user.email)).includes('second_factor_removed'));
  assert.equal((await browser(app).signIn(user.email, user.password)).status, 303);
});

test('forms between password and code are refused from other sites', async () => {
  for (const path of ['/sign-in/code', '/sign-in/set-up']) {
    const answer = await browser(app).post(path, { ticket: 'x', code: '1' }, { 'sec-fetch-site': 'cross-site' });
    assert.equal(answer.status, 403, path);
  }
});
