import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { revokeUser } from '../../../../coordinator/accounts/members/revoke-user.ts';
import { heedRevocations } from '../../../../coordinator/accounts/credential-caches.ts';
import { testApp } from '../../../support/app.ts';
import { actorOf, call, makeUser, type Json, type TestUser } from '../../../support/client.ts';
import { browser } from '../../portal/browser-session.ts';
import { at, textAt } from '../../jobs/node.ts';
import { applicationClient, bearer } from './application-client.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const { sql } = app.platform;
const look = heedRevocations(app.context);
await look();
const company = 'Owner Ltd';
const admin = await makeUser(app, { company, role: 'customer_admin', tier: 'enterprise' });
const other = await makeUser(app, { company, role: 'customer_admin' });
const maker = await makeUser(app, { company });
const colleague = await makeUser(app, { company });
const stranger = await makeUser(app, { role: 'customer_admin', tier: 'enterprise' });
const { send, create, createWithToken } = applicationClient(app, maker);
const jobsBy = async (token: string) => (await call(app, 'GET', '/api/gpu-mark/v1/jobs', bearer(token))).status;

/** What may be done to an application of `maker`, by API and by portal; each leaves it as it was when it is refused. */
const acts = {
  describe: (by: TestUser, { id }: { id: string }) => send('POST', 'update', { id, description: 'other' }, by),
  'make a token': (by: TestUser, { client }: { client: object }) => send('POST', 'generate-token', client, by),
  'revoke its token': (by: TestUser, { tokenId }: { tokenId: string }) => send('DELETE', 'token', { id: tokenId }, by),
};

test('only the person who made an application and the administrators of the company change it, by the API', async () => {
  for (const [name, act] of Object.entries(acts))
    for (const [by, status] of [
      [colleague, 403],
      [stranger, name === 'make a token' ? 401 : 404],
      [maker, 200],
      [admin, 200],
    ] as const) {
      const made = await createWithToken();
      const answer = await act(by, made);
      assert.equal(answer.status, status, `${name}: ${answer.text}`);
      if (status === 403) assert.match(answer.text, /is managed by the person who owns it and by the administrators/);
      if (status !== 200) assert.equal(await jobsBy(made.token), 200, 'what was refused changed nothing');
    }
  const unused = await create();
  assert.equal((await send('DELETE', 'delete', { id: unused.id }, colleague)).status, 403);
  assert.equal((await send('DELETE', 'delete', { name: unused.name }, colleague)).status, 403);
  assert.equal((await send('DELETE', 'delete', { id: unused.id })).status, 200);
});

test('the portal applies the same rule: forms for those who manage it, a refusal for a form that was made up', async () => {
  const made = await createWithToken();
  const pages = new Map<TestUser, { text: string; revoke: () => Promise<Response> }>();
  for (const person of [maker, colleague, other]) {
    const it = browser(app);
    await it.signIn(person.email, person.password);
    const text = await (await it.get('/company/applications')).text();
    pages.set(person, { text, revoke: () => it.post('/company/applications/revoke', { id: made.tokenId }) });
  }
  const shows = (person: TestUser, what: string): boolean => pages.get(person)?.text.includes(what) ?? false;
  for (const person of [maker, colleague, other])
    assert.ok(shows(person, made.client.client_id) && shows(person, maker.email), 'everybody sees it and its owner');
  for (const [person, sees] of [
    [maker, true],
    [colleague, false],
    [other, true],
  ] as const)
    assert.equal(shows(person, made.token.slice(0, 10)), sees, person.email);
  const refused = await pages.get(colleague)?.revoke();
  assert.equal(refused?.status, 422);
  assert.match((await refused?.text()) ?? '', /is managed by the person who owns it/);
  assert.equal(await jobsBy(made.token), 200);
  assert.equal((await pages.get(other)?.revoke())?.status, 200);
  await look();
  assert.equal(await jobsBy(made.token), 401);
});

