import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { programUses } from '../../../coordinator/accounts/programs/record-use.ts';
import { heedRevocations } from '../../../coordinator/accounts/credential-caches.ts';
import { testApp } from '../../support/app.ts';
import { call, makeUser, type TestUser } from '../../support/client.ts';
import { run } from '../../support/run-program.ts';
import { at } from '../jobs/node.ts';

// Commands have the real clock, so the app has it too.
const app = await testApp({ after });
const { sql } = app.platform;
const environment = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.platform.config.dataDir };
const command = (...argv: string[]) => run(argv, environment);
const look = heedRevocations(app.context);
await look();
const ofUser = ({ authorization }: TestUser) => ({ headers: authorization });
const indexCode = async (user: TestUser) => {
  const body = { gpu: 'nvidia-h100-sxm-80gb' };
  const answer = await call(app, 'POST', '/api/gpu-index/index', { body, ...ofUser(user) });
  return at(answer.body, 'meta', 'code');
};
const listCode = async (user: TestUser) => {
  const answer = await call(app, 'POST', '/api/application/list', { body: {}, ...ofUser(user) });
  return at(answer.body, 'meta', 'code');
};
const companyOf = async ({ customerId }: TestUser) => {
  const [row] = await sql<{ name: string }[]>`select name from customer where id = ${customerId}`;
  return row?.name ?? '';
};
const actions = async (customerId: string | null) => {
  const rows = await sql<{ action: string }[]>`
    select action from audit_event where customer_id is not distinct from ${customerId}::int8`;
  // The commands' clock is not the app's, so their order says nothing.
  return rows
    .map(({ action }) => action)
    .filter((action) => action !== 'user_created')
    .toSorted();
};
/** What the market answers for a product that is not in its empty catalogue: the gate was passed. */
const PASSED = 422;

test('a subscription opens its products from its start to its end, and running processes know with the next look', async () => {
  const user = await makeUser(app, { tier: 'basic' });
  const company = await companyOf(user);
  assert.deepEqual([await indexCode(user), await listCode(user)], [34004, 0]);
  const added = await command('subscription', 'add', '--company', company, '--tier', 'plus');
  assert.equal(added.code, 0, added.stderr);
  await look();
  const passed = await call(app, 'POST', '/api/gpu-index/index', { body: { gpu: 'none' }, ...ofUser(user) });
  assert.equal(passed.status, PASSED);
  for (const [, id = ''] of (await command('subscription', 'list', '--company', company)).stdout.matchAll(/^(\d+)/gm))
    assert.equal((await command('subscription', 'end', '--company', company, '--id', id)).code, 0);
  await look();
  assert.deepEqual([await indexCode(user), await listCode(user)], [34004, 34001], 'none is left');
  const reading = await call(app, 'GET', '/api/gpu-mark/v1/jobs', ofUser(user));
  assert.equal(reading.status, 200, 'data stays readable');
  const wrong = await command(
    'subscription',
    'add',
    '--company',
    company,
    '--tier',
    'plus',
    '--starts',
    '2026-02-01',
    '--ends',
    '2026-02-01',
  );
  assert.deepEqual([wrong.code, wrong.stderr], [1, 'ends must be after the start\n']);
  assert.deepEqual(await actions(user.customerId), ['subscription_added', 'subscription_ended', 'subscription_ended']);
});

test('tier set changes what every customer of the tier has, and the table says so', async () => {
  const user = await makeUser(app, { tier: 'basic' });
  assert.equal(await indexCode(user), 34004);
  const set = await command(
    'tier',
    'set',
    'basic',
    '--products',
    'gpu-index',
    '--applications',
    '7',
    '--archive-tiers',
    'none',
  );
  assert.equal(set.code, 0, set.stderr);
  await look();
  assert.equal(await indexCode(user), PASSED);
  const { stdout } = await command('tier', 'list');
  assert.match(stdout, /^ +basic +plus +professional +enterprise\n/);
  assert.match(
    stdout,
    /^products +gpu-index +gpu-index,gpu-forward,price-iq +gpu-index,token-index,price-evidence,gpu-forward,price-iq +gpu-index,token-index,token-prices,/m,
  );
  assert.match(stdout, /^applications +7 +5 +20 +100$/m);
  assert.match(stdout, /^archive_tiers +none +2,3/m);
  assert.deepEqual(await actions(null), ['tier_changed']);
  const back = await command(
    'tier',
    'set',
    'basic',
    '--products',
    'none',
    '--applications',
    '2',
    '--archive-tiers',
    '2,3',
  );
  assert.equal(back.code, 0);
  await look();
  assert.equal(await indexCode(user), 34004);
  for (const [argv, message] of [
    [['tier', 'set', 'basic'], /Name what to change/],
    [['tier', 'set', 'basic', '--applications', 'many'], /--applications: /],
    [['tier', 'set', 'basic', '--products', 'gold'], /--products: /],
    [['tier', 'set', 'basic', '--burst', '0'], /--burst: /],
  ] as const) {
    const { code, stderr } = await command(...argv);
    assert.equal(code, 1);
    assert.match(stderr, message);
  }
});

