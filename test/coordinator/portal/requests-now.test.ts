import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp, type TestApp } from '../../support/app.ts';
import { call, makeUser, type TestUser } from '../../support/client.ts';
import { limitedApp, limitedUser } from '../platform/limits/limited-app.ts';
import { browser, type Browser } from './browser-session.ts';
import { openBrowser, takeCookies, whyNoChromium } from './browser/open-browser.ts';
import { problemsOf } from './browser/page-problems.ts';

const app = await limitedApp({ after }, { environment: { RATE_LIMIT_ADDRESS: '60000/10000' } });
const HERE = '/company/subscription';
const jobs = '/api/gpu-mark/v1/jobs';

interface Row {
  name: string;
  kind: string;
  detail: string;
  taken: number;
  at_once: number;
  free_in_seconds: number;
}

const rowsOf = async (it: Browser): Promise<Row[]> =>
  ((await (await it.get(`${HERE}/requests.json`)).json()) as { results: Row[] }).results;
const words = async (it: Browser, path = HERE): Promise<string> =>
  (await (await it.get(path)).text()).replaceAll(/\s*<[^>]+>\s*/g, ' ').replaceAll(/\s+/g, ' ');

async function enter(user: TestUser, from: TestApp = app): Promise<Browser> {
  const it = browser(from);
  assert.equal((await it.signIn(user.email, user.password)).status, 303);
  return it;
}

interface Company {
  admin: TestUser;
  it: Browser;
  member: TestUser;
  key: string;
  token: string;
}

/** An administrator, a member, a key and a token of an application; each may send 40 at once, and one a minute is refilled. */
async function company(name: string): Promise<Company> {
  const admin = await limitedUser(app, { burst: 40 }, { company: name, role: 'customer_admin', tier: 'enterprise' });
  const member = await makeUser(app, { company: `${name} of the member` });
  await app.context.sql`update user_account set customer_id = ${admin.customerId} where id = ${member.userId}`;
  const it = await enter(admin);
  await it.post('/company/keys/names', { name: `key of ${name}`, description: 'nightly' });
  const made = await (await it.post('/company/keys/make', { under: `key of ${name}` })).text();
  const ask = async (path: string, body: object) =>
    (await call(app, 'POST', path, { body, headers: admin.authorization })).body as { data: Record<string, string> };
  const { data } = await ask('/api/application/create', { name: `application of ${name}` });
  const { client_id, client_secret } = data;
  const { data: generated } = await ask('/api/application/generate-token', { client_id, client_secret });
  const key = /gmk_\w{20,}/.exec(made)?.[0] ?? assert.fail(made);
  return { admin, it, member, key, token: generated['app_token'] ?? assert.fail('no token') };
}

const send = async (credential: string, times: number): Promise<void> => {
  for (let n = 0; n < times; n += 1) {
    const { status } = await call(app, 'GET', jobs, { headers: { authorization: `Bearer ${credential}` } });
    assert.equal(status, 200);
  }
};

const first = await company('First Ltd');
const second = await company('Second Ltd');

test('an administrator sees how many requests each person, key and application token of the company has taken', async () => {
  await send(first.key, 5);
  await send(first.token, 3);
  const rows = await rowsOf(first.it);
  const of = (kind: string, detail = '') =>
    rows.find((row) => row.kind === kind && row.detail.startsWith(detail)) ?? assert.fail(kind);
  assert.equal(rows.length, 4);
  assert.deepEqual(
    [of('API key').name, of('API key').taken, of('API key').at_once],
    ['key of First Ltd', 5, 40],
    JSON.stringify(rows),
  );
  assert.deepEqual([of('application token').name, of('application token').taken], ['application of First Ltd', 3]);
  assert.ok(first.key.startsWith(of('API key').detail) && first.token.startsWith(of('application token').detail));
  assert.equal(of('person', first.member.email).taken, 0, 'who has sent nothing has taken nothing');
  assert.equal(of('person', first.member.email).free_in_seconds, 0);
  // One a minute comes back: five are there again within five minutes.
  const wait = of('API key').free_in_seconds;
  assert.ok(wait > 240 && wait <= 300, `${wait} s`);
  const shares = rows.map(({ taken, at_once }) => taken / at_once);
  assert.deepEqual(
    shares,
    shares.toSorted((one, other) => other - one),
    'the fullest use is the first',
  );
});

test("the page's own request is among those of the person, which the limit says beside it", async () => {
  const taken = async () => Number(/you have taken (\d+) of 40 now/.exec(await words(first.it))?.[1]);
  const before = await taken();
  assert.ok(before > 0);
  assert.equal(await taken(), before + 1);
  const rows = await rowsOf(first.it);
  assert.equal(rows.find(({ detail }) => detail === first.admin.email)?.taken, before + 2);
});

test('nobody sees a bucket of another company', async () => {
  const seen = JSON.stringify(await rowsOf(second.it)) + (await words(second.it));
  assert.match(seen, /key of Second Ltd/);
  assert.doesNotMatch(seen, /First Ltd/);
  assert.ok(!seen.includes(first.admin.email) && !seen.includes(first.member.email));
});

