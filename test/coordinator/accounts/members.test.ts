import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { changeRole, enableUser } from '../../../coordinator/accounts/members/change-member.ts';
import { heedRevocations } from '../../../coordinator/accounts/credential-caches.ts';
import { revokeUser } from '../../../coordinator/accounts/members/revoke-user.ts';
import type { Role } from '../../../coordinator/contract/user.ts';
import type { Context } from '../../../coordinator/platform/context.ts';
import { testApp } from '../../support/app.ts';
import { auditLines } from '../../support/audit-lines.ts';
import { call, makeUser, type TestUser } from '../../support/client.ts';
import { contextBy, outcomeOf } from '../../support/verb-outcome.ts';

const app = await testApp({ after }, { now: new Date('2026-11-01T10:00:00Z') });
const { sql } = app.platform;
const look = heedRevocations(app.context);
const by = (user: TestUser, role: Role): Promise<Context> => contextBy(app, user, role);
const sentence = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
const roleOf = async ({ userId }: TestUser) =>
  (await sql<{ role: Role }[]>`select role from user_account where id = ${userId}`)[0]?.role;
const disable = (context: Context, { email }: { email: string }) =>
  revokeUser(context, { email, change: { kind: 'disable' } });

test('who may give which role to whom: every caller, target and role', async () => {
  const company = 'Roles at home';
  const caller = await makeUser(app, { company, role: 'customer_admin' });
  // Others of each role, so that nobody here is the last one.
  for (const role of ['customer_admin', 'root_admin'] as const) {
    await makeUser(app, { company, role });
    await makeUser(app, { company: 'Roles elsewhere', role });
  }
  const roles = ['user', 'customer_admin', 'staff', 'root_admin'] as const;
  const customers: ReadonlySet<Role> = new Set(['user', 'customer_admin']);
  const allowed = (actor: Role, target: { role: Role; own: boolean }, next: Role): string => {
    if (actor === 'root_admin') return 'done';
    if (actor === 'user') return 'forbidden';
    if (actor === 'staff') return target.role === 'root_admin' || next === 'root_admin' ? 'forbidden' : 'done';
    if (!target.own) return 'not_found';
    return customers.has(target.role) && customers.has(next) ? 'done' : 'forbidden';
  };
  const [seen, expected]: [Record<string, string>, Record<string, string>] = [{}, {}];
  const targets = { own: await makeUser(app, { company }), other: await makeUser(app, { company: 'Roles elsewhere' }) };
  for (const actor of roles)
    for (const [whose, target] of Object.entries(targets))
      for (const from of roles)
        for (const to of roles) {
          await sql`update user_account set role = ${from} where id = ${target.userId}`;
          const name = `${actor}: ${whose} ${from} -> ${to}`;
          seen[name] = await outcomeOf(changeRole(await by(caller, actor), { email: target.email, role: to }));
          expected[name] = allowed(actor, { role: from, own: whose === 'own' }, to);
          assert.equal(await roleOf(target), seen[name] === 'done' ? to : from, name);
        }
  // 4 callers x 2 targets x 4 roles before x 4 after
  assert.equal(Object.keys(expected).length, 128);
  assert.deepEqual(seen, expected);
});

test('a changed role works with the next look, sessions go on, and the audit log has it; the same role writes nothing', async () => {
  const admin = await makeUser(app, { company: 'Acme', role: 'customer_admin' });
  const user = await makeUser(app, { company: 'Acme' });
  const context = await by(admin, 'customer_admin');
  await changeRole(context, { email: user.email.toUpperCase(), role: 'customer_admin' });
  await changeRole(context, { email: user.email, role: 'customer_admin' });
  await look();
  assert.equal((await call(app, 'GET', '/api/user/me', { headers: user.authorization })).status, 200);
  const lines = (await auditLines(app, user.email)).slice(1);
  assert.deepEqual(
    lines.map(({ action, customer_id, actor_kind, actor_id, detail }) => ({
      action,
      customer_id,
      actor_kind,
      actor_id,
      detail,
    })),
    [
      {
        action: 'role_changed',
        customer_id: admin.customerId,
        actor_kind: 'user',
        actor_id: admin.userId,
        detail: { from: 'user', to: 'customer_admin' },
      },
    ],
  );
});

