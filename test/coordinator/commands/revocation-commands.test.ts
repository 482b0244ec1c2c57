import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { heedRevocations } from '../../../coordinator/accounts/credential-caches.ts';
import { testApp } from '../../support/app.ts';
import { call, makeUser, type TestUser } from '../../support/client.ts';
import { run } from '../../support/run-program.ts';
import { makeJob, Node } from '../jobs/node.ts';

// The clock stands still, so nothing that is remembered ages: what changes, changes by the look alone.
const app = await testApp({ after }, { now: new Date() });
const environment = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.platform.config.dataDir };
const command = (argv: string[], stdin = '') => run(argv, environment, stdin);
const look = heedRevocations(app.context);
const me = async (user: Pick<TestUser, 'authorization'>) =>
  (await call(app, 'GET', '/api/user/me', { headers: user.authorization })).status;
const logIn = async (email: string, password: string) =>
  (await call(app, 'POST', '/api/user/login', { body: { email, password } })).status;

test('user disable ends the sessions with the next look and refuses the password; user enable lets in, not the old sessions', async () => {
  const [user, other] = [await makeUser(app), await makeUser(app)];
  assert.deepEqual([await me(user), await me(other)], [200, 200]);
  const { code, stdout } = await command(['user', 'disable', '--email', user.email.toUpperCase()]);
  assert.equal(code, 0);
  assert.match(stdout, new RegExp(`^${user.email} of Company \\d+ is disabled; the sessions have ended\\n$`));
  await look();
  assert.deepEqual([await me(user), await me(other)], [401, 200]);
  assert.equal(await logIn(user.email, user.password), 401);
  assert.equal((await command(['user', 'enable', '--email', user.email])).code, 0);
  await look();
  assert.equal(await me(user), 401);
  assert.equal(await logIn(user.email, user.password), 200);
});

test('user password sets it from standard input, environment or its own making, and ends the sessions', async () => {
  const user = await makeUser(app);
  assert.equal(await me(user), 200);
  const typed = await command(['user', 'password', '--email', user.email, '--password-stdin'], 'from standard input\n');
  assert.deepEqual([typed.code, typed.stderr], [0, '']);
  assert.ok(!typed.stdout.includes('from standard input'));
  await look();
  assert.equal(await me(user), 401);
  assert.deepEqual(
    [await logIn(user.email, user.password), await logIn(user.email, 'from standard input')],
    [401, 200],
  );
  const { stdout } = await command(['user', 'password', '--email', user.email]);
  const made = /^one-time password: (\S{24})$/m.exec(stdout)?.[1] ?? '';
  assert.deepEqual([await logIn(user.email, 'from standard input'), await logIn(user.email, made)], [401, 200]);
  const short = await command(['user', 'password', '--email', user.email, '--password-stdin'], 'short');
  assert.deepEqual([short.code, short.stderr], [1, 'password must have at least 8 characters\n']);
});

test('user end-sessions ends sessions and forgets devices and networks, and the password stays', async () => {
  const user = await makeUser(app);
  assert.equal(await logIn(user.email, user.password), 200);
  const places = () => app.platform.sql`select from login_place where user_id = ${user.userId}`;
  assert.equal((await places()).count, 1);
  assert.equal((await command(['user', 'end-sessions', '--email', user.email])).code, 0);
  assert.equal((await places()).count, 0);
  await look();
  assert.equal(await me(user), 401);
  assert.equal(await logIn(user.email, user.password), 200);
});

test('user list shows everybody with company, role, tier and whether disabled', async () => {
  const user = await makeUser(app, { company: 'Aardvark', tier: 'plus', role: 'customer_admin' });
  await command(['user', 'disable', '--email', user.email]);
  const { stdout } = await command(['user', 'list']);
  const line = stdout.split('\n').find((one) => one.includes(user.email)) ?? '';
  assert.match(line, /^Aardvark +person\d+@example\.com +customer_admin +plus +\d{4}-\d\d-\d\d +disabled since \d{4}-/);
  assert.match(stdout, /^company +e-mail +role +tier +since/);
});

test('1: an unknown user is a clear sentence; 2: a missing address is wrong usage', async () => {
  for (const name of ['disable', 'enable', 'password', 'end-sessions']) {
    const unknown = await command(['user', name, '--email', 'nobody@example.com']);
    assert.deepEqual(
      [unknown.code, unknown.stderr],
      [1, 'A user with the e-mail address nobody@example.com not found\n'],
    );
    assert.equal((await command(['user', name])).code, 2);
  }
});

test('key rotate login --now ends every session with the next look, those of keys retired before too', async () => {
  const first = await makeUser(app);
  await command(['key', 'rotate', 'login']);
  const second = await makeUser(app);
  await look();
  assert.deepEqual([await me(first), await me(second)], [200, 200]);
  const { code, stdout } = await command(['key', 'rotate', 'login', '--now']);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^login-[0-9a-f]{16} signs login tokens from now on; what older keys signed is refused within half a second\n$/,
  );
  await look();
  assert.deepEqual([await me(first), await me(second)], [401, 401]);
  assert.equal(await logIn(first.email, first.password), 200);
});

test('key rotate job --now says what running jobs lose and changes nothing without --yes; with it their tokens are refused', async () => {
  const user = await makeUser(app);
  const [running, waiting] = [await makeJob(app, user), await makeJob(app, user)];
  const node = new Node(app, running);
  await node.register();
  assert.equal((await node.beat('measuring')).status, 200);
  const asked = await command(['key', 'rotate', 'job', '--now']);
  assert.equal(asked.code, 1);
  assert.match(asked.stderr, /^2 jobs are open, on 1 of them machines are at work\..*cannot be delivered.*--yes\.\n$/);
  await look();
  assert.equal((await node.beat('measuring')).status, 200);
  assert.equal((await command(['key', 'rotate', '--now'])).code, 1, 'both purposes ask too');
  assert.equal((await command(['key', 'rotate', 'job', '--now', '--yes'])).code, 0);
  await look();
  assert.equal((await node.beat('measuring')).status, 401);
  assert.equal((await new Node(app, waiting).register()).status, 401);
  const next = await makeJob(app, user);
  assert.equal((await new Node(app, next).register()).status, 200);
});

test('a database that does not answer a look is not a failure, and the look after it sees what was revoked meanwhile', async () => {
  const user = await makeUser(app);
  await look();
  assert.equal(await me(user), 200);
  let away = true;
  const answering = app.platform.sql;
  const sql = new Proxy(answering, {
    apply: (_, __, given: Parameters<typeof answering>) =>
      away ? Promise.reject(new Error('the database is away')) : answering(...given),
  });
  const looking = heedRevocations({ ...app.context, sql });
  await looking();
  await command(['user', 'end-sessions', '--email', user.email]);
  away = false;
  await look();
  await looking();
  assert.equal(await me(user), 401);
});
