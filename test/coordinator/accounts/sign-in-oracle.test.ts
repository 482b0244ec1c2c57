import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { after, test } from 'node:test';
import { logIn as logInVerb } from '../../../coordinator/accounts/begin-sign-in.ts';
import { testApp } from '../../support/app.ts';
import { appOver } from '../../support/app-over.ts';
import { auditLines } from '../../support/audit-lines.ts';
import { call, makeUser } from '../../support/client.ts';
import { countingSql } from '../../support/counting-sql.ts';

const plain = await testApp({ after }, { now: new Date('2026-11-01T10:00:00Z') });
const counting = countingSql(plain.platform.sql);
const database = { sql: counting.sql, url: plain.databaseUrl };
const { test: app, close } = await appOver(database, { now: new Date('2026-11-01T10:00:00Z') });
after(close);
/** What node calls a derivation by argon2 under way. */
const HASHING = 'ARGON2REQUEST';
const logIn = (email: string, password: string) => call(app, 'POST', '/api/user/login', { body: { email, password } });

test('unknown address, wrong password and disabled user: one hash each, and the same number of queries', async () => {
  const [user, disabled] = [await makeUser(plain), await makeUser(plain)];
  await plain.platform.sql`update user_account set disabled_at = now() where id = ${disabled.userId}`;
  const ways: Record<string, [string, string]> = {
    'a wrong password': [user.email, 'not the password'],
    'an unknown address': ['nobody@example.com', 'not the password'],
    'a disabled user, right password': [disabled.email, disabled.password],
  };
  let hashes = 0;
  const hook = createHook({ init: (_id, type) => void (hashes += type === HASHING ? 1 : 0) }).enable();
  after(() => hook.disable());
  // The fifth failure also begins a pause, which is a line more for each.
  for (let turn = 1; turn <= 5; turn += 1) {
    const seen: Record<string, unknown> = {};
    for (const [name, [email, password]] of Object.entries(ways)) {
      [hashes] = [0, counting.count()];
      const { status, body } = await logIn(email, password);
      seen[name] = { status, body: JSON.stringify(body), hashes, queries: counting.count() };
    }
    const expected = seen['a wrong password'];
    assert.deepEqual(seen, Object.fromEntries(Object.keys(ways).map((name) => [name, expected])), `turn ${turn}`);
    assert.equal(Object(expected)['hashes'], 1);
  }
});

test('the audit log tells whose sign-in failed where the address is known, and never the password', async () => {
  const [user, typed] = [await makeUser(plain), `${'x'.repeat(64)}@nowhere.example.com`];
  await logIn(user.email.toUpperCase(), 'a password with a typing mistake');
  await logIn(typed, 'a password with a typing mistake');
  await logIn(user.email, user.password);
  const events = [
    ...(await auditLines(app, user.email.toUpperCase())),
    ...(await auditLines(app, typed)),
    ...(await auditLines(app, user.email)),
  ];
  assert.deepEqual(
    events
      .filter(({ action }) => action !== 'user_created')
      .map(({ action, customer_id, actor_kind, actor_id }) => ({ action, customer_id, actor_kind, actor_id })),
    [
      { action: 'sign_in_failed', customer_id: user.customerId, actor_kind: 'user', actor_id: user.userId },
      { action: 'sign_in_failed', customer_id: null, actor_kind: 'anonymous', actor_id: null },
      { action: 'sign_in', customer_id: user.customerId, actor_kind: 'user', actor_id: user.userId },
    ],
  );
  const all = JSON.stringify(await plain.platform.sql`select * from audit_event`);
  assert.ok(!all.includes('typing mistake') && !all.includes(user.password));
});

test('a flood of failures writes one line for each counted one, one where a pause begins, and none while it lasts', async () => {
  const user = await makeUser(plain);
  for (let turn = 0; turn < 12; turn += 1) await logIn(user.email, 'not the password');
  const lines = (await auditLines(app, user.email)).filter(({ action }) => action !== 'user_created');
  // Five are free; the fifth begins a pause of one second, in which the clock stands: seven more write nothing.
  assert.deepEqual(
    lines.map(({ action }) => action),
    [...Array<string>(5).fill('sign_in_failed'), 'sign_in_slowed'],
  );
  assert.deepEqual(lines.at(-1)?.detail, { by: ['pair'], until: '2026-11-01T10:00:01.000Z' });
});

test('whatever a connection or a proxy calls the address, a sign-in is written down', async () => {
  const user = await makeUser(plain);
  const given = ['192.0.2.7', '2001:db8::7', 'fe80::7%eth0', '192.0.2.7:5555', 'unknown', null];
  for (const address of given)
    await logInVerb(
      { ...app.context, client: { address, country: null } },
      { email: user.email, password: user.password },
    );
  const rows = await plain.platform.sql<{ address: string | null }[]>`
    select host(address) as address from audit_event where subject = ${user.email} and action = 'sign_in' order by id`;
  assert.deepEqual(
    rows.map(({ address }) => address),
    ['192.0.2.7', '2001:db8::7', 'fe80::7', null, null, null],
  );
});
