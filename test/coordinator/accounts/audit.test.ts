import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pruneEvents } from '../../../coordinator/background.ts';
import { recordEvent } from '../../../coordinator/accounts/audit/record-event.ts';
import { testApp } from '../../support/app.ts';
import { call, makeUser, type Json, type TestUser } from '../../support/client.ts';
import { at, textAt } from '../jobs/node.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const { sql } = app.platform;
const admin = await makeUser(app, { role: 'customer_admin', company: 'Acme' });
const person = await makeUser(app, { role: 'user', company: 'Acme' });
const stranger = await makeUser(app, { role: 'customer_admin', company: 'Other' });
const staff = await makeUser(app, { role: 'staff', company: 'Operator' });

const get = (query: string, caller: TestUser) =>
  call(app, 'GET', `/api/user/audit${query}`, { headers: caller.authorization });
const record = (customerId: string | null, subject: string, requestId = 'test') =>
  sql.begin((tx) => recordEvent({ ...app.context, requestId }, tx, { action: 'role_changed', customerId, subject }));
const subjects = async (query: string, caller: TestUser) => {
  const { body, status } = await get(query, caller);
  assert.equal(status, 200, JSON.stringify(body));
  return (at(body, 'data', 'results') as Json[]).map((event) => textAt(event, 'subject'));
};

for (let n = 1; n <= 5; n += 1) await record(admin.customerId, `acme ${n}`);
await record(stranger.customerId, 'other');
await record(null, 'nobody');

test('a customer admin reads the own company, staff all, a plain user nothing', async () => {
  const roles = '?action=role_changed';
  assert.deepEqual(await subjects(roles, admin), ['acme 5', 'acme 4', 'acme 3', 'acme 2', 'acme 1']);
  assert.deepEqual(await subjects(roles, stranger), ['other']);
  assert.deepEqual((await subjects(roles, staff)).slice(0, 2), ['nobody', 'other']);
  assert.ok(!(await get('', stranger)).text.includes('acme'), 'no event of whatever kind');
  const refused = await get('', person);
  assert.deepEqual([refused.status, at(refused.body, 'meta', 'code')], [403, 403]);
  assert.match(refused.text, /customer_admin, staff, root_admin; your role is user/);
});

test('an event says who, what, whence and by which request', async () => {
  const { body } = await call(app, 'POST', '/api/application/create', {
    body: { name: 'told' },
    headers: { ...admin.authorization, 'x-request-id': 'a'.repeat(32) },
  });
  const { body: page } = await get('?action=application_created', admin);
  const [event] = at(page, 'data', 'results') as Record<string, Json>[];
  assert.deepEqual(
    { ...event, id: null, request_id: null },
    {
      id: null,
      at: '2026-11-21T12:00:00.000Z',
      action: 'application_created',
      company_name: 'Acme',
      actor_kind: 'user',
      actor_id: admin.userId,
      actor: admin.email,
      subject: 'told',
      detail: { id: textAt(body, 'data', 'id') },
      address: null,
      request_id: null,
    },
  );
});

test('a walk by pages shows each event once, also when one comes in between; from and to bound it', async () => {
  const seen: string[] = [];
  let next: string | null = '';
  for (let turn = 0; next !== null; turn += 1) {
    const before = next === '' ? '' : `&before=${next}`;
    const { body } = await get(`?per_page=2&action=role_changed${before}`, admin);
    seen.push(...(at(body, 'data', 'results') as Json[]).map((event) => textAt(event, 'subject')));
    next = at(body, 'data', 'next') as string | null;
    if (turn === 0) await record(admin.customerId, 'in between');
  }
  assert.deepEqual(seen, ['acme 5', 'acme 4', 'acme 3', 'acme 2', 'acme 1']);
  assert.deepEqual(await subjects('?from=2026-11-21T12:00:00.001Z', admin), []);
  assert.deepEqual(await subjects('?to=2026-11-21T12:00:00Z', admin), []);
  for (const query of ['?action=unknown', '?per_page=301', '?before=x', '?from=yesterday'])
    assert.equal((await get(query, admin)).status, 422, query);
});

test('CSV has all events of the company, no formula, and is an event itself', async () => {
  await record(admin.customerId, '=cmd|x, "quoted"');
  const { headers, text } = await get('?format=csv', admin);
  assert.match(headers.get('content-type') ?? '', /^text\/csv/);
  const lines = text.trimEnd().split('\n');
  assert.equal(lines[0], 'id,at,action,company,actor_kind,actor_id,actor,subject,detail,address,request_id');
  assert.ok(text.includes(`"'=cmd|x, ""quoted"""`), text);
  assert.ok(lines.slice(1).every((line) => line.includes(',Acme,')));
  assert.equal((await subjects('?action=audit_exported', admin)).length, 1);
  const [id = ''] = lines[1]?.split(',') ?? [];
  assert.match(id, /^\d{19}$/);
  const forExcel = await get('?format=csv&for=excel', admin);
  assert.ok(forExcel.text.includes(`\n"=""${id}""",`), forExcel.text);
});

test('an event is not changed, not deleted and not emptied by SQL before its 400 days; then it is pruned', async () => {
  for (const statement of [
    sql`update audit_event set subject = 'other'`,
    sql`delete from audit_event`,
    sql`truncate audit_event`,
  ])
    await assert.rejects(statement, /audit events are not changed/);
  const day = 86_400_000;
  const old = new Date(Date.now() - 401 * day);
  await sql`
    insert into audit_event (id, at, action, actor_kind, subject, request_id)
    select n, ${old}, 'sign_in', 'user', 'old', 'test' from generate_series(1, 12) n`;
  await pruneEvents({ ...app.context, now: () => new Date() });
  const [row] =
    await sql`select count(*) filter (where subject = 'old')::int as old, count(*)::int as all from audit_event`;
  assert.equal(row?.['old'], 0);
  assert.ok(Number(row?.['all']) > 5);
});

test('what fails leaves no event, and an event that cannot be written undoes what it tells of', async () => {
  const before = await sql`select count(*) from audit_event`;
  const create = () =>
    call(app, 'POST', '/api/application/create', { body: { name: 'undone' }, headers: stranger.authorization });
  await sql`alter table audit_event add constraint refuse check (subject <> 'undone')`;
  assert.equal((await create()).status, 500);
  assert.deepEqual(await sql`select count(*) from audit_event`, before);
  assert.equal((await sql`select from application where name = 'undone'`).length, 0);
  await sql`alter table audit_event drop constraint refuse`;
  assert.equal((await create()).status, 200);
  assert.equal((await create()).status, 409);
  assert.equal((await sql`select from audit_event where subject = 'undone'`).length, 1);
});
