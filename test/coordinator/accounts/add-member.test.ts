import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addMember, MOST_MEMBERS } from '../../../coordinator/accounts/members/add-member.ts';
import { listMembers } from '../../../coordinator/accounts/members/list-users.ts';
import type { Role } from '../../../coordinator/contract/user.ts';
import type { Context } from '../../../coordinator/platform/context.ts';
import { testApp } from '../../support/app.ts';
import { auditLines } from '../../support/audit-lines.ts';
import { call, makeUser, type TestUser } from '../../support/client.ts';
import { contextBy, outcomeOf } from '../../support/verb-outcome.ts';
import { mailServer } from '../../support/mail-server.ts';

const app = await testApp({ after }, { now: new Date('2026-11-01T10:00:00Z') });
const { sql } = app.platform;
const by = (user: TestUser, role: Role): Promise<Context> => contextBy(app, user, role);
const names = { firstName: 'Grace', lastName: 'Hopper' };

test('a member is added to the own company without a password, and its link of seven days sets the first', async () => {
  const admin = await makeUser(app, { company: 'Hooli', role: 'customer_admin' });
  const context = await by(admin, 'customer_admin');
  const member = { email: 'Grace@hooli.example', role: 'user', company: null, ...names } as const;
  const { link, mailed, userId } = await addMember(context, member);
  assert.equal(mailed, false);
  const token = /^http:\/\/coordinator\.test\/reset\/(gmp_\w{38})$/.exec(link)?.[1];
  const members = await listMembers(context);
  assert.deepEqual(
    members.map(({ id, email, role, first_name }) => ({ id, email, role, first_name })),
    [
      { id: userId, email: 'grace@hooli.example', role: 'user', first_name: 'Grace' },
      { id: admin.userId, email: admin.email, role: 'customer_admin', first_name: 'Ada' },
    ],
  );
  app.clock.advance({ days: 6, hours: 23, minutes: 59 });
  const body = { token, password: 'the first of hers' };
  assert.equal((await call(app, 'POST', '/api/user/password/reset', { body })).status, 200);
  const credentials = { email: member.email, password: body.password };
  assert.equal((await call(app, 'POST', '/api/user/login', { body: credentials })).status, 200);
  const lines = (await auditLines(app, 'grace@hooli.example')).map(({ action, detail }) => ({ action, detail }));
  assert.deepEqual(lines.slice(0, 3), [
    { action: 'user_created', detail: { role: 'user' } },
    { action: 'password_link_sent', detail: { by: 'invitation', hours: 168 } },
    { action: 'password_set_by_link', detail: {} },
  ]);
});

test('who may add whom where; a known address, a full and an unknown company', async () => {
  const admin = await makeUser(app, { company: 'Initech', role: 'customer_admin' });
  await makeUser(app, { company: 'Globex' });
  let made = 0;
  const add = async (actor: Role, role: Role, company: string | null) =>
    outcomeOf(addMember(await by(admin, actor), { email: `new${(made += 1)}@example.com`, role, company, ...names }));
  const tried = [
    await add('user', 'user', null),
    await add('customer_admin', 'customer_admin', null),
    await add('customer_admin', 'staff', null),
    await add('customer_admin', 'user', 'Globex'),
    await add('staff', 'staff', 'Globex'),
    await add('staff', 'root_admin', 'Globex'),
    await add('root_admin', 'root_admin', 'Globex'),
    await add('staff', 'user', 'Nowhere'),
  ];
  assert.deepEqual(tried, ['forbidden', 'done', 'forbidden', 'forbidden', 'done', 'forbidden', 'done', 'not_found']);
  const context = await by(admin, 'customer_admin');
  const again = { email: admin.email.toUpperCase(), role: 'user', company: null, ...names } as const;
  assert.equal(await outcomeOf(addMember(context, again)), 'conflict');
  // Two are there: the admin and the one added above.
  await sql`
    insert into user_account (id, customer_id, email, role, password_hash, created_at)
    select n, ${admin.customerId}, n || '@initech.example', 'user', '$argon2id$none', now()
    from generate_series(1, ${MOST_MEMBERS - 3}) n`;
  const next = (email: string) => outcomeOf(addMember(context, { ...again, email }));
  assert.deepEqual([await next('last@initech.example'), await next('beyond@initech.example')], ['done', 'state']);
  assert.equal((await listMembers(context)).length, MOST_MEMBERS);
});

test('the members of a company are for those who manage them, and of no other company', async () => {
  const [admin, other] = [
    await makeUser(app, { company: 'Listed', role: 'customer_admin' }),
    await makeUser(app, { company: 'Unlisted' }),
  ];
  assert.equal(await outcomeOf(listMembers(await by(admin, 'user'))), 'forbidden');
  const listed = await listMembers(await by(admin, 'customer_admin'));
  assert.deepEqual(
    listed.map(({ email }) => email),
    [admin.email],
  );
  assert.ok(!JSON.stringify(listed).includes('argon2id') && !JSON.stringify(listed).includes(other.email));
});

test('with mail an invitation goes to the member; where the server refuses, the caller has the link', async (t) => {
  const mail = await mailServer(t);
  const admin = await makeUser(app, { company: 'Massive Dynamic', role: 'customer_admin' });
  const context = await by(admin, 'customer_admin');
  const config = { ...context.config, smtpUrl: mail.url, mailFrom: 'noreply@gpumark.test' };
  const add = (email: string) => addMember({ ...context, config }, { email, role: 'user', company: null, ...names });
  const { mailed, link } = await add('nina@example.com');
  assert.deepEqual([mailed, mail.mails.length, mail.mails[0]?.to], [true, 1, ['nina@example.com']]);
  assert.ok(mail.mails[0]?.text.includes(link));
  assert.match(mail.mails[0]?.text ?? '', /works once, within 7 days/);
  mail.refuse(true);
  const refused = await add('walter@example.com');
  assert.deepEqual([refused.mailed, mail.mails.length], [false, 1]);
});
