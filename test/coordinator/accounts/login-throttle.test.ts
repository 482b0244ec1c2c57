import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { logIn } from '../../../coordinator/accounts/begin-sign-in.ts';
import { MOST_ROWS, paces, type SubjectKind } from '../../../coordinator/accounts/throttle/limits.ts';
import { networkOf } from '../../../coordinator/platform/address-blocks.ts';
import { countAttempt, deleteOldWindows } from '../../../coordinator/accounts/throttle/queries.ts';
import { pruneThrottle } from '../../../coordinator/accounts/throttle/throttle-login.ts';
import type { Context } from '../../../coordinator/platform/context.ts';
import { DomainError } from '../../../coordinator/platform/errors.ts';
import { testApp } from '../../support/app.ts';
import { call, makeUser, type TestUser } from '../../support/client.ts';

const app = await testApp({ after }, { now: new Date('2026-11-01T10:00:00Z') });
const { sql } = app.platform;
const from = (address: string): Context => ({ ...app.context, client: { address, country: null } });
const attempt = (user: Pick<TestUser, 'email'>, password: string, address: string, cookie?: string): Promise<string> =>
  logIn(from(address), { email: user.email, password, cookie }).then(
    () => 'in',
    (error: unknown) => (error instanceof DomainError ? error.kind : String(error)),
  );
/** Puts the count where real failures would, without their 50 ms each. */
const preset = (subject: string, failures: number, pauseMinutes = 0) => sql`
  insert into login_throttle (subject, failures, window_started_at, blocked_until)
  values (${subject}, ${failures}, ${app.clock.now()},
    ${pauseMinutes > 0 ? new Date(app.clock.now().getTime() + pauseMinutes * 60_000) : null})
  on conflict (subject) do update set failures = excluded.failures, blocked_until = excluded.blocked_until`;
const cookieOf = (setCookie: string) => setCookie.split(';')[0] ?? '';
const signIn = async (user: TestUser, address: string) =>
  cookieOf((await logIn(from(address), { email: user.email, password: user.password })).setCookie);

test('ten wrong passwords from one network pause that network for the account, and the owner signs in from elsewhere', async () => {
  const user = await makeUser(app);
  const guesses = [];
  for (let turn = 0; turn < 10; turn += 1) guesses.push(await attempt(user, 'wrong wrong', '203.0.113.7'));
  assert.deepEqual(guesses, [...Array<string>(5).fill('unauthenticated'), ...Array<string>(5).fill('rate_limited')]);
  assert.equal(await attempt(user, user.password, '203.0.113.8'), 'rate_limited', 'the same network');
  assert.equal(await attempt(user, user.password, '192.0.2.1'), 'in');
});

test('429: the pauses are 1, 2, 4 ... seconds, said in Retry-After, and knocking meanwhile makes them no longer', async () => {
  const user = await makeUser(app);
  const wrong = () => call(app, 'POST', '/api/user/login', { body: { email: user.email, password: 'wrong wrong' } });
  for (let turn = 0; turn < paces.pair.free; turn += 1) assert.equal((await wrong()).status, 401);
  for (const seconds of [1, 2, 4]) {
    for (let knock = 0; knock < 3; knock += 1) {
      const refused = await wrong();
      assert.equal(refused.status, 429);
      assert.equal(refused.headers.get('retry-after'), String(seconds));
    }
    app.clock.advance({ seconds });
    assert.equal((await wrong()).status, 401);
  }
  app.clock.advance({ seconds: 8 });
  const right = { email: user.email, password: user.password };
  assert.equal((await call(app, 'POST', '/api/user/login', { body: right })).status, 200);
  assert.equal((await wrong()).status, 401, 'the right password begins the count anew');
});

test('a hundred failures of a /24 do not touch who has signed in from there, nor who brings the cookie of a device', async () => {
  const [there, away, newcomer] = [await makeUser(app), await makeUser(app), await makeUser(app)];
  await signIn(there, '198.51.100.5');
  const cookie = await signIn(away, '192.0.2.50');
  await preset('network:198.51.100.0/24', paces.network.free, 1);
  assert.equal(await attempt(there, there.password, '198.51.100.77'), 'in');
  assert.equal(await attempt(away, away.password, '198.51.100.77', cookie), 'in');
  assert.equal(await attempt(newcomer, newcomer.password, '198.51.100.77'), 'rate_limited');
  assert.equal(await attempt(newcomer, newcomer.password, '198.51.101.77'), 'in', 'the neighbour network');
});

