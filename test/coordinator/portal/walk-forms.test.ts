import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { portalPages } from '../../../coordinator/portal/pages.ts';
import type { PageRoute } from '../../../coordinator/portal/frame/route.ts';
import { browser, type Browser } from './browser-session.ts';
import { formsOf } from './form-fields.ts';
import { readPage } from './read-page.ts';
import { pathOf, portalWorld } from './world.ts';

const world = await portalWorld({ after });
const { app, owner, job, task } = world;
const at = (route: PageRoute): string => pathOf(route.path, world);
const pages = portalPages.filter(({ method }) => method === 'GET');
const posts = portalPages.filter(({ method }) => method === 'POST');
const people = {
  'administrator of another company': await world.person('Rival Ltd', 'customer_admin'),
  user: await world.person('Owner Ltd', 'user'),
  basic: await world.person('Small Ltd', 'customer_admin', 'basic'),
  'without a subscription': await world.person('Lapsed Ltd', 'customer_admin', null),
};

test('every form is refused without the session’s token, from another site, and for objects of another company', async () => {
  const rival = people['administrator of another company'].it;
  for (const route of portalPages.filter(({ method, who }) => method === 'POST' && who !== 'public')) {
    const path = at(route);
    assert.equal((await owner.it.post(path, { csrf: 'x' })).status, 403, `${path} with a wrong token`);
    for (const site of ['cross-site', 'same-site', 'none'])
      assert.equal((await owner.it.post(path, {}, { 'sec-fetch-site': site })).status, 403, `${path} from ${site}`);
    if (!route.path.includes(':id')) continue;
    const answer = await rival.post(path, { days: '7', share: '1' });
    assert.equal(answer.status, 404, path);
  }
  const fromElsewhere = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' };
  for (const route of portalPages.filter(({ method, who }) => method === 'POST' && who === 'public'))
    assert.equal((await browser(app).post(at(route), {}, fromElsewhere)).status, 403, route.path);
  assert.equal((await owner.it.get(`/jobs/${job.id}`)).status, 200, 'the job is as it was');
});

test('nothing changes on GET: the path of a form without a page of its own is 404', async () => {
  for (const route of portalPages.filter(({ method }) => method === 'POST')) {
    const hasPage = pages.some(({ path }) => path === route.path);
    const { status, text } = await readPage(owner.it, at(route));
    if (hasPage) continue;
    assert.equal(status, 404, `${route.path} by GET: ${text.slice(0, 200)}`);
  }
});

/** The owner's rows in everything that a form can change. */
async function owned(): Promise<unknown> {
  const { sql } = app.platform;
  const id = owner.user.customerId;
  return Promise.all([
    sql`select id, state, deleted_at from job where customer_id = ${id} order by id`,
    sql`select id, revoked_at from portal_share where customer_id = ${id} order by id`,
    sql`select id, name from application where customer_id = ${id} order by id`,
    sql`select t.id, t.revoked_at from application_token t join application a on a.id = application_id
      where customer_id = ${id} order by t.id`,
    sql`select id, name from api_key_name where customer_id = ${id} order by id`,
    sql`select k.id from api_key k join api_key_name n on n.id = name_id where customer_id = ${id} order by k.id`,
    sql`select id, role, password_hash, disabled_at from user_account where customer_id = ${id} order by id`,
    sql`select s.id, s.ended_at from login_session s join user_account u on u.id = user_id
      where customer_id = ${id} order by s.id`,
    sql`select requires_second_factor from customer where id = ${id}`,
    sql`select f.user_id from second_factor f join user_account u on u.id = user_id
      where customer_id = ${id} and enrolled_at is not null order by f.user_id`,
  ]);
}

/** One object of each kind, and forms that name them. */
async function formsThatNameThem(): Promise<Record<string, Record<string, string>>> {
  const items = `task:${task},job:${job.id}`;
  const field = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? assert.fail(text.slice(0, 2000));
  const post = async (path: string, fields: Record<string, string>) => (await owner.it.post(path, fields)).text();
  const made = await post('/company/applications', { name: 'robot', description: 'nightly runs' });
  const client_secret = field(made, /<output>([^<]+)</);
  const client_id = field(made, /goes with <code>([^<]+)</);
  const withToken = await post('/company/applications/token', { client_id, client_secret });
  const token = field(withToken, /action="\/company\/applications\/revoke"[^]*?name="id" value="(\d+)"/);
  const application = (await app.platform.sql`select id from application where client_id = ${client_id}`)[0]?.['id'];
  await post('/company/keys/names', { name: 'ci', description: 'nightly runs' });
  const withKey = await post('/company/keys/make', { under: 'ci' });
  const key = field(withKey, /action="\/company\/keys\/delete"[^]*?name="id" value="(\d+)"/);
  const share = field(await post(`/jobs/${job.id}/share`, { days: '7' }), /name="share" value="(\d+)"/);
  const compared = field(await post('/compare/share', { items, days: '7' }), /name="share" value="(\d+)"/);
  const sessions = await app.platform
    .sql`select id from login_session where user_id = ${owner.user.userId} order by id`;
  return {
    ...formsOf(items),
    '/company/members/change': { person: owner.user.email, what: 'disable' },
    '/company/applications/token': { client_id, client_secret },
    '/company/applications/revoke': { id: token },
    '/company/applications/delete': { id: String(application) },
    '/company/keys/delete': { id: key },
    '/jobs/:id/share/revoke': { share },
    '/compare/share/revoke': { items, share: compared },
    '/account/sessions/end': { session: String(sessions.at(-1)?.['id']) },
  };
}

test('forms that name the owner’s objects do not change them: from others with a valid form, or from anybody under a shared link', async () => {
  const forms = await formsThatNameThem();
  const shared = /\/s\/[\w.-]+/.exec(await (await owner.it.get(`/jobs/${job.id}/share`)).text())?.[0] ?? assert.fail();
  const before = await owned();
  const { 'administrator of another company': rival, user, basic, 'without a subscription': lapsed } = people;
  const ended = new Set(['/sign-out', '/account/password', '/account/sessions/end']);
  const visitors: [string, Browser][] = [
    ['rival', rival.it],
    ['basic', basic.it],
    ['lapsed', lapsed.it],
    ['user', user.it],
  ];
  for (const route of posts.filter(({ who }) => who !== 'public')) {
    const fields = forms[route.path] ?? {};
    for (const it of [owner.it, rival.it, browser(app)]) {
      const answer = await it.post(`${shared}${at(route)}`, fields);
      assert.equal(answer.status, 404, `${route.path} under a link`);
    }
    for (const [name, it] of visitors) {
      // A user may do the same to the company's jobs as its administrators; sessions are ended last.
      if (route.path === '/sign-out' || (name === 'user' && /^\/(jobs|compare)/.test(route.path))) continue;
      const { status } = await it.post(at(route), fields);
      const where = `${route.path} by ${name}: ${status}`;
      if (name === 'user' && route.who === 'admin') assert.equal(status, 403, where);
      if (name === 'lapsed' && route.subscription === true) assert.equal(status, 403, where);
      if (route.path.includes(':id')) assert.equal(status, 404, where);
      else assert.ok(status < 500 || ended.has(route.path), where);
    }
  }
  assert.deepEqual(await owned(), before);
  const keys = await app.platform.sql`
    select from api_key k join api_key_name n on n.id = name_id where n.customer_id = ${basic.user.customerId}`;
  assert.equal(keys.length, 0, 'the tier basic has no keys');
});
