import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { browser, signedIn, type Browser } from './browser-session.ts';
import { browserOf } from '../../../coordinator/portal/sessions/open-session.ts';

const app = await testApp({ after }, { now: new Date('2026-11-01T10:00:00Z') });

/**
 * A running coordinator invalidates its cache immediately; without a listener, as here, entries expire after this time.
 */
const told = (): void => app.clock.advance({ seconds: 5 });

/** Somebody who has a cookie's value and nothing else. */
function holder(of: Browser, token: string): Browser {
  const thief = browser(app);
  for (const name of of.cookies.keys()) thief.cookies.set(name, token);
  return thief;
}
const tokenOf = ({ cookies }: Browser): string => cookies.get('gpumark-loopback') ?? '';

test('a session is a new random value at each sign-in and after a password change, and only its hash is stored', async () => {
  const { user, it } = await signedIn(app);
  const first = [...it.cookies.values()];
  await it.post('/sign-in', { email: user.email, password: user.password });
  const second = [...it.cookies.values()];
  const next = 'wholly another phrase 7';
  assert.equal(
    (await it.post('/account/password', { current_password: user.password, new_password: next })).status,
    303,
  );
  const third = [...it.cookies.values()];
  const tokens = [first, second, third].map(([token]) => token ?? '');
  assert.equal(new Set(tokens).size, 3);
  assert.equal((await it.get('/account')).status, 200, 'this browser stays signed in');
  told();
  for (const token of tokens.slice(0, 2))
    assert.equal((await holder(it, token).get('/account')).status, 303, 'the old token is invalid');
  const rows = await app.platform.sql<{ token_hash: Buffer }[]>`select token_hash from portal_session`;
  for (const token of tokens) {
    assert.equal(Buffer.from(token, 'base64url').length, 32, '256 bits');
    assert.ok(rows.every(({ token_hash }) => !token_hash.equals(Buffer.from(token, 'base64url'))));
  }
});

test('the password given again renews the token: the old one is invalid, the browser stays signed in, even if the rest of the form is wrong', async () => {
  const { user, it } = await signedIn(app, { role: 'customer_admin', tier: 'enterprise' });
  for (const [path, fields, status] of [
    ['/company/keys/make', { under: 'no such name' }, 422],
    ['/company/applications', { name: 'robot', description: 'for the nightly runs' }, 200],
  ] as const) {
    app.clock.advance({ minutes: 11 });
    const before = tokenOf(it);
    const wrong = await it.post(path, { ...fields, current_password: 'not this one' });
    assert.deepEqual([wrong.status, tokenOf(it)], [422, before], 'a wrong password renews nothing');
    const answer = await it.post(path, { ...fields, current_password: user.password });
    assert.equal(answer.status, status);
    const after = tokenOf(it);
    assert.notEqual(after, before);
    assert.equal((await holder(it, before).get('/account')).status, 303);
    assert.equal((await holder(it, after).get('/account')).status, 200);
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(await answer.text()) ?? [];
    const next = await it.post(path, { ...fields, csrf });
    assert.notEqual(next.status, 403, 'the forms of the answer carry the new token');
    assert.equal(tokenOf(it), after, 'within ten minutes the password is not requested and the token not renewed');
  }
});

test('of two simultaneous forms with the password one renews the session, and the other changes nothing', async () => {
  const { user, it } = await signedIn(app, { role: 'customer_admin', tier: 'enterprise' });
  app.clock.advance({ minutes: 11 });
  const thief = holder(it, tokenOf(it));
  const fields = { description: 'made at once', current_password: user.password };
  const answers = await Promise.all([
    it.post('/company/applications', { name: 'first', ...fields }),
    thief.post('/company/applications', { name: 'second', ...fields }),
  ]);
  const made = await app.platform.sql`select name from application where description = 'made at once'`;
  assert.deepEqual([made.length, answers.filter(({ status }) => status === 200).length], [1, 1]);
});

test('the list of sessions shows each browser; ending one of them, or all, asks for the password and ends only those', async () => {
  const { user, it } = await signedIn(app);
  const other = browser(app);
  await other.post(
    '/sign-in',
    { email: user.email, password: user.password },
    { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
  );
  const third = browser(app);
  await third.signIn(user.email, user.password);
  const { it: stranger } = await signedIn(app);
  const listed = await (await it.get('/account/sessions')).text();
  assert.match(listed, /Firefox 140 on Linux/);
  const [, firefox = ''] = /value="(\d+)"[^>]*>\s*Firefox 140 on Linux/.exec(listed) ?? [];
  app.clock.advance({ minutes: 11 });
  const states = async () => Promise.all([it, other, third].map(async (one) => (await one.get('/account')).status));
  for (const session of [firefox, 'all'])
    for (const given of [{}, { current_password: 'not this one' }]) {
      const refused = await it.post('/account/sessions/end', { session, ...given });
      assert.equal(refused.status, 422);
      assert.match(await refused.text(), /name="current_password"/);
    }
  assert.deepEqual(await states(), [200, 200, 200], 'nothing has ended without the password');
  const foreign = await stranger.post('/account/sessions/end', { session: firefox });
  assert.equal(foreign.status, 422, 'somebody else’s session');
  app.clock.advance({ hours: 1 });
  const ended = await it.post('/account/sessions/end', { session: firefox, current_password: user.password });
  assert.equal(ended.status, 200);
  assert.ok(!(await ended.text()).includes('Firefox 140'), 'it is no longer listed');
  told();
  assert.deepEqual(await states(), [200, 303, 200]);
  const everywhere = await it.post('/account/sessions/end', { session: 'all' });
  assert.deepEqual([everywhere.status, everywhere.headers.get('location')], [303, '/sign-in']);
  told();
  assert.deepEqual(await states(), [303, 303, 303]);
  assert.equal((await stranger.get('/account')).status, 200);
});

test('a browser is named by its own brand, not by those it is compatible with', () => {
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0';
  for (const [userAgent, name] of [
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Safari/537.36 Edg/130.0.0.0`, 'Edge 130 on Windows'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Safari/537.36 OPR/115.0.0.0`, 'Opera 115 on Linux'],
    [`Mozilla/5.0 (Linux; Android 10; K) ${webkit} Mobile Safari/537.36`, 'Chrome 131 on Android'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile/1 Safari/604.1',
      'Safari 17 on iPhone',
    ],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15', 'Safari 18 on Mac OS X'],
    ['curl/8.5.0', 'curl 8'],
    ['Mozilla/5.0 (X11; Linux x86_64)', 'An unknown browser on Linux'],
    [undefined, 'An unknown browser'],
  ] as const)
    assert.equal(browserOf(userAgent), name);
});
