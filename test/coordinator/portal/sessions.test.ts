import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { call, makeUser } from '../../support/client.ts';
import { browser, signedIn } from './browser-session.ts';

const app = await testApp({ after }, { now: new Date('2026-11-01T10:00:00Z') });
const tls = await testApp(
  { after },
  { now: new Date('2026-11-01T10:00:00Z'), environment: { PUBLIC_URL: 'https://portal.example' } },
);

/**
 * A running coordinator invalidates its cache immediately; without a listener, as here, entries expire after this time.
 */
const told = (): void => app.clock.advance({ seconds: 5 });

test('over TLS the cookie is for this origin only, and no script or other site gets it; HSTS is sent', async () => {
  const user = await makeUser(tls);
  const answer = await browser(tls).signIn(user.email, user.password);
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('__Host-gpumark=')) ?? '';
  assert.match(cookie, /^__Host-gpumark=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
  const [, seconds] =
    /^max-age=(\d+); includeSubDomains$/.exec(answer.headers.get('strict-transport-security') ?? '') ?? [];
  assert.ok(Number(seconds) >= 365 * 24 * 3600, `${seconds} s are less than a year`);
});

test('a password change ends every other session', async () => {
  const { user, it } = await signedIn(app);
  const elsewhere = browser(app);
  await elsewhere.signIn(user.email, user.password);
  assert.equal((await elsewhere.get('/account')).status, 200);
  const next = 'a second good phrase 8';
  await it.post('/account/password', { current_password: user.password, new_password: next });
  told();
  assert.equal((await elsewhere.get('/account')).status, 303);
});

test('a session ends after twelve hours without use, and after seven days in any case', async () => {
  const { it } = await signedIn(app);
  app.clock.advance({ hours: 11, minutes: 55 });
  assert.equal((await it.get('/account')).status, 200, 'used within twelve hours');
  app.clock.advance({ hours: 12, minutes: 5 });
  assert.equal((await it.get('/account')).status, 303, 'not used for twelve hours');
  const { it: busy } = await signedIn(app);
  for (let hours = 0; hours < 7 * 24 - 11; hours += 11) {
    assert.equal((await busy.get('/account')).status, 200, `after ${hours} hours`);
    app.clock.advance({ hours: 11 });
  }
  app.clock.advance({ hours: 8 });
  assert.equal((await busy.get('/account')).status, 303, 'seven days');
});

test('wrong passwords given again count as failed sign-ins; a key is shown once', async () => {
  const { user, it } = await signedIn(app, { role: 'customer_admin', tier: 'enterprise' });
  assert.equal((await it.post('/company/keys/names', { name: 'ci', description: 'nightly runs' })).status, 200);
  app.clock.advance({ minutes: 11 });
  const make = (password: string) => it.post('/company/keys/make', { under: 'ci', current_password: password });
  for (let n = 0; n < 12; n += 1) assert.equal((await make('not this one')).status, 422);
  assert.match(await (await make(user.password)).text(), /Too many failed sign-ins/);
  app.clock.advance({ hours: 1 });
  const made = await (await make(user.password)).text();
  assert.match(made, /<output>gmk_/);
  assert.match(made, /href="\/company\/keys\.csv"/, 'links to the files of the list, whichever form was sent');
  const [, key = ''] = /<output>(gmk_[^<]+)</.exec(made) ?? [];
  assert.ok(!(await (await it.get('/company/keys')).text()).includes(key), 'shown once');
});

test('a disabled person’s browser opens nothing, and a revoked role opens no administrator page', async () => {
  const admin = await signedIn(app, { company: 'Roles Ltd', role: 'customer_admin' });
  const second = await signedIn(app, { company: 'Roles Ltd', role: 'customer_admin' });
  const change = (what: string) => admin.it.post('/company/members/change', { person: second.user.email, what });
  assert.equal((await second.it.get('/company/members')).status, 200);
  assert.equal((await change('user')).status, 200);
  told();
  assert.notEqual((await second.it.get('/company/members')).status, 200);
  assert.equal((await change('disable')).status, 200);
  told();
  assert.equal((await second.it.get('/account')).status, 303);
});

test('an administrator of a company cannot make anybody staff', async () => {
  const { it } = await signedIn(app, { role: 'customer_admin' });
  for (const role of ['staff', 'root_admin']) {
    const answer = await it.post('/company/members', {
      email: `${role}@example.com`,
      first_name: 'A',
      last_name: 'B',
      role,
    });
    assert.ok(answer.status === 403 || answer.status === 422, `${role}: ${answer.status}`);
  }
  const made = await app.platform
    .sql`select from user_account where role in ('staff', 'root_admin') and email like '%@example.com'`;
  assert.equal(made.length, 0);
});

test('signing in redirects to a path of this origin and nowhere else', async () => {
  const user = await makeUser(app);
  const places: [string, string][] = [
    ['/market?mem=80', '/market?mem=80'],
    ['//elsewhere.example', '/jobs'],
    ['https://elsewhere.example/', '/jobs'],
    ['/\\elsewhere.example', '/jobs'],
    ['/\t/elsewhere.example', '/jobs'],
    ['javascript:alert(1)', '/jobs'],
  ];
  for (const [next, place] of places) {
    const answer = await browser(app).post(`/sign-in?next=${encodeURIComponent(next)}`, {
      email: user.email,
      password: user.password,
    });
    assert.deepEqual([next, answer.headers.get('location')], [next, place]);
  }
});

test('cookies of the portal open no call of the API, and its tokens no page', async () => {
  const { user, it } = await signedIn(app);
  const cookie = [...it.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  assert.equal((await call(app, 'GET', '/api/gpu-mark/v1/jobs', { headers: { cookie } })).status, 401);
  assert.equal((await app.app.request('/account', { headers: user.authorization })).status, 303);
});

test('names that others chose are text: markup is shown, bidi controls are made visible, a CSV cell does not start a formula', async () => {
  const { user, it } = await signedIn(app);
  const name = '=cmd|<img src=x onerror=1>\u202Etxt';
  const made = await call(app, 'POST', '/api/gpu-mark/v1/jobs', {
    body: { benchmarks: ['quick_mark'], name: '=<img src=x onerror=1>' },
    headers: user.authorization,
  });
  assert.equal(made.status, 201, made.text);
  await app.platform.sql`update job set name = ${name} where id = ${String((made.body as { id?: string }).id)}`;
  const page = await (await it.get('/jobs')).text();
  assert.ok(!page.includes('<img'));
  assert.match(page, /=cmd\|&lt;img src=x onerror=1&gt;\[U\+202E\]txt/);
  const csv = await (await it.get('/jobs.csv')).text();
  assert.match(csv, /^"?'=cmd/m);
});