test('guesses from many networks pause an account for strangers, and not for devices that are known', async () => {
  const user = await makeUser(app);
  const cookie = await signIn(user, '192.0.2.60');
  await preset(`account:${user.email}`, paces.account.free, 10);
  assert.equal(await attempt(user, user.password, '203.0.115.9'), 'rate_limited');
  assert.equal(await attempt(user, user.password, '203.0.115.9', cookie), 'in');
  assert.equal(await attempt(user, user.password, '192.0.2.61'), 'in');
});

test('a cookie is good for its own account, its own epoch and 30 days, and a made-up one is none', async () => {
  const [user, other] = [await makeUser(app), await makeUser(app)];
  const cookie = await signIn(user, '192.0.2.70');
  for (const { email } of [user, other]) await preset(`account:${email}`, paces.account.free, 24 * 60 * 40);
  assert.equal(await attempt(user, user.password, '203.0.116.9', cookie), 'in');
  assert.equal(await attempt(other, other.password, '203.0.117.9', cookie), 'rate_limited', 'of another account');
  const made = [`${cookie.slice(0, -4)}AAAA`, 'gpumark_device=x', `gpumark_device=${user.tokens.id_token}`, '=;;='];
  for (const bad of made) assert.equal(await attempt(user, user.password, '203.0.118.9', bad), 'rate_limited', bad);
  await sql`update user_account set session_epoch = session_epoch + 1 where id = ${user.userId}`;
  assert.equal(await attempt(user, user.password, '203.0.118.9', cookie), 'rate_limited', 'sessions were ended');
  await sql`update user_account set session_epoch = session_epoch - 1 where id = ${user.userId}`;
  app.clock.advance({ days: 30 });
  assert.equal(await attempt(user, user.password, '203.0.118.9', cookie), 'rate_limited', 'a month later');
});

test('a stolen cookie gives five guesses and then counts as none; the right password there renews the same device', async () => {
  const user = await makeUser(app);
  const cookie = await signIn(user, '192.0.2.80');
  for (let turn = 0; turn < paces.device.free; turn += 1)
    assert.equal(await attempt(user, 'wrong wrong', '203.0.119.9', cookie), 'unauthenticated');
  const [stranger] = await sql`select from login_throttle where subject = ${`pair:203.0.119.0/24:${user.email}`}`;
  assert.equal(stranger, undefined, 'nothing was counted against the network');
  assert.equal(await attempt(user, 'wrong wrong', '203.0.119.9', cookie), 'unauthenticated');
  const [row] = await sql`select failures from login_throttle where subject = ${`pair:203.0.119.0/24:${user.email}`}`;
  assert.equal(row?.['failures'], 1, 'from here on it is a stranger');
});

test('the cookie is HttpOnly, SameSite=Strict, of the login path alone, Secure behind TLS, and opens nothing', async () => {
  const user = await makeUser(app);
  const body = { email: user.email, password: user.password };
  const { headers } = await call(app, 'POST', '/api/user/login', { body });
  const set = headers.get('set-cookie') ?? '';
  assert.match(set, /^gpumark_device=\S+; Max-Age=2592000; Path=\/api\/user\/login; HttpOnly; SameSite=Strict$/);
  const value = cookieOf(set).replace('gpumark_device=', '');
  const me = await call(app, 'GET', '/api/user/me', { headers: { authorization: `Bearer ${value}` } });
  assert.equal(me.status, 401);
  const config = { ...app.platform.config, publicUrl: 'https://gpumark.example' };
  const behindTls = await logIn({ ...app.context, config }, body);
  assert.match(behindTls.setCookie, /; Secure$/);
});

