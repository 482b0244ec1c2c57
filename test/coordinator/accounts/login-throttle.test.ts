import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { logIn } from '../../../coordinator/accounts/log-in.ts';
import { networkOf } from '../../../coordinator/accounts/throttle/network-of.ts';
import { ACCOUNT_LIMIT, NETWORK_LIMIT, pruneThrottle } from '../../../coordinator/accounts/throttle/throttle-login.ts';
import type { Context } from '../../../coordinator/platform/context.ts';
import { DomainError } from '../../../coordinator/platform/errors.ts';
import { testApp } from '../../support/app.ts';
import { call, makeUser } from '../../support/client.ts';

const app = await testApp({ after }, { now: new Date('2026-11-01T10:00:00Z') });
const from = (address: string): Context => ({ ...app.context, client: { address, country: null } });
const kindOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'in',
    (error: unknown) => (error instanceof DomainError ? error.kind : String(error)),
  );
/** Puts the count where real failures would, without their 50 ms each. */
const preset = (subject: string, failures: number) => app.platform.sql`
  insert into login_throttle (subject, failures, window_started_at) values (${subject}, ${failures}, ${app.clock.now()})`;

test('429: after ten failures the account is closed for 15 minutes, to the right password too, with Retry-After', async () => {
  const user = await makeUser(app);
  const wrong = () => call(app, 'POST', '/api/user/login', { body: { email: user.email, password: 'wrong wrong' } });
  const right = () => call(app, 'POST', '/api/user/login', { body: { email: user.email, password: user.password } });
  for (let turn = 0; turn < ACCOUNT_LIMIT; turn += 1) assert.equal((await wrong()).status, 401);
  const refused = await right();
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('retry-after'), '900');
  app.clock.advance({ minutes: 14 });
  assert.equal((await right()).headers.get('retry-after'), '60');
  app.clock.advance({ minutes: 1 });
  assert.equal((await right()).status, 200);
});

test('a good login starts the count of the account anew', async () => {
  const user = await makeUser(app);
  const attempt = (password: string) => kindOf(logIn(from('203.0.113.9'), { email: user.email, password }));
  await preset(`account:${user.email}`, ACCOUNT_LIMIT - 1);
  assert.equal(await attempt(user.password), 'in');
  assert.equal(await attempt('wrong wrong'), 'unauthenticated');
  assert.equal(await attempt(user.password), 'in');
});

test('parallel guesses do not pass the limit', async () => {
  const user = await makeUser(app);
  await preset(`account:${user.email}`, ACCOUNT_LIMIT - 2);
  const guesses = Array.from({ length: 12 }, () =>
    kindOf(logIn(from('203.0.114.9'), { email: user.email, password: 'guess guess' })),
  );
  const outcomes = await Promise.all(guesses);
  assert.equal(outcomes.filter((kind) => kind === 'unauthenticated').length, 2);
  assert.equal(outcomes.filter((kind) => kind === 'rate_limited').length, 10);
});

test('429: a network is closed after a hundred failures over any accounts; its neighbours are not', async () => {
  const user = await makeUser(app);
  const attempt = (address: string) => kindOf(logIn(from(address), { email: user.email, password: user.password }));
  await preset('network:198.51.100.0/24', NETWORK_LIMIT);
  assert.equal(await attempt('198.51.100.77'), 'rate_limited');
  assert.equal(await attempt('198.51.101.77'), 'in');
  const made = kindOf(logIn(from('198.51.100.78'), { email: 'made-up@example.com', password: 'guess guess' }));
  assert.equal(await made, 'rate_limited');
  const rows = await app.platform.sql`select from login_throttle where subject = 'account:made-up@example.com'`;
  assert.equal(rows.count, 0, 'a closed network writes no rows for accounts');
});

test('a network is a /24 of IPv4 and a /48 of IPv6', () => {
  assert.equal(networkOf('192.0.2.77'), '192.0.2.0/24');
  assert.equal(networkOf('2001:db8:12:3456::1'), '2001:db8:12::/48');
  assert.equal(networkOf('2001:0DB8:0012:ffff:1:2:3:4'), '2001:db8:12::/48');
  assert.equal(networkOf('::1'), '0:0:0::/48');
  assert.equal(networkOf('fe80::1%eth0'), 'fe80:0:0::/48');
  assert.equal(networkOf(null), 'local');
});

test('windows a day old are deleted, blocks still running are not', async () => {
  const { sql } = app.platform;
  await sql`delete from login_throttle`;
  await preset('account:old@example.com', 3);
  app.clock.advance({ hours: 25 });
  await preset('account:new@example.com', 3);
  assert.equal(await pruneThrottle(app.context), 1);
  const left = await sql`select subject from login_throttle`;
  assert.deepEqual(
    left.map((row) => row['subject']),
    ['account:new@example.com'],
  );
});