test('customer set gives one company something else, while it has a subscription, and takes it back', async () => {
  const [user, other] = [await makeUser(app, { tier: 'basic' }), await makeUser(app, { tier: 'basic' })];
  const company = await companyOf(user);
  const set = await command(
    'customer',
    'set',
    '--company',
    company,
    '--products',
    'gpu-index',
    '--token-index-tokens',
    'expenditure',
    '--token-index-from',
    '2026-01-01',
  );
  assert.equal(set.code, 0, set.stderr);
  await look();
  assert.deepEqual([await indexCode(user), await indexCode(other)], [PASSED, 34004]);
  const { stdout } = await command('customer', 'show', '--company', company);
  assert.match(stdout, /^subscription +basic\n/);
  assert.match(stdout, /^token_index_tokens +expenditure$/m);
  assert.match(stdout, /^token_index_from +2026-01-01$/m);
  assert.match(stdout, /^token_index_to +all$/m);
  await command('customer', 'set', '--company', company, '--clear', 'products');
  await look();
  assert.equal(await indexCode(user), 34004);
  assert.match((await command('customer', 'list')).stdout, new RegExp(`^${company} +basic +1 `, 'm'));
  assert.match((await command('customer', 'show', '--company', 'Nobody')).stderr, /A company Nobody not found/);
});

test('API keys: a name, two live keys under it, each shown once; the key opens data until it is deleted', async (t) => {
  const user = await makeUser(app, { tier: 'professional' });
  const company = await companyOf(user);
  const folder = await mkdtemp(join(tmpdir(), 'gpumark-key-'));
  t.after(() => rm(folder, { recursive: true }));
  const key = (...argv: string[]) => command('api-key', ...argv, '--company', company);
  assert.match((await key('create', '--name', 'dashboards')).stderr, /A key name dashboards not found/);
  assert.equal((await key('add-name', '--name', 'dashboards', '--description', 'Grafana')).code, 0);
  assert.match((await key('add-name', '--name', 'Dashboards', '--description', 'x')).stderr, /exists/);
  const out = join(folder, 'key');
  const made = await key('create', '--name', 'dashboards', '--out', out);
  assert.equal(made.code, 0, made.stderr);
  const text = (await readFile(out, 'utf8')).trim();
  assert.match(text, /^gmk_[0-9A-Za-z]{38}$/);
  assert.equal((await stat(out)).mode & 0o777, 0o600);
  assert.ok(!made.stdout.includes(text));
  assert.notEqual((await key('create', '--name', 'dashboards', '--out', out)).code, 0, 'never over a file');
  const second = await key('create', '--name', 'dashboards');
  assert.match(second.stdout, /gmk_[0-9A-Za-z]{38}\n$/);
  assert.match((await key('create', '--name', 'dashboards')).stderr, /The name dashboards already has two live keys/);
  const jobs = (token: string) =>
    call(app, 'GET', '/api/gpu-mark/v1/jobs', { headers: { authorization: `Bearer ${token}` } });
  assert.equal((await jobs(text)).status, 200);
  await programUses(app.platform).write(app.context);
  const listed = (await key('list')).stdout;
  const [, id = ''] = new RegExp(`(\\d+) +${text.slice(0, 10)}`).exec(listed) ?? [];
  // A year of 365 days, and the day of the first use.
  const [today, inAYear] = [0, 365].map((days) =>
    new Date(app.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10),
  );
  assert.match(listed, new RegExp(`${id} +${text.slice(0, 10)} +${inAYear} +${today}$`, 'm'));
  assert.match((await key('delete-name', '--name', 'dashboards')).stderr, /The name dashboards still has keys/);
  assert.equal((await key('delete', '--id', id)).code, 0);
  await look();
  assert.equal((await jobs(text)).status, 401);
  const [, other = ''] = /^dashboards +(\d+)/m.exec((await key('list')).stdout) ?? [];
  assert.equal((await key('delete', '--id', other)).code, 0);
  assert.equal((await key('delete-name', '--name', 'dashboards')).code, 0);
  assert.deepEqual(await actions(user.customerId), [
    'api_key_created',
    'api_key_created',
    'api_key_deleted',
    'api_key_deleted',
    'api_key_first_used',
    'api_key_name_created',
    'api_key_name_deleted',
  ]);
  const everything = JSON.stringify([await sql`select * from api_key`, await sql`select * from audit_event`]);
  assert.ok(!everything.includes(text));
});

test('a tier without API keys gets neither name nor key, and another company reaches neither', async () => {
  const [basic, plus] = [await makeUser(app, { tier: 'basic' }), await makeUser(app, { tier: 'plus' })];
  const [poor, rich] = [await companyOf(basic), await companyOf(plus)];
  const refused = await command('api-key', 'add-name', '--company', poor, '--name', 'x', '--description', 'x');
  assert.match(refused.stderr, /The tier basic does not include API keys/);
  await command('api-key', 'add-name', '--company', rich, '--name', 'x', '--description', 'x');
  const made = await command('api-key', 'create', '--company', rich, '--name', 'x');
  const [, id = ''] = /^key (\d+)/.exec(made.stdout) ?? [];
  assert.match((await command('api-key', 'delete', '--company', poor, '--id', id)).stderr, /The key not found/);
  assert.match(
    (await command('api-key', 'create', '--company', poor, '--name', 'x')).stderr,
    /does not include API keys/,
  );
});
