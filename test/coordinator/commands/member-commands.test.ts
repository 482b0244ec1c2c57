import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ensureFirstAdmin } from '../../../coordinator/accounts/ensure-first-admin.ts';
import { heedRevocations } from '../../../coordinator/accounts/credential-caches.ts';
import { testApp } from '../../support/app.ts';
import { actionsOn, auditLines } from '../../support/audit-lines.ts';
import { call, makeUser } from '../../support/client.ts';
import { mailServer } from '../../support/mail-server.ts';
import { run } from '../../support/run-program.ts';

const app = await testApp({ after });
const environment = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.platform.config.dataDir };
const command = (argv: string[], more: Record<string, string> = {}) =>
  run(['user', ...argv], { ...environment, ...more });
const look = heedRevocations(app.context);
const tokenIn = (text: string) => /reset\/(gmp_\w{38})$/m.exec(text)?.[1];
const reset = async (token: string | undefined, password: string) =>
  (await call(app, 'POST', '/api/user/password/reset', { body: { token, password } })).status;
const logIn = async (email: string, password: string) =>
  (await call(app, 'POST', '/api/user/login', { body: { email, password } })).status;

test('user role gives a role, the audit log has what gave it, and the last root_admin keeps its own', async () => {
  const user = await makeUser(app, { company: 'Acme' });
  const { code, stdout, stderr } = await command(['role', '--email', user.email.toUpperCase(), '--role', 'root_admin']);
  assert.deepEqual([code, stdout, stderr], [0, `${user.email} of Acme is root_admin\n`, '']);
  const [line] = (await auditLines(app, user.email)).slice(1);
  assert.deepEqual([line?.actor_kind, line?.detail], ['system', { from: 'user', to: 'root_admin' }]);
  for (const argv of [['role', '--role', 'user'], ['disable']]) {
    const refused = await command([...argv, '--email', user.email]);
    const sentence = `${user.email} is the last root_admin of the service. Make another one first.\n`;
    assert.deepEqual([refused.code, refused.stderr], [1, sentence]);
  }
  assert.equal((await command(['role', '--email', user.email])).code, 2);
  const king = await command(['role', '--email', user.email, '--role', 'king']);
  assert.deepEqual([king.code, /user, customer_admin, staff, root_admin/.test(king.stderr)], [2, true]);
  const unknown = await command(['role', '--email', 'nobody@example.com', '--role', 'user']);
  assert.deepEqual(
    [unknown.code, unknown.stderr],
    [1, 'A user with the e-mail address nobody@example.com not found\n'],
  );
});

test('user add-member prints a link that sets the first password, or mails it', async (t) => {
  await makeUser(app, { company: 'Acme' });
  const add = (email: string, more = {}) => command(['add-member', '--email', email, '--company', 'ACME'], more);
  const { code, stdout } = await add('printed@example.com', { PUBLIC_URL: 'https://gpumark.example/' });
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^user \d{19} printed@example\.com of ACME\npassword link, good once for 7 days: https:\/\/gpumark\.example\/reset\/gmp_\w{38}\n$/,
  );
  assert.equal(await logIn('printed@example.com', ''), 422);
  assert.equal(await reset(tokenIn(stdout), 'the first of theirs'), 200);
  assert.equal(await logIn('printed@example.com', 'the first of theirs'), 200);
  const mail = await mailServer(t);
  const mailed = await add('mailed@example.com', { SMTP_URL: mail.url, MAIL_FROM: 'noreply@gpumark.test' });
  assert.match(mailed.stdout, /^user \d{19} mailed@example\.com of ACME\nthe link is on its way by mail\n$/);
  assert.deepEqual(mail.mails[0]?.to, ['mailed@example.com']);
  const again = await add('printed@example.com');
  assert.deepEqual([again.code, again.stderr], [1, 'A user with the e-mail address printed@example.com exists.\n']);
  const nowhere = await command(['add-member', '--email', 'x@example.com', '--company', 'Nowhere']);
  assert.deepEqual([nowhere.code, nowhere.stderr], [1, 'The company Nowhere not found\n']);
});

