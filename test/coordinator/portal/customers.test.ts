import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { makeUser } from '../../support/client.ts';
import { browser, signedIn, type Browser } from './browser-session.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });

async function person(
  company: string,
  role: 'user' | 'customer_admin' | 'staff' | 'root_admin',
): Promise<{ it: Browser; email: string }> {
  const user = await makeUser(app, { company, role });
  const it = browser(app);
  assert.equal((await it.signIn(user.email, user.password)).status, 303);
  return { it, email: user.email };
}

const root = await person('Operator', 'root_admin');
const staff = await person('Operator', 'staff');
const admin = await person('Rival Ltd', 'customer_admin');
const member = await person('Rival Ltd', 'user');

const text = async (answer: Promise<Response>): Promise<string> => (await answer).text();
const rows = async (path: string): Promise<Record<string, unknown>[]> =>
  ((await (await root.it.get(path)).json()) as { results: Record<string, unknown>[] }).results;
const added = { company: 'Fresh GmbH', tier: 'plus', email: 'first@fresh.example', first_name: 'Ada', last_name: 'L' };

test('staff add a company with its tier and first user, whose link sets the password and lets it administer', async () => {
  const page = await text(staff.it.post('/customers', added));
  const link = /http:\/\/coordinator\.test(\/reset\/[\w-]+)/.exec(page)?.[1] ?? assert.fail(page);
  const first = browser(app);
  assert.equal((await first.post(link, { password: 'a long good phrase 7' })).status, 200);
  assert.equal((await first.signIn(added.email, 'a long good phrase 7')).status, 303);
  assert.equal((await first.get('/company/members')).status, 200);
  const found = (await rows('/customers.json')).find(({ company }) => company === 'Fresh GmbH');
  assert.deepEqual([found?.['tier'], found?.['users']], ['plus', 1]);
});

test('a name that is taken joins nobody to a company: what was typed is kept, and nothing is added', async () => {
  const other = { ...added, company: 'rival ltd', email: 'second@fresh.example' };
  const answer = await staff.it.post('/customers', other);
  const page = await answer.text();
  assert.equal(answer.status, 422);
  assert.match(page, /A company rival ltd exists\./);
  assert.match(page, /value="second@fresh\.example"/);
  assert.ok(!(await rows('/customers/users.json')).some(({ email }) => email === 'second@fresh.example'));
});

test('a changed tier is the one in force at once, and the company’s own page says so', async () => {
  assert.equal((await staff.it.post('/customers/tier', { of: 'Rival Ltd', to: 'professional' })).status, 200);
  assert.equal(
    (await rows('/customers.json')).find(({ company }) => company === 'Rival Ltd')?.['tier'],
    'professional',
  );
  const subscriptions = (await (await admin.it.get('/company/subscription.json')).json()) as {
    results: { tier: string }[];
  };
  assert.equal(subscriptions.results[0]?.tier, 'professional');
  const unknown = await staff.it.post('/customers/tier', { of: 'Nobody', to: 'plus' });
  assert.equal(unknown.status, 422);
});

test('a disabled user is signed out, and enabled again may sign in; the list of one company has its users alone', async () => {
  const user = await makeUser(app, { company: 'Rival Ltd' });
  const it = browser(app);
  await it.signIn(user.email, user.password);
  assert.equal((await it.get('/jobs')).status, 200);
  assert.equal((await staff.it.post('/customers/users/change', { person: user.email, what: 'disable' })).status, 200);
  const found = await rows('/customers/users.json?company=Rival%20Ltd');
  assert.ok(found.length >= 3 && found.every(({ company }) => company === 'Rival Ltd'));
  assert.notEqual(found.find(({ email }) => email === user.email)?.['disabled_at'], null);
  assert.equal((await it.signIn(user.email, user.password)).status, 422);
  await staff.it.post('/customers/users/change', { person: user.email, what: 'enable' });
  assert.equal((await it.signIn(user.email, user.password)).status, 303);
});

test('roles decide on the server: others than staff get 403 and change nothing, and staff do not reach a root_admin', async () => {
  const { it: basic } = await signedIn(app);
  for (const it of [admin.it, member.it, basic]) {
    for (const path of [
      '/customers',
      '/customers.csv',
      '/customers/users',
      '/customers/users.json',
      '/customers/tiers',
    ])
      assert.equal((await it.get(path)).status, 403, path);
    assert.equal((await it.post('/customers', { ...added, company: 'Mine', email: 'mine@example.com' })).status, 403);
    assert.equal((await it.post('/customers/tier', { of: 'Rival Ltd', to: 'enterprise' })).status, 403);
    assert.equal((await it.post('/customers/users/change', { person: admin.email, what: 'root_admin' })).status, 403);
  }
  assert.ok(!(await rows('/customers.json')).some(({ company }) => company === 'Mine'));
  for (const what of ['disable', 'user'])
    assert.equal((await staff.it.post('/customers/users/change', { person: root.email, what })).status, 422, what);
  assert.equal(
    (await staff.it.post('/customers/users/change', { person: staff.email, what: 'root_admin' })).status,
    422,
  );
  assert.equal((await root.it.get('/customers')).status, 200, 'nobody took its role');
  const nav = await text(admin.it.get('/account'));
  assert.ok(!nav.includes('href="/customers"'), 'nobody else is shown the way');
  assert.match(await text(root.it.get('/account')), /href="\/customers"/);
});
