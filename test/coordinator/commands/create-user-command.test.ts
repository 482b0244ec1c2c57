import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { call } from '../../support/client.ts';
import { run } from '../../support/run-program.ts';

const app = await testApp({ after });
const environment = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.platform.config.dataDir };
const create = (options: string[], stdin?: string, more: Record<string, string> = {}) =>
  run(['user', 'create', ...options], { ...environment, ...more }, stdin);
const canLogIn = async (email: string, password: string) =>
  (await call(app, 'POST', '/api/user/login', { body: { email, password } })).status === 200;

test('user create makes user and company, and the password given by stdin, environment or option works', async () => {
  const byStdin = await create(
    ['--email', 'a@example.com', '--company', 'Acme', '--tier', 'plus', '--password-stdin'],
    'from standard input\n',
  );
  assert.deepEqual([byStdin.code, byStdin.stderr], [0, '']);
  assert.match(byStdin.stdout, /^user \d{19} a@example\.com of Acme\n$/);
  assert(await canLogIn('a@example.com', 'from standard input'));

  await create(['--email', 'b@example.com', '--company', 'acme'], '', {
    GPUMARK_USER_PASSWORD: 'from the environment',
  });
  assert(await canLogIn('b@example.com', 'from the environment'));
  await create([
    '--email',
    'c@example.com',
    '--company',
    'ACME',
    '--role',
    'customer_admin',
    '--password',
    'from the option',
  ]);
  assert(await canLogIn('c@example.com', 'from the option'));

  const rows = await app.platform.sql`
    select c.name, s.tier, count(*)::int as users from customer c join user_account u on u.customer_id = c.id
      join subscription s on s.customer_id = c.id
    group by c.name, s.tier`;
  assert.deepEqual([...rows], [{ name: 'Acme', tier: 'plus', users: 3 }]);
});

test('without a password one is made, printed once and good', async () => {
  const { stdout } = await create(['--email', 'd@example.com', '--company', 'Acme']);
  const password = /^one-time password: (\S{24})$/m.exec(stdout)?.[1] ?? '';
  assert(await canLogIn('d@example.com', password));
});

test('1: a known address, another tier for a known company and bad values are each a clear sentence', async () => {
  const sentence = async (options: string[], stdin = '') => {
    const { code, stderr } = await create(options, stdin);
    return [code, stderr.trim()];
  };
  assert.deepEqual(await sentence(['--email', 'A@EXAMPLE.com', '--company', 'Acme']), [
    1,
    'A user with the e-mail address A@EXAMPLE.com exists.',
  ]);
  assert.deepEqual(await sentence(['--email', 'e@example.com', '--company', 'Acme', '--tier', 'basic']), [
    1,
    'The company Acme has the tier plus. Omit the tier, or give this one.',
  ]);
  assert.deepEqual(await sentence(['--email', 'nonsense', '--company', 'Acme']), [
    1,
    '--email: value is not a valid email address',
  ]);
  assert.deepEqual(await sentence(['--email', 'e@example.com', '--company', 'Acme', '--password-stdin'], 'short\n'), [
    1,
    'password must have at least 8 characters',
  ]);
});

test('2: wrong usage says what is missing', async () => {
  const missing = await create(['--email', 'e@example.com']);
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /--company/);
  const role = await create(['--email', 'e@example.com', '--company', 'Acme', '--role', 'king']);
  assert.equal(role.code, 2);
  assert.match(role.stderr, /user, customer_admin, staff, root_admin/);
});

test('--help of every command goes to standard output with exit code 0', async () => {
  for (const argv of [
    ['--help'],
    ['serve', '--help'],
    ['migrate', '--help'],
    ['user', '--help'],
    ['user', 'create', '--help'],
    ['key', 'rotate', '--help'],
  ]) {
    const { code, stdout } = await run(argv, {});
    assert.equal(code, 0, argv.join(' '));
    assert.match(stdout, /^Usage: coordinator/);
  }
});

test('key rotate begins the next key while the app runs, and both old and new logins work', async () => {
  const login = () =>
    call(app, 'POST', '/api/user/login', { body: { email: 'a@example.com', password: 'from standard input' } });
  const tokenOf = ({ body }: Awaited<ReturnType<typeof login>>) => String(Object(Object(body)['data'])['id_token']);
  const before = tokenOf(await login());
  const { stdout } = await run(['key', 'rotate', 'login'], environment);
  assert.match(stdout, /^login-[0-9a-f]{16} signs login tokens from now on\n$/);
  const next = tokenOf(await login());
  for (const token of [before, next]) {
    const me = await call(app, 'GET', '/api/user/me', { headers: { authorization: `Bearer ${token}` } });
    assert.equal(me.status, 200);
  }
});