test('a member sees the own bucket only: keys, applications and people are listed for administrators', async () => {
  const it = await enter(first.member);
  assert.deepEqual(
    (await rowsOf(it)).map(({ kind, detail, taken }) => [kind, detail, taken]),
    [['person', first.member.email, 1]],
  );
  for (const path of [HERE, `${HERE}/requests`, `${HERE}/requests.csv`]) {
    const text = await (await it.get(path)).text();
    assert.ok(text.includes(first.member.email), path);
    assert.doesNotMatch(text, /key of First Ltd|application of First Ltd|gmk_|gma_/, path);
    assert.ok(!text.includes(first.admin.email), path);
  }
});

test('without a subscription tokens of applications are not listed, as their applications are not', async () => {
  const { admin, it } = await company('Lapsed Ltd');
  assert.ok((await rowsOf(it)).some(({ kind }) => kind === 'application token'));
  await app.context.sql`delete from subscription where customer_id = ${admin.customerId}`;
  app.clock.advance({ seconds: 10 });
  assert.deepEqual(new Set((await rowsOf(it)).map(({ kind }) => kind)), new Set(['person', 'API key']));
});

test('a revoked token, a deleted key and a disabled person are not listed', async () => {
  const { it, member, admin } = await company('Tidy Ltd');
  const { sql } = app.context;
  await sql`update application_token t set revoked_at = now() from application a where a.id = t.application_id and a.customer_id = ${admin.customerId}`;
  await sql`delete from api_key k using api_key_name n where n.id = k.name_id and n.customer_id = ${admin.customerId}`;
  await sql`update user_account set disabled_at = now() where id = ${member.userId}`;
  assert.deepEqual(
    (await rowsOf(it)).map(({ detail }) => detail),
    [admin.email],
  );
});

test('what was taken comes back at the rate of the tier; the page says by how much it may differ from what was sent', async () => {
  const user = await limitedUser(app, { perMinute: 60, burst: 1000 }, { role: 'customer_admin' });
  await app.context.sql`
    insert into rate_bucket (key, tokens, granted, burst, per_second, at)
    values (${`user:${user.userId}`}, 400, 1, 1000, 1, now() - interval '100 seconds')`;
  const it = await enter(user);
  // 500 are there again; the first request borrows a fiftieth.
  const [row] = await rowsOf(it);
  assert.ok(row && row.taken > 500 && row.taken <= 520, JSON.stringify(row));
  assert.ok(row.free_in_seconds >= row.taken - 1 && row.free_in_seconds <= row.taken);
  assert.match(await words(it), /borrows a fiftieth of them ahead/);
});

test('staff have the bucket of staff whatever their company has', async () => {
  const it = await enter(await limitedUser(app, { burst: 7 }, { role: 'staff' }));
  assert.deepEqual(
    (await rowsOf(it)).map(({ at_once }) => at_once),
    [4000],
  );
});

test('a page shows the fullest 25 and the files all', async () => {
  const { admin, it } = await company('Crowd Ltd');
  const ids = Array.from({ length: 40 }, (_, n) => n + 1);
  await app.context.sql`
    insert into user_account (id, customer_id, email, role, password_hash, created_at)
    select n, ${admin.customerId}, 'crowd' || n || '@example.com', 'user', '$argon2id$none', now()
    from unnest(${ids}::int8[]) n`;
  assert.equal((await rowsOf(it)).length, 44);
  for (const path of [HERE, `${HERE}/requests`]) {
    const page = await (await it.get(path)).text();
    const table = /<caption>Requests now<\/caption>[^]*?<\/table>/.exec(page)?.[0] ?? '';
    assert.equal(table.match(/scope="row"/g)?.length, 25, path);
    assert.ok(table.includes(admin.email), 'who has taken the most is among them');
    assert.match(page, /All rows as <a href="\/company\/subscription\/requests\.csv"/);
  }
});

test('the page with its table fits every screen and can be read by everybody', { skip: whyNoChromium }, async (t) => {
  const { url } = await app.listen();
  const context = await openBrowser(t)();
  await takeCookies(context, first, url);
  const page = await context.newPage();
  for (const path of [HERE, `${HERE}/requests`]) {
    await page.goto(`${url}${path}`);
    assert.equal(await page.locator('caption', { hasText: 'Requests now' }).count(), 1);
    assert.deepEqual(await problemsOf(page), [], path);
  }
});

test('where limits are switched off the page says so and counts nothing', async () => {
  const free = await testApp({ after }, { environment: { RATE_LIMITS: 'off' } });
  const it = await enter(await makeUser(free), free);
  assert.deepEqual(await rowsOf(it), []);
  const text = await words(it);
  assert.match(text, /60 at once; this coordinator does not enforce it/);
  assert.doesNotMatch(text, /Requests now|taken/);
  assert.match(await words(it, `${HERE}/requests`), /the operator has switched the limits off/);
});
