import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { heedRevocations } from '../../../coordinator/accounts/credential-caches.ts';
import { testApp } from '../../support/app.ts';
import { call, makeUser } from '../../support/client.ts';
import { mailServer } from '../../support/mail-server.ts';
import { browser, signedIn } from './browser-session.ts';

const mail = await mailServer({ after });
const environment = { SMTP_URL: mail.url, MAIL_FROM: 'gpumark <noreply@gpumark.test>' };
const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z'), environment });
const look = heedRevocations(app.context);
await look();
const { user: admin, it } = await signedIn(app, { company: 'Owner Ltd', role: 'customer_admin', tier: 'plus' });

/** What the page says after a form that must succeed. */
async function sent(path: string, fields: Record<string, string>): Promise<string> {
  const answer = await it.post(path, fields);
  const page = await answer.text();
  assert.equal(answer.status, 200, page);
  return page;
}
const found = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? assert.fail(text);
const signsIn = async (email: string, password: string): Promise<number> =>
  (await browser(app).signIn(email, password)).status;
/** The status with which the API answers a program that lists jobs. */
const jobsBy = async (token: string): Promise<number> =>
  (await call(app, 'GET', '/api/gpu-mark/v1/jobs', { headers: { authorization: `Bearer ${token}` } })).status;

test('a person who is added gets a link by mail, sets a password with it, and is a member with that role', async () => {
  const email = 'grace@example.com';
  const page = await sent('/company/members', { email, first_name: 'Grace', last_name: 'Hopper', role: 'user' });
  assert.match(page, /Added\.[^]*A link that sets the password is on its way to grace@example\.com/);
  const { text } = await mail.mailTo(email);
  const link = found(text, /^http:\/\/coordinator\.test(\/reset\/gmp_\w{38})$/m);
  assert.ok(!page.includes(link), 'a link that was mailed is not on the page');
  assert.equal((await browser(app).post(link, { password: 'a phrase of hers 7' })).status, 200);
  const hers = browser(app);
  assert.equal((await hers.signIn(email, 'a phrase of hers 7')).status, 303);
  assert.equal((await hers.get('/company/members')).status, 403, 'a user is not an administrator');
  const account = await (await hers.get('/account')).text();
  assert.match(account, /Owner Ltd[^]*<dt>Role<\/dt>\s*<dd>user</);
  const { results } = (await (await it.get('/company/members.json')).json()) as {
    results: { email: string; role: string }[];
  };
  const roles = new Map(results.map(({ email: address, role }) => [address, role]));
  assert.deepEqual([roles.size, roles.get(admin.email), roles.get(email)], [2, 'customer_admin', 'user']);
});

test('a member is signed out everywhere, disabled, enabled again and made an administrator, each with its effect', async () => {
  const { user, it: theirs } = await signedIn(app, { company: 'Owner Ltd' });
  const change = async (what: string): Promise<void> => {
    assert.match(await sent('/company/members/change', { person: user.email, what }), /Done\.[^]*was changed\./);
    await look();
  };
  const opens = async (): Promise<number[]> => [
    (await theirs.get('/account')).status,
    (await call(app, 'GET', '/api/user/me', { headers: user.authorization })).status,
  ];
  assert.deepEqual(await opens(), [200, 200]);
  await change('end_sessions');
  assert.deepEqual(await opens(), [303, 401], 'the sessions are over');
  assert.equal((await theirs.signIn(user.email, user.password)).status, 303, 'the password still works');
  assert.equal((await theirs.get('/account')).status, 200);
  await change('disable');
  assert.equal((await theirs.get('/account')).status, 303);
  assert.equal(await signsIn(user.email, user.password), 422);
  await change('enable');
  assert.equal((await theirs.get('/account')).status, 303, 'sessions from before stay ended');
  assert.equal((await theirs.signIn(user.email, user.password)).status, 303);
  assert.equal((await theirs.get('/company/members')).status, 403);
  await change('customer_admin');
  assert.equal((await theirs.get('/company/members')).status, 200);
  await change('user');
  assert.equal((await theirs.get('/company/members')).status, 403);
});

