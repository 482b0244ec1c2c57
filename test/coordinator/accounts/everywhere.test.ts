import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { createApp } from '../../../coordinator/app.ts';
import { changeRole } from '../../../coordinator/accounts/members/change-member.ts';
import { LOOK_MS, heedRevocations } from '../../../coordinator/accounts/credential-caches.ts';
import { revokeUser } from '../../../coordinator/accounts/members/revoke-user.ts';
import { credentialVerifiers } from '../../../coordinator/accounts/credentials.ts';
import { changeCustomerTerms, changeTier } from '../../../coordinator/accounts/standing/change-terms.ts';
import { customerNamed } from '../../../coordinator/accounts/standing/customer-actor.ts';
import { addSubscription } from '../../../coordinator/accounts/standing/subscriptions.ts';
import { loginData } from '../../../coordinator/contract/user.ts';
import { connectDatabase } from '../../../coordinator/platform/db/client.ts';
import { systemContext, type Platform } from '../../../coordinator/platform/context.ts';
import { testApp } from '../../support/app.ts';
import { call, makeUser, type TestUser } from '../../support/client.ts';
import { textAt } from '../jobs/node.ts';

/** Three processes on one database: each has a pool of its own, and with it a memory of its own. The clock stands still. */
const app = await testApp({ after }, { now: new Date('2026-11-01T10:00:00Z') });
const processes = [1, 2, 3].map((number) => {
  const sql = connectDatabase({ url: app.databaseUrl, max: 2, applicationName: `process ${number}` });
  after(() => sql.end({ timeout: 5 }));
  const platform: Platform = { ...app.platform, sql };
  const served = createApp(platform, { processMetrics: false, isDraining: () => false });
  const [logins] = credentialVerifiers(platform);
  if (!logins) throw new Error('there is no verifier of logins');
  return {
    test: { ...app, app: served, platform, context: systemContext(platform, 'test') },
    look: heedRevocations(systemContext(platform, 'look')),
    roleOf: async ({ tokens }: TestUser) => {
      const actor = await logins.verify(tokens.id_token, { late: false });
      return actor.kind === 'user' ? actor.role : actor.kind;
    },
  };
});
const [first, second, third] = processes;
if (!first || !second || !third) throw new Error('there are three processes');
const statuses = (user: TestUser) =>
  Promise.all(
    processes.map(
      async ({ test: one }) => (await call(one, 'GET', '/api/user/me', { headers: user.authorization })).status,
    ),
  );
const companyOf = async (user: TestUser): Promise<string> =>
  textAt((await call(app, 'GET', '/api/user/me', { headers: user.authorization })).body, 'data', 'company_name');
const roles = (user: TestUser) => Promise.all(processes.map(({ roleOf }) => roleOf(user)));
const lookEverywhere = () => Promise.all(processes.map(({ look }) => look()));
await lookEverywhere();

test('a look comes so often that what it brings is there within five seconds', () => {
  // runPeriodically adds a tenth at most; one look may have just missed the change.
  assert.ok(2 * LOOK_MS * 1.1 <= 5000);
});

test('a change of role is there in all three with their next look, and not remembered before', async () => {
  const user = await makeUser(app, { role: 'customer_admin' });
  assert.deepEqual(await roles(user), Array(3).fill('customer_admin'));
  await changeRole(first.test.context, { email: user.email, role: 'user' });
  assert.deepEqual(await roles(user), Array(3).fill('customer_admin'), 'this is what each remembers');
  await lookEverywhere();
  assert.deepEqual(await roles(user), Array(3).fill('user'));
});

test('a change of a tier, a subscription and one customer’s terms is there in all three with their next look', async () => {
  const user = await makeUser(app, { tier: 'basic' });
  const customer = await customerNamed(app.context, await companyOf(user));
  const opens = async (): Promise<boolean[]> => {
    const body = { gpu: 'x' };
    const answers = processes.map(({ test: one }) =>
      call(one, 'POST', '/api/gpu-index/index', { body, headers: user.authorization }),
    );
    return (await Promise.all(answers)).map(({ status }) => status !== 403);
  };
  const closed = [false, false, false];
  const open = [true, true, true];
  assert.deepEqual(await opens(), closed);
  await changeTier(first.test.context, 'basic', { products: ['gpu-index'] });
  assert.deepEqual(await opens(), closed, 'this is what each remembers');
  await lookEverywhere();
  assert.deepEqual(await opens(), open);
  await changeCustomerTerms(second.test.context, customer, { products: [] });
  await lookEverywhere();
  assert.deepEqual(await opens(), closed);
  await changeCustomerTerms(second.test.context, customer, { products: null });
  await changeTier(first.test.context, 'basic', { products: [] });
  await lookEverywhere();
  assert.deepEqual(await opens(), closed);
  await addSubscription(third.test.context, customer, { tier: 'plus' });
  await lookEverywhere();
  assert.deepEqual(await opens(), open);
});

test('a disabled user is refused by all three with their next look', async () => {
  const user = await makeUser(app);
  assert.deepEqual(await statuses(user), [200, 200, 200]);
  await revokeUser(second.test.context, { email: user.email, change: { kind: 'disable' } });
  await lookEverywhere();
  assert.deepEqual(await statuses(user), [401, 401, 401]);
});

test('a session signed out at one is refused by all three, and other sessions of the user are not', async () => {
  const user = await makeUser(app);
  const body = { email: user.email, password: user.password };
  const answer = await call(second.test, 'POST', '/api/user/login', { body });
  const { id_token } = z.object({ data: loginData }).parse(answer.body).data;
  const other = { ...user, authorization: { authorization: `Bearer ${id_token}` } };
  assert.deepEqual([await statuses(user), await statuses(other)], [Array(3).fill(200), Array(3).fill(200)]);
  assert.equal((await call(third.test, 'POST', '/api/user/sign-out', { headers: user.authorization })).status, 200);
  await lookEverywhere();
  assert.deepEqual([await statuses(user), await statuses(other)], [Array(3).fill(401), Array(3).fill(200)]);
});

test('a stolen refresh token that one sees ends the session in all three', async () => {
  const user = await makeUser(app);
  const { refresh_token } = user.tokens;
  const refresh = (at: typeof first) => call(at.test, 'POST', '/api/user/refresh', { body: { refresh_token } });
  assert.deepEqual([(await refresh(first)).status, await statuses(user)], [200, [200, 200, 200]]);
  assert.equal((await refresh(third)).status, 401);
  await lookEverywhere();
  assert.deepEqual(await statuses(user), [401, 401, 401]);
});

test('renewals with one token at three processes at the same time: one wins, the session is over', async () => {
  const user = await makeUser(app);
  const { refresh_token } = user.tokens;
  const answers = await Promise.all(
    processes.map(({ test: one }) => call(one, 'POST', '/api/user/refresh', { body: { refresh_token } })),
  );
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 401, 401],
  );
  await lookEverywhere();
  assert.deepEqual(await statuses(user), [401, 401, 401]);
});

test('without a look what is remembered ages out within five seconds', async () => {
  const user = await makeUser(app);
  assert.deepEqual(await statuses(user), [200, 200, 200]);
  await revokeUser(first.test.context, { email: user.email, change: { kind: 'end_sessions' } });
  app.clock.advance({ seconds: 5 });
  assert.deepEqual(await statuses(user), [401, 401, 401]);
});
