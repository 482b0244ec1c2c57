import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { eraseCustomer, exportCustomer } from '../../../../coordinator/accounts/erasure/customer-data.ts';
import { findUser } from '../../../../coordinator/accounts/queries.ts';
import { heedRevocations } from '../../../../coordinator/accounts/credential-caches.ts';
import { enrolFactor } from '../../../../coordinator/accounts/second-factor/enrol-factor.ts';
import { proposeFactor } from '../../../../coordinator/accounts/second-factor/propose-factor.ts';
import {
  removeFactorOf,
  removeFactor,
  renewRecoveryCodes,
  requireFactor,
} from '../../../../coordinator/accounts/second-factor/change-factor.ts';
import { issueTicket } from '../../../../coordinator/accounts/second-factor/sign-in-ticket.ts';
import { testApp } from '../../../support/app.ts';
import { appCode, keyOf } from '../../../support/authenticator.ts';
import { actionsOn, auditLines } from '../../../support/audit-lines.ts';
import { call, makeUser, type TestUser } from '../../../support/client.ts';
import { makeDataDir, removeDataDir } from '../../../support/data-dir.ts';
import { contextBy, outcomeOf } from '../../../support/verb-outcome.ts';
import { logIn, makeEnrolled } from './enrolled.ts';

const app = await testApp({ after }, { now: new Date('2026-11-01T10:00:00Z') });
const { sql } = app.platform;
const look = heedRevocations(app.context);
const me = async (token: string): Promise<number> => {
  await look();
  return (await call(app, 'GET', '/api/user/me', { headers: { authorization: `Bearer ${token}` } })).status;
};
const withoutCode = async (user: TestUser): Promise<number> => (await logIn(app, user)).status;

test('a factor holds after one right code and not before; then all sessions end but the one that set it up', async () => {
  const user = await makeUser(app);
  const context = await contextBy(app, user, 'user');
  const { secret: key } = await proposeFactor(context, null);
  assert.equal(await outcomeOf(enrolFactor(context, { ticket: null, code: '000000' })), 'validation');
  assert.equal(await withoutCode(user), 200, 'nothing has changed yet');
  const { tokens } = await enrolFactor(context, { ticket: null, code: appCode(key, app.clock.now()) });
  assert.deepEqual([await me(user.tokens.id_token), await me(tokens.id_token)], [401, 200]);
  assert.equal(await withoutCode(user), 401);
  assert.equal((await logIn(app, user, appCode(key, app.clock.now()))).status, 401, 'the first code is used up');
  assert.equal(await outcomeOf(proposeFactor(context, null)), 'state', 'another one only after this is removed');
  assert.ok((await actionsOn(app, user.email)).includes('second_factor_enrolled'));
});

test('of two enrolments with one code at the same time one passes, and a code of an older proposal none', async () => {
  const user = await makeUser(app);
  const context = await contextBy(app, user, 'user');
  const older = await proposeFactor(context, null);
  const { secret: key } = await proposeFactor(context, null);
  const enrol = (secret: string) =>
    outcomeOf(enrolFactor(context, { ticket: null, code: appCode(secret, app.clock.now()) }));
  assert.equal(await enrol(older.secret), 'validation');
  assert.deepEqual((await Promise.all([enrol(key), enrol(key)])).toSorted(), ['done', 'state']);
});

test('the set-up of a factor does not tell whether a code of an enrolled one is right', async () => {
  const { user, code } = await makeEnrolled(app);
  const ticket = await issueTicket(app.context, (await findUser(sql, user.userId)) ?? assert.fail());
  for (const given of [code(), '000000'])
    assert.equal(await outcomeOf(enrolFactor(app.context, { ticket, code: given })), 'state');
  assert.equal((await logIn(app, user, code())).status, 200, 'and uses none up');
});

test('its owner removes it with a code; all sessions end but that one, and the password alone signs in again', async () => {
  const { user, code } = await makeEnrolled(app);
  const context = await contextBy(app, user, 'user');
  const remove = (given: string) => removeFactor(context, { code: given, cookie: undefined });
  assert.equal(await outcomeOf(remove('000000')), 'validation');
  assert.equal(await withoutCode(user), 401);
  const left = (await remove(code())) ?? assert.fail('signed out');
  assert.deepEqual([await me(user.tokens.id_token), await me(left.tokens.id_token)], [401, 200]);
  assert.equal(await withoutCode(user), 200);
  assert.equal(await outcomeOf(remove(code(1))), 'validation', 'there is none');
  const line = (await auditLines(app, user.email)).find(({ action }) => action === 'second_factor_removed');
  assert.deepEqual([line?.actor_id, line?.detail], [user.userId, { by: 'its owner' }]);
  assert.equal((await sql`select from recovery_code where user_id = ${user.userId}`).count, 0);
});

