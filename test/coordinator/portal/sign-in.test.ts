import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { makeUser } from '../../support/client.ts';
import { browser } from './browser-session.ts';

const app = await testApp({ after }, { now: new Date('2026-11-01T10:00:00Z') });

test('signing in sets a cookie that opens pages, and signing out ends it', async () => {
  const user = await makeUser(app);
  const it = browser(app);
  const before = await it.get('/account');
  assert.deepEqual([before.status, before.headers.get('location')], [303, '/sign-in?next=%2Faccount']);
  const answer = await it.signIn(user.email, user.password);
  assert.equal(answer.status, 303, await answer.text());
  assert.equal(answer.headers.get('location'), '/jobs');
  const account = await it.get('/account');
  assert.equal(account.status, 200);
  assert.match(await account.text(), new RegExp(user.email));
  const stolen = new Map(it.cookies);
  assert.equal((await it.post('/sign-out')).status, 303);
  for (const [name, value] of stolen) it.cookies.set(name, value);
  assert.equal((await it.get('/account')).status, 303, 'the cookie opens nothing after the sign-out');
});
