import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { heedRevocations } from '../../../coordinator/accounts/credential-caches.ts';
import { testApp } from '../../support/app.ts';
import { call, makeUser } from '../../support/client.ts';
import { mailServer, type ReceivedMail } from '../../support/mail-server.ts';
import { browser, signedIn } from './browser-session.ts';

const mail = await mailServer({ after });
const environment = { SMTP_URL: mail.url, MAIL_FROM: 'gpumark <noreply@gpumark.test>' };
const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z'), environment });
const look = heedRevocations(app.context);
await look();
const stranger = browser(app);

/** The path of the link in a mail. */
const pathIn = ({ text }: ReceivedMail, page: 'reset' | 'sign-up'): string =>
  new RegExp(`^http://coordinator\\.test(/${page}/gmp_\\w{38})$`, 'm').exec(text)?.[1] ?? assert.fail(text);
const send = async (path: string, fields: Record<string, string>): Promise<[number, string]> => {
  const answer = await stranger.post(path, fields);
  return [answer.status, await answer.text()];
};
const signsIn = async (email: string, password: string): Promise<number> =>
  (await browser(app).signIn(email, password)).status;

test('a person who forgot the password gets a link by mail, which sets a new one once and ends all sessions', async () => {
  const { user, it } = await signedIn(app);
  assert.equal((await it.get('/account')).status, 200);
  assert.equal((await send('/reset', { email: user.email }))[0], 200);
  const path = pathIn(await mail.mailTo(user.email), 'reset');
  const form = await stranger.get(path);
  assert.equal(form.status, 200);
  assert.match(await form.text(), new RegExp(`action="${path}"`));
  for (const [password, reason] of [
    ['short', /password must have at least 8 characters/],
    ['password1', /password is one of the most common passwords/],
  ] as const) {
    const [status, page] = await send(path, { password });
    assert.equal(status, 422, password);
    assert.match(page, reason);
    assert.equal(await signsIn(user.email, password), 422, 'it was not set');
  }
  assert.equal((await it.get('/account')).status, 200, 'a refused password ends no session');
  const [status, page] = await send(path, { password: 'a phrase of mine 7' });
  assert.equal(status, 200);
  assert.match(page, /The password is set/);
  await look();
  const before = await it.get('/account');
  assert.deepEqual([before.status, before.headers.get('location')], [303, '/sign-in?next=%2Faccount']);
  const login = await call(app, 'GET', '/api/user/me', { headers: user.authorization });
  assert.equal(login.status, 401, 'a session of the API is over as well');
  assert.deepEqual(
    [await signsIn(user.email, user.password), await signsIn(user.email, 'a phrase of mine 7')],
    [422, 303],
  );
  const [again, refused] = await send(path, { password: 'another phrase 8' });
  assert.equal(again, 422);
  assert.match(refused, /unknown, used or expired/);
  assert.match(refused, /href="\/reset">Ask for a new link</, 'the way to a new link');
  assert.equal(await signsIn(user.email, 'another phrase 8'), 422);
});

test('the page for a forgotten password gives the same answer for a known and an unknown address, and only the known one gets mail', async () => {
  const { email } = await makeUser(app);
  const known = await send('/reset', { email });
  const unknown = await send('/reset', { email: 'nobody@example.com' });
  assert.equal(known[0], 200);
  assert.match(known[1], /A link is on its way to/);
  assert.deepEqual([unknown[0], unknown[1].replaceAll('nobody@example.com', email)], known);
  await mail.mailTo(email);
  // Mails are sent in order: one that was asked for later has come, and none for the unknown address.
  const { email: later } = await makeUser(app);
  await send('/reset', { email: later });
  await mail.mailTo(later);
  assert.equal(mail.mails.filter(({ to }) => to.includes('nobody@example.com')).length, 0);
  const [status, page] = await send('/reset', { email: 'no address' });
  assert.equal(status, 422);
  assert.match(page, /This is not an e-mail address\./);
});

test('a person who signs up becomes the administrator of a new company of tier basic', async () => {
  const email = 'grace@hopper.example';
  const fields = { company: 'Hopper Compute', first_name: 'Grace', last_name: 'Hopper', email };
  assert.equal((await send('/sign-up', fields))[0], 200);
  const path = pathIn(await mail.mailTo(email), 'sign-up');
  assert.equal(await signsIn(email, 'a phrase of hers 7'), 422, 'no account before the link is used');
  assert.match((await send(path, { password: 'short' }))[1], /password must have at least 8 characters/);
  assert.equal((await send(path, { password: 'a phrase of hers 7' }))[0], 200);
  const it = browser(app);
  assert.equal((await it.signIn(email, 'a phrase of hers 7')).status, 303);
  const subscriptions = (await (await it.get('/company/subscription.json')).json()) as { results: { tier: string }[] };
  assert.deepEqual(
    subscriptions.results.map(({ tier }) => tier),
    ['basic'],
  );
  const subscription = await (await it.get('/company/subscription')).text();
  assert.match(subscription, /<dt>Tier<\/dt>\s*<dd>basic<\/dd>/, 'and it is in force');
  const account = await (await it.get('/account')).text();
  assert.match(account, /<dt>Company<\/dt>\s*<dd>(<[^>]*>)?Hopper Compute/);
  assert.match(account, /<dt>Role<\/dt>\s*<dd>customer_admin</);
  const [again, refused] = await send(path, { password: 'a phrase of hers 8' });
  assert.equal(again, 422, 'the link works once');
  assert.match(refused, /The link is unknown, used or expired/);
  assert.match(refused, /href="\/sign-up">Sign up again</);
});