test('an administrator removes that of a member and nobody else’s; not the own without a code', async () => {
  const company = 'Acme';
  const admin = await makeEnrolled(app, { company, role: 'customer_admin' });
  const { user } = await makeEnrolled(app, { company });
  const rival = await makeEnrolled(app, { company: 'Rival Ltd', role: 'customer_admin' });
  const remove = async (by: TestUser, role: 'user' | 'customer_admin', whose: TestUser) =>
    outcomeOf(removeFactorOf(await contextBy(app, by, role), whose.email));
  assert.equal(await remove(rival.user, 'customer_admin', user), 'not_found');
  assert.equal(await remove(user, 'user', admin.user), 'forbidden');
  assert.equal(await remove(admin.user, 'customer_admin', admin.user), 'forbidden');
  assert.equal(await withoutCode(user), 401, 'it is still there');
  assert.equal(await me(user.tokens.id_token), 200);
  assert.equal(await remove(admin.user, 'customer_admin', user), 'done');
  assert.deepEqual([await me(user.tokens.id_token), await withoutCode(user)], [401, 200]);
  assert.equal(await remove(admin.user, 'customer_admin', user), 'state');
  const line = (await auditLines(app, user.email)).find(({ action }) => action === 'second_factor_removed');
  assert.deepEqual([line?.actor_id, line?.detail], [admin.user.userId, { by: 'an administrator' }]);
});

test('new recovery codes take a code, and those from before no longer work', async () => {
  const { user, code, recoveryCodes } = await makeEnrolled(app);
  const context = await contextBy(app, user, 'user');
  assert.equal(await outcomeOf(renewRecoveryCodes(context, { code: '000000', cookie: undefined })), 'validation');
  const made = await renewRecoveryCodes(context, { code: code(), cookie: undefined });
  assert.equal((await logIn(app, user, recoveryCodes[0])).status, 401);
  assert.equal((await logIn(app, user, made[0])).status, 200);
});

test('a company that requires it: people without one are refused with the remedy, their sessions end, others and programs go on', async () => {
  const company = 'Strict Ltd';
  const admin = await makeUser(app, { company, role: 'customer_admin' });
  const plain = await makeUser(app, { company });
  const elsewhere = await makeUser(app);
  assert.equal(await outcomeOf(requireFactor(await contextBy(app, plain, 'user'), true)), 'forbidden');
  assert.equal(await outcomeOf(requireFactor(await contextBy(app, admin, 'customer_admin'), true)), 'state');
  const enrolled = await makeEnrolled(app, { company, role: 'customer_admin' });
  const context = await contextBy(app, enrolled.user, 'customer_admin');
  await requireFactor(context, true);
  assert.deepEqual(
    await Promise.all([enrolled.user, plain, elsewhere].map(({ tokens }) => me(tokens.id_token))),
    [200, 401, 200],
  );
  const refused = await logIn(app, plain);
  assert.equal(refused.status, 403);
  assert.match(
    refused.text,
    /Your company requires a second factor\. Sign in to the portal in a browser to set one up/,
  );
  assert.equal((await logIn(app, { ...plain, password: 'not this one' })).status, 401, 'said after the password only');
  assert.deepEqual(
    [await withoutCode(elsewhere), (await logIn(app, enrolled.user, enrolled.code())).status],
    [200, 200],
  );
  const removed = await removeFactor(context, { code: enrolled.code(1), cookie: undefined });
  assert.deepEqual([removed, await me(enrolled.user.tokens.id_token)], [null, 401]);
  await requireFactor(context, false);
  assert.equal(await withoutCode(plain), 200);
  const rules = (await auditLines(app, company)).filter(({ action }) => action === 'second_factor_rule_changed');
  assert.deepEqual(
    rules.map(({ detail }) => detail),
    [{ require_second_factor: true }, { require_second_factor: false }],
  );
});

test('the secret is in no export, and is erased with its company', async (t) => {
  const { user, key } = await makeEnrolled(app);
  const folder = await makeDataDir();
  t.after(() => removeDataDir(folder));
  const target = join(folder, 'export');
  await exportCustomer(app.context, user.customerId, target);
  const lines = (name: string) =>
    readFileSync(join(target, `${name}.jsonl`), 'utf8')
      .trim()
      .split('\n');
  assert.deepEqual([lines('second_factor').length, lines('recovery_code').length], [1, 10]);
  const text = readdirSync(target)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readFileSync(join(target, name), 'utf8'))
    .join('');
  assert.doesNotMatch(text, /"(secret|code_hash)"/);
  for (const form of [key, keyOf(key).toString('hex'), keyOf(key).toString('base64')])
    assert.ok(!text.includes(form), form);
  await eraseCustomer(app.context, user.customerId);
  for (const table of ['second_factor', 'recovery_code'])
    assert.equal((await sql`select from ${sql(table)} where user_id = ${user.userId}`).count, 0, table);
});