test('the last customer_admin of a company is neither demoted nor disabled, by itself or by staff; the operator may', async () => {
  const admin = await makeUser(app, { company: 'Alone', role: 'customer_admin' });
  const gone = await makeUser(app, { company: 'Alone', role: 'customer_admin' });
  await disable(app.context, gone);
  const last = `${admin.email} is the last customer_admin of Alone. Make another one first.`;
  for (const role of ['customer_admin', 'staff', 'root_admin'] as const) {
    const context = await by(admin, role);
    assert.equal(await sentence(changeRole(context, { email: admin.email, role: 'user' })), last);
    assert.equal(await sentence(disable(context, admin)), last);
  }
  assert.equal(
    await outcomeOf(changeRole(await by(admin, 'customer_admin'), { email: gone.email, role: 'user' })),
    'done',
  );
  assert.equal(await outcomeOf(disable(app.context, admin)), 'done');
});

test('the last root_admin stays, even for the operator; of two who disable each other at the same time one stays', async () => {
  await sql`update user_account set role = 'user' where role = 'root_admin'`;
  const [one, two] = [await makeUser(app, { role: 'root_admin' }), await makeUser(app, { role: 'root_admin' })];
  const both = await Promise.all([
    outcomeOf(disable(await by(one, 'root_admin'), two)),
    outcomeOf(disable(await by(two, 'root_admin'), one)),
  ]);
  assert.deepEqual(both.toSorted(), ['done', 'state']);
  const [left] = both[0] === 'done' ? [one] : [two];
  assert.equal(await outcomeOf(disable(app.context, left)), 'state');
  assert.equal(
    await sentence(changeRole(app.context, { email: left.email, role: 'staff' })),
    `${left.email} is the last root_admin of the service. Make another one first.`,
  );
});

test('disable and enable: within the own company, with lines in the audit log; others are not there', async () => {
  const admin = await makeUser(app, { company: 'Umbrella', role: 'customer_admin' });
  const [user, stranger] = [await makeUser(app, { company: 'Umbrella' }), await makeUser(app, { company: 'Stark' })];
  const context = await by(admin, 'customer_admin');
  assert.deepEqual(
    [await outcomeOf(disable(context, stranger)), await outcomeOf(enableUser(context, stranger.email))],
    ['not_found', 'not_found'],
  );
  // Also in the case in which it was typed: the stored one would tell that it is there.
  for (const email of [stranger.email, stranger.email.toUpperCase()]) {
    const sentences = [
      await sentence(disable(context, { email })),
      await sentence(enableUser(context, email)),
      await sentence(changeRole(context, { email, role: 'user' })),
    ];
    assert.deepEqual(new Set(sentences), new Set([`A user with the e-mail address ${email} not found`]));
  }
  await disable(context, user);
  await look();
  assert.equal((await call(app, 'GET', '/api/user/me', { headers: user.authorization })).status, 401);
  await enableUser(context, user.email);
  await look();
  const credentials = { email: user.email, password: user.password };
  assert.equal((await call(app, 'POST', '/api/user/login', { body: credentials })).status, 200);
  const lines = (await auditLines(app, user.email)).map(({ action, actor_id }) => [action, actor_id]);
  assert.deepEqual(lines.slice(1), [
    ['user_disabled', admin.userId],
    ['user_enabled', admin.userId],
    ['sign_in', user.userId],
  ]);
  const other = {
    email: user.email,
    change: { kind: 'password', password: 'set by an admin', isGenerated: false },
  } as const;
  assert.equal(await outcomeOf(revokeUser(context, other)), 'forbidden');
  for (const role of ['user', 'customer_admin'] as const)
    assert.equal(await outcomeOf(disable(await by(user, role), admin)), role === 'user' ? 'forbidden' : 'state');
});