test('lists show all applications to everybody, and how their tokens begin to those who manage them', async () => {
  const made = await createWithToken();
  for (const [by, prefix] of [
    [maker, made.token.slice(0, 10)],
    [admin, made.token.slice(0, 10)],
    [colleague, null],
  ] as const)
    for (const answer of [
      await send('POST', 'info', { id: made.id }, by),
      await send('POST', 'list', { filter: [{ id: made.id }] }, by),
    ]) {
      const record = (at(answer.body, 'data', 'results', 0) ?? at(answer.body, 'data')) as Record<string, Json>;
      assert.equal(record['owner'], maker.email);
      assert.equal(at(record['tokens'] ?? null, 0, 'token_prefix'), prefix, by.email);
    }
});

test('a disabled user’s application tokens end with him, and stay ended when he is enabled again', async () => {
  const leaver = await makeUser(app, { company });
  const his = applicationClient(app, leaver);
  const made = await his.createWithToken();
  const kept = await createWithToken();
  assert.equal(await jobsBy(made.token), 200);
  const actor = await actorOf(app, admin, 'customer_admin');
  await revokeUser({ ...app.context, actor }, { email: leaver.email, change: { kind: 'disable' } });
  await look();
  assert.deepEqual([await jobsBy(made.token), await jobsBy(kept.token)], [401, 200]);
  const [event] = await sql`select detail from audit_event where action = 'app_token_revoked' order by id desc limit 1`;
  assert.deepEqual(event?.['detail'], {
    application_id: made.id,
    token_prefixes: [made.token.slice(0, 10)],
    reason: 'the owner was disabled',
  });
  const more = await send('POST', 'generate-token', made.client, admin);
  assert.equal(more.status, 409);
  assert.match(
    more.text,
    /owner of the application is disabled.*Take it over first: POST \/api\/application\/take-over/,
  );
});

test('what an administrator has taken over is his: its tokens stay when the person who made it is disabled', async () => {
  const leaver = await makeUser(app, { company });
  const made = await applicationClient(app, leaver).createWithToken();
  for (const [by, status] of [
    [leaver, 403],
    [colleague, 403],
    [stranger, 404],
    [admin, 200],
  ] as const)
    assert.equal((await send('POST', 'take-over', { id: made.id }, by)).status, status, by.email);
  const [event] = await sql`select actor_id, subject, detail from audit_event where action = 'application_taken_over'`;
  assert.deepEqual(
    { ...event },
    { actor_id: admin.userId, subject: made.name, detail: { id: made.id, owner_before: leaver.email } },
  );
  assert.equal((await send('POST', 'update', { id: made.id, description: 'x' }, leaver)).status, 403);
  const actor = await actorOf(app, other, 'customer_admin');
  await revokeUser({ ...app.context, actor }, { email: leaver.email, change: { kind: 'disable' } });
  await look();
  assert.equal(await jobsBy(made.token), 200);
  const info = await send('POST', 'info', { id: made.id }, other);
  assert.equal(textAt(info.body, 'data', 'owner'), admin.email);
});

test('an administrator takes an application over in the portal', async () => {
  const made = await createWithToken();
  const it = browser(app);
  await it.signIn(other.email, other.password);
  const done = await it.post('/company/applications/take-over', { id: made.id });
  assert.equal(done.status, 200);
  assert.match(await done.text(), /Taken over\./);
  assert.equal(textAt((await send('POST', 'info', { id: made.id })).body, 'data', 'owner'), other.email);
});

test('whose application of an earlier release it is, the audit log says; else administrators manage it', async () => {
  const [known, unknown] = [await create(), await create()];
  const file = new URL('../../../../coordinator/platform/db/migrations/0036-application-owner.sql', import.meta.url);
  const [backfill = ''] = /update application a set owner_id[^;]*;/.exec(await readFile(file, 'utf8')) ?? [];
  await sql`update application set owner_id = null`;
  await sql`update application set id = id + 1 where id = ${unknown.id}`;
  await sql.unsafe(backfill);
  assert.equal(textAt((await send('POST', 'info', { id: known.id })).body, 'data', 'owner'), maker.email);
  const old = await send('POST', 'info', { name: unknown.name });
  assert.equal(at(old.body, 'data', 'owner'), null);
  assert.equal((await send('POST', 'update', { name: unknown.name, description: 'x' })).status, 403);
  assert.equal((await send('POST', 'update', { name: unknown.name, description: 'x' }, admin)).status, 200);
});