test('user reset-link prints a link of one hour that ends the sessions; none for a disabled or unknown user', async () => {
  const user = await makeUser(app);
  const link = () => command(['reset-link', '--email', user.email]);
  const { stdout } = await link();
  assert.match(
    stdout,
    new RegExp(`^password link of ${user.email}, good once for one hour: http://localhost:8080/reset/`),
  );
  const second = tokenIn((await link()).stdout);
  assert.equal(await reset(tokenIn(stdout), 'set by the operator'), 200);
  assert.equal(await reset(second, 'set once more'), 422);
  await look();
  assert.equal((await call(app, 'GET', '/api/user/me', { headers: user.authorization })).status, 401);
  assert.equal(await logIn(user.email, 'set by the operator'), 200);
  const third = tokenIn((await link()).stdout);
  assert.equal((await command(['disable', '--email', user.email])).code, 0);
  assert.equal(await reset(third, 'set although disabled'), 422);
  const disabled = await link();
  assert.deepEqual([disabled.code, disabled.stderr], [1, `${user.email} is disabled. Enable the user first.\n`]);
  assert.equal((await command(['reset-link', '--email', 'nobody@example.com'])).code, 1);
});

test('every command on users writes what it did', async () => {
  const email = 'written@example.com';
  const password = ['--password', 'a fine password'];
  assert.equal((await command(['create', '--email', email, '--company', 'Acme', ...password])).code, 0);
  for (const argv of [['disable'], ['enable'], ['password', ...password], ['end-sessions'], ['reset-link']])
    assert.equal((await command([...argv, '--email', email])).code, 0, argv.join(' '));
  assert.deepEqual(await actionsOn(app, email), [
    'user_created',
    'user_disabled',
    'user_enabled',
    'password_changed',
    'sessions_ended',
    'password_link_sent',
  ]);
  const { stdout } = await run(['key', 'rotate', 'login', '--now'], environment);
  const [line] = await auditLines(app, stdout.split(' ')[0] ?? '');
  assert.deepEqual(
    [line?.action, line?.customer_id, line?.detail],
    ['signing_key_rotated', null, { purpose: 'login', at_once: true }],
  );
});

test('1: a common password, the address and the company are refused by user create and user password', async () => {
  const user = await makeUser(app, { company: 'Analytical Engines' });
  const say = async (argv: string[], password: string) => {
    const { code, stderr } = await command([...argv, '--password', password]);
    return `${code} ${stderr.trim()}`;
  };
  const create = ['create', '--email', 'new.person@example.com', '--company', 'Analytical Engines'];
  const set = ['password', '--email', user.email];
  const common = '1 password is one of the most common passwords, which are guessed first; choose a longer one';
  const own = '1 password must not be the e-mail address or the company; choose other words';
  for (const argv of [create, set]) {
    assert.equal(await say(argv, 'Password1'), common);
    assert.equal(await say(argv, 'analytical engines'), own);
  }
  assert.deepEqual([await say(create, 'new.person'), await say(set, user.email)], [own, own]);
  assert.equal(await say(set, 'x'.repeat(1025)), '1 password must have at most 1024 characters');
  assert.equal(await logIn(user.email, user.password), 200);
});

test('a first administrator does not begin with a common password', async (t) => {
  const empty = await testApp(t);
  const first = (password: string) => ensureFirstAdmin(empty.context, { email: 'root@example.com', password });
  await assert.rejects(first('password1'), /^DomainError: ADMIN_PASSWORD is one of the most common passwords/);
  await assert.rejects(first('root@example.com'), /^DomainError: ADMIN_PASSWORD must not be the e-mail address/);
  assert.deepEqual(await first('a password of twelve'), { email: 'root@example.com', generatedPassword: null });
  assert.deepEqual(await actionsOn(empty, 'root@example.com'), ['user_created']);
});