test('a change that the page does not offer is refused with a reason and changes nothing', async () => {
  const { email } = await makeUser(app, { company: 'Owner Ltd' });
  const unknown = /what must be one of the changes in the list/;
  const notYours = (role: string): RegExp => new RegExp(`You cannot give the role ${role}`);
  for (const [what, reason] of [
    ['', unknown],
    ['promote', unknown],
    ['staff', notYours('staff')],
    ['root_admin', notYours('root_admin')],
  ] as const) {
    const answer = await it.post('/company/members/change', { person: email, what });
    assert.equal(answer.status, 422, what);
    assert.match(await answer.text(), reason, what);
  }
  const members = await app.platform.sql`select role, disabled_at from user_account where email = ${email}`;
  assert.deepEqual([...members], [{ role: 'user', disabled_at: null }]);
});

test('an application’s token opens the API until it is revoked, and the application is deleted after its tokens', async () => {
  const made = await sent('/company/applications', { name: 'robot', description: 'nightly runs' });
  const client_secret = found(made, /<output>([^<]+)</);
  const client_id = found(made, /goes with <code>([^<]+)</);
  const withToken = await sent('/company/applications/token', { client_id, client_secret });
  const token = found(withToken, /<output>([^<]+)</);
  const revoke = /action="\/company\/applications\/revoke"[^]*?name="id" value="(\d+)"/;
  const remove = /action="\/company\/applications\/delete"[^]*?name="id" value="(\d+)"/;
  assert.equal(await jobsBy(token), 200);
  assert.doesNotMatch(withToken, remove, 'not while a token is valid');
  assert.match(withToken, /href="\/company\/applications\.csv\?for=excel"/);
  const [plain = '', excel = ''] = await Promise.all(
    ['', '?for=excel'].map(async (query) =>
      Buffer.from(await (await it.get(`/company/applications.csv${query}`)).arrayBuffer()).toString(),
    ),
  );
  const id = found(plain, /robot,(\d{19}),/);
  assert.equal(excel, `\ufeff${plain.replace(`,${id},`, `,"=""${id}""",`)}`);
  const revoked = await sent('/company/applications/revoke', { id: found(withToken, revoke) });
  assert.match(revoked, /Revoked\.[^]*The token opens nothing from now on\./);
  await look();
  assert.equal(await jobsBy(token), 401);
  assert.doesNotMatch(revoked, revoke);
  assert.match(await sent('/company/applications/delete', { id: found(revoked, remove) }), /Deleted\./);
  const { total, results } = (await (await it.get('/company/applications.json')).json()) as {
    total: number;
    results: unknown[];
  };
  assert.deepEqual([total, results], [0, []]);
  const late = await it.post('/company/applications/token', { client_id, client_secret });
  assert.equal(late.status, 422, 'its secret makes no token any more');
});

test('an API key opens the API until it is deleted, and its name goes after it', async () => {
  await sent('/company/keys/names', { name: 'ci', description: 'nightly runs' });
  const [first, second] = [
    await sent('/company/keys/make', { under: 'ci' }),
    await sent('/company/keys/make', { under: 'ci' }),
  ];
  const [key, other] = [first, second].map((page) => found(page, /<output>(gmk_[^<]+)</));
  assert.deepEqual([await jobsBy(key ?? ''), await jobsBy(other ?? '')], [200, 200]);
  const id = found(first, /action="\/company\/keys\/delete"[^]*?name="id" value="(\d+)"/);
  assert.match(await sent('/company/keys/delete', { id }), /Deleted\.[^]*It opens nothing from now on\./);
  await look();
  assert.deepEqual([await jobsBy(key ?? ''), await jobsBy(other ?? '')], [401, 200], 'the other key goes on');
  const left = found(
    await (await it.get('/company/keys')).text(),
    /action="\/company\/keys\/delete"[^]*?name="id" value="(\d+)"/,
  );
  const emptied = await sent('/company/keys/delete', { id: left });
  await look();
  assert.equal(await jobsBy(other ?? ''), 401);
  assert.match(emptied, /name="empty_name" value="ci"/);
  assert.doesNotMatch(await sent('/company/keys/delete', { empty_name: 'ci' }), /value="ci"/);
});