test('parallel guesses do not pass the limit', async () => {
  const user = await makeUser(app);
  await preset(`pair:203.0.114.0/24:${user.email}`, paces.pair.free - 2);
  const outcomes = await Promise.all(Array.from({ length: 12 }, () => attempt(user, 'guess guess', '203.0.114.9')));
  assert.equal(outcomes.filter((kind) => kind === 'unauthenticated').length, 2);
  assert.equal(outcomes.filter((kind) => kind === 'rate_limited').length, 10);
});

test('a day of guessing at every chance gives 62 guesses to a network, 184 to all on an account, 11,000 over all accounts', async () => {
  const guessesIn = async (kind: SubjectKind, seconds: number) => {
    let now = app.clock.now().getTime();
    const end = now + seconds * 1000;
    let guesses = 0;
    while (now < end) {
      const counted = await countAttempt(sql, {
        ...paces[kind],
        subject: `worst:${kind}:${seconds}`,
        now: new Date(now),
      });
      assert.ok(counted);
      guesses += 1;
      now = Math.max(now, counted.blocked_until?.getTime() ?? 0);
    }
    return guesses;
  };
  const [pair, device, account, hour, network] = [
    await guessesIn('pair', 24 * 3600),
    await guessesIn('device', 24 * 3600),
    await guessesIn('account', 24 * 3600),
    await guessesIn('account', 3600),
    await guessesIn('network', 3600),
  ];
  assert.deepEqual(
    { pair, device, account, hour, network },
    { pair: 62, device: 62, account: 184, hour: 92, network: 462 },
  );
  assert.ok(pair < paces.account.free, 'one network alone never pauses an account elsewhere');
});

test('a network is a /24 of IPv4 and a /48 of IPv6', () => {
  assert.equal(networkOf('192.0.2.77'), '192.0.2.0/24');
  assert.equal(networkOf('::ffff:192.0.2.77'), '192.0.2.0/24');
  assert.equal(networkOf('2001:db8:12:3456::1'), '2001:db8:12::/48');
  assert.equal(networkOf('2001:0DB8:0012:ffff:1:2:3:4'), '2001:db8:12::/48');
  assert.equal(networkOf('::1'), '0:0:0::/48');
  assert.equal(networkOf('fe80::1%eth0'), 'fe80:0:0::/48');
  assert.equal(networkOf(null), 'local');
});

test('windows a day old are deleted, pauses still running are not', async () => {
  await sql`delete from login_throttle`;
  await preset('account:old@example.com', 3);
  await preset('account:paused@example.com', 90, 26 * 60);
  app.clock.advance({ hours: 25 });
  await preset('account:new@example.com', 3);
  await pruneThrottle(app.context);
  const left = await sql`select subject from login_throttle order by subject`;
  assert.deepEqual(
    left.map((row) => row['subject']),
    ['account:new@example.com', 'account:paused@example.com'],
  );
});

test('made-up addresses cannot make the table grow without limit, nor push the count of a guessed account out of it', async () => {
  await sql`delete from login_throttle`;
  await preset('account:guessed@example.com', 40);
  await sql`
    insert into login_throttle (subject, failures, window_started_at)
    select 'account:made-up-' || n, 1, ${app.clock.now()} from generate_series(1, 500) n`;
  const now = app.clock.now();
  const before = new Date(now.getTime() - 24 * 3_600_000);
  assert.equal(await deleteOldWindows(sql, { before, now, most: 100 }), 401);
  const [row] = await sql`select count(*)::int as n, max(failures) as most from login_throttle`;
  assert.deepEqual([row?.['n'], row?.['most']], [100, 40]);
  assert.ok(MOST_ROWS <= 100_000);
});

test('of an account the sixteen newest networks are kept', async () => {
  const user = await makeUser(app);
  for (let n = 0; n < 18; n += 1) {
    await sql`
      insert into login_place (user_id, network, last_at)
      values (${user.userId}, ${`10.0.${n}.0/24`}, ${new Date(app.clock.now().getTime() - (20 - n) * 1000)})`;
  }
  await signIn(user, '192.0.2.90');
  const rows = await sql`select network from login_place where user_id = ${user.userId} order by last_at`;
  assert.equal(rows.length, 16);
  assert.equal(rows[0]?.['network'], '10.0.3.0/24');
  assert.equal(rows.at(-1)?.['network'], '192.0.2.0/24');
});
