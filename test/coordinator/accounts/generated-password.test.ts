import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createUser } from '../../../coordinator/accounts/create-user.ts';
import { ensureFirstAdmin } from '../../../coordinator/accounts/ensure-first-admin.ts';
import { revokeUser } from '../../../coordinator/accounts/members/revoke-user.ts';
import { testApp } from '../../support/app.ts';
import { call, makeUser } from '../../support/client.ts';

const app = await testApp({ after }, { now: new Date('2026-11-01T10:00:00Z') });
const logIn = (email: string, password: string) => call(app, 'POST', '/api/user/login', { body: { email, password } });
const statusOf = async (email: string, password: string): Promise<number> => (await logIn(email, password)).status;
const person = { company: 'Makers', role: 'user', tier: null, firstName: '', lastName: '' } as const;
const password = 'made-for-somebody-1';

test('a password that was made for somebody signs in for seven days, and then like one more wrong password does not', async () => {
  const [made, chosen] = ['made@example.com', 'chosen@example.com'];
  await createUser(app.context, { ...person, email: made, password, isGenerated: true });
  await createUser(app.context, { ...person, email: chosen, password });
  app.clock.advance({ days: 7, seconds: -1 });
  assert.equal(await statusOf(made, password), 200);
  app.clock.advance({ seconds: 1 });
  const ended = await logIn(made, password);
  assert.deepEqual([ended.status, await statusOf(chosen, password)], [401, 200]);
  assert.equal(ended.text, (await logIn('nobody@example.com', password)).text.replace('nobody', 'made'));
});

test('one that its user sets in its place lasts; one that the operator lets be made ends again', async () => {
  const user = await makeUser(app);
  const change = { kind: 'password', password, isGenerated: true } as const;
  await revokeUser(app.context, { email: user.email, change });
  const signedIn = await logIn(user.email, password);
  assert.equal(signedIn.status, 200);
  const { id_token } = (signedIn.body as { data: { id_token: string } }).data;
  const changed = await call(app, 'POST', '/api/user/password', {
    headers: { authorization: `Bearer ${id_token}` },
    body: { current_password: password, new_password: 'chosen-by-themselves-1' },
  });
  assert.equal(changed.status, 200, changed.text);
  app.clock.advance({ days: 30 });
  assert.equal(await statusOf(user.email, 'chosen-by-themselves-1'), 200);
  await revokeUser(app.context, { email: user.email, change });
  app.clock.advance({ days: 7 });
  assert.equal(await statusOf(user.email, password), 401);
});

test('of the first administrator the one that was made ends, the operator’s own does not', async (t) => {
  for (const given of [null, 'the-operators-own-1']) {
    const fresh = await testApp(t, { now: new Date('2026-11-01T10:00:00Z') });
    await fresh.platform.sql`delete from user_account`;
    const admin = await ensureFirstAdmin(fresh.context, { email: 'first@example.com', password: given });
    const signIn = async () =>
      (
        await call(fresh, 'POST', '/api/user/login', {
          body: { email: 'first@example.com', password: given ?? admin?.generatedPassword },
        })
      ).status;
    assert.equal(await signIn(), 200);
    fresh.clock.advance({ days: 7 });
    assert.equal(await signIn(), given === null ? 401 : 200);
  }
});
