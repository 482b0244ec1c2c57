import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, test } from 'node:test';
import { heedRevocations } from '../../../../coordinator/accounts/revocation/heed-revocations.ts';
import { testApp } from '../../../support/app.ts';
import { call, makeUser, type Json, type TestUser } from '../../../support/client.ts';
import { at, textAt } from '../../jobs/node.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const { sql } = app.platform;
const user = await makeUser(app, { tier: 'plus' });
const stranger = await makeUser(app, { tier: 'plus' });
const look = heedRevocations(app.context);
await look();

const send = (method: string, name: string, body?: unknown, caller: TestUser = user) =>
  call(app, method, `/api/application/${name}`, { body, headers: caller.authorization });
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const codeOf = (body: Json) => at(body, 'meta', 'code');

let made = 0;
async function create(caller: TestUser = user) {
  const { body, status } = await send('POST', 'create', { name: `application ${(made += 1)}` }, caller);
  assert.equal(status, 200, JSON.stringify(body));
  const [id, client_id, client_secret] = ['id', 'client_id', 'client_secret'].map((key) => textAt(body, 'data', key));
  return { id, client_id, client_secret };
}
async function createWithToken(caller: TestUser = user) {
  const { id, ...client } = await create(caller);
  const { body, status } = await send('POST', 'generate-token', client, caller);
  assert.equal(status, 200, JSON.stringify(body));
  return { id, client, token: textAt(body, 'data', 'app_token'), tokenId: textAt(body, 'data', 'id'), body };
}
/** Takes all applications of the user away, so that the tier's number is free again. */
async function clear(): Promise<void> {
  await sql`delete from application`;
}

test('create 200: the record of the interface, its secret this once; info and list show neither secret nor token', async () => {
  const { status, body } = await send('POST', 'create', { name: 'ci runner', description: 'Nightly' });
  assert.equal(status, 200);
  const { client_secret, ...record } = at(body, 'data') as Record<string, string>;
  assert.deepEqual(record, {
    id: textAt(body, 'data', 'id'),
    name: 'ci runner',
    description: 'Nightly',
    client_id: record['client_id'],
    created_at: '2026-11-21T12:00:00.000Z',
    updated_at: '2026-11-21T12:00:00.000Z',
    tokens: [],
  });
  assert.match(client_secret ?? '', /^gms_[0-9A-Za-z]{38}$/);
  assert.match(record['client_id'] ?? '', /^gmc_[0-9A-Za-z]{24}$/);
  const { body: token } = await send('POST', 'generate-token', { client_id: record['client_id'], client_secret });
  const appToken = textAt(token, 'data', 'app_token');
  const info = await send('POST', 'info', { id: record['id'] });
  assert.deepEqual(at(info.body, 'data', 'tokens'), [
    {
      id: textAt(token, 'data', 'id'),
      token_prefix: appToken.slice(0, 10),
      created_at: '2026-11-21T12:00:00.000Z',
      // 90 days of 24 hours
      expires_at: '2027-02-19T12:00:00.000Z',
      revoked_at: null,
      last_used_at: null,
    },
  ]);
  const list = await send('POST', 'list', {});
  for (const answer of [info, list])
    for (const secret of [client_secret ?? '', appToken]) assert.ok(!answer.text.includes(secret));
  const stored = JSON.stringify([await sql`select * from application`, await sql`select * from application_token`]);
  assert.ok(!stored.includes(client_secret ?? '') && !stored.includes(appToken), 'only hashes are stored');
  const audited = JSON.stringify(await sql`select * from audit_event`);
  assert.ok(!audited.includes(client_secret ?? '') && !audited.includes(appToken));
  await clear();
});

test('an application token opens data and jobs, says what it is, and opens neither user nor application endpoints', async () => {
  const { id, client, token, tokenId } = await createWithToken();
  assert.equal((await call(app, 'GET', '/api/gpu-mark/v1/jobs', bearer(token))).status, 200);
  const info = await call(app, 'GET', '/api/application/token-info', bearer(token));
  assert.deepEqual(at(info.body, 'data'), {
    application: { id, name: `application ${made}`, client_id: client.client_id },
    token: { id: tokenId, token_prefix: token.slice(0, 10) },
    customer: textAt(
      (await call(app, 'GET', '/api/user/me', { headers: user.authorization })).body,
      'data',
      'company_name',
    ),
    tier: 'plus',
    products: ['gpu-index'],
    issued_at: '2026-11-21T12:00:00.000Z',
    expires_at: '2027-02-19T12:00:00.000Z',
  });
  for (const [method, path] of [
    ['GET', '/api/user/me'],
    ['POST', '/api/application/list'],
    ['POST', '/api/application/create'],
  ] as const) {
    const body = method === 'POST' ? { body: { name: 'x' } } : {};
    assert.equal((await call(app, method, path, { ...body, ...bearer(token) })).status, 401, path);
  }
  assert.equal((await send('GET', 'token-info')).status, 401, 'a login is not an application token');
  await clear();
});

test('a wrong secret, an unknown client and the client of another company get one answer', async () => {
  const mine = await create();
  const theirs = await create(stranger);
  const answers = await Promise.all(
    [
      { client_id: mine.client_id, client_secret: theirs.client_secret },
      { client_id: 'gmc_nothing', client_secret: mine.client_secret },
      theirs,
      { client_id: mine.client_id, client_secret: 'not one' },
    ].map(({ client_id, client_secret }) => send('POST', 'generate-token', { client_id, client_secret })),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [401]);
  assert.deepEqual(
    [...new Set(answers.map(({ body }) => at(body, 'meta', 'message')))],
    ['client_id or client_secret is wrong.'],
  );
  await clear();
});

test('409 beyond what the tier has, also when all ask at once', async () => {
  // plus: 5 applications, 5 valid tokens each (migration 0012)
  const answers = await Promise.all(
    Array.from({ length: 9 }, (_, n) => send('POST', 'create', { name: `parallel ${n}` })),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 5);
  assert.ok(answers.every(({ status }) => status === 200 || status === 409));
  assert.match(answers.find(({ status }) => status === 409)?.text ?? '', /tier plus has 5 applications/);
  const [first] = answers.filter(({ status }) => status === 200);
  const [client_id, client_secret] = ['client_id', 'client_secret'].map((key) =>
    textAt(first?.body ?? null, 'data', key),
  );
  const tokens = await Promise.all(
    Array.from({ length: 8 }, () => send('POST', 'generate-token', { client_id, client_secret })),
  );
  assert.equal(tokens.filter(({ status }) => status === 200).length, 5);
  assert.match(tokens.find(({ status }) => status === 409)?.text ?? '', /Revoke one first/);
  await clear();
});

test('an application with a valid token is not deleted; the token is revoked everywhere at the next look, and then it is', async () => {
  const { id, token, tokenId } = await createWithToken();
  assert.equal((await call(app, 'GET', '/api/gpu-mark/v1/jobs', bearer(token))).status, 200);
  const refused = await send('DELETE', 'delete', { id });
  assert.deepEqual([refused.status, codeOf(refused.body)], [409, 409]);
  assert.match(refused.text, /has 1 valid token\. Revoke it first/);
  const revoked = await send('DELETE', 'token', { id: tokenId });
  assert.deepEqual([revoked.status, at(revoked.body, 'data', 'revoked_at')], [200, app.clock.now().toISOString()]);
  await look();
  assert.equal((await call(app, 'GET', '/api/gpu-mark/v1/jobs', bearer(token))).status, 401);
  const again = await send('DELETE', 'token', { id: tokenId });
  assert.deepEqual([again.status, at(again.body, 'data')], [200, at(revoked.body, 'data')]);
  assert.deepEqual(at((await send('DELETE', 'delete', { id })).body, 'data'), { id, deleted: true });
  assert.equal((await send('POST', 'info', { id })).status, 404);
  await clear();
});

test('update: by id name and description, by name the description; nothing else, and no name twice', async () => {
  const { id } = await create();
  const other = await create();
  const renamed = await send('POST', 'update', { id, name: 'renamed', description: 'd' });
  assert.deepEqual([at(renamed.body, 'data', 'name'), at(renamed.body, 'data', 'description')], ['renamed', 'd']);
  const described = await send('POST', 'update', { name: 'Renamed', description: 'e' });
  assert.deepEqual([at(described.body, 'data', 'id'), at(described.body, 'data', 'description')], [id, 'e']);
  assert.equal((await send('POST', 'update', { id: other.id, name: 'RENAMED' })).status, 409);
  assert.equal((await send('POST', 'create', { name: 'renaMED' })).status, 409);
  for (const [body, field] of [
    [{ id }, 'description'],
    [{ description: 'x' }, 'id'],
    [{ name: 'renamed' }, 'description'],
    [{ id, name: 'x', client_id: 'gmc_other' }, 'client_id'],
    [{ id, name: 'x', client_secret: 'gms_other' }, 'client_secret'],
  ] as const) {
    const answer = await send('POST', 'update', body);
    assert.equal(answer.status, 422, JSON.stringify(body));
    assert.deepEqual(at(answer.body, 'detail', 0, 'loc'), ['body', field]);
  }
  await clear();
});

test('info by GET with a body, over a socket', async () => {
  const { id } = await create();
  const { port } = await app.listen();
  const body = JSON.stringify({ id });
  const answer = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const headers = { ...user.authorization, 'content-type': 'application/json', 'content-length': body.length };
    const path = '/api/application/info';
    request({ port, host: '127.0.0.1', method: 'GET', path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode, text }));
    })
      .on('error', reject)
      .end(body);
  });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(at(JSON.parse(answer.text) as Json, 'data', 'id'), id);
  await clear();
});

test('another company sees, changes, deletes and revokes nothing, by id or by name; staff see it by id', async () => {
  const { id, tokenId } = await createWithToken();
  const name = `application ${made}`;
  for (const [method, operation, body] of [
    ['POST', 'info', { id }],
    ['POST', 'info', { name }],
    ['POST', 'update', { id, name: 'taken' }],
    ['POST', 'update', { name, description: 'taken' }],
    ['DELETE', 'delete', { id }],
    ['DELETE', 'delete', { name }],
    ['DELETE', 'token', { id: tokenId }],
  ] as const)
    assert.equal((await send(method, operation, body, stranger)).status, 404, `${operation} ${JSON.stringify(body)}`);
  const listed = await send('POST', 'list', { filter: [{ name: 'application' }] }, stranger);
  assert.equal(at(listed.body, 'data', 'total'), 0);
  const staff = await makeUser(app, { role: 'staff' });
  assert.equal((await send('POST', 'info', { id }, staff)).status, 200);
  assert.equal((await send('POST', 'info', { name }, staff)).status, 404, 'a name is one of the own company');
  await clear();
});

test('34001 without an active subscription, from its end on; staff need none', async () => {
  const poor = await makeUser(app, { tier: 'plus' });
  await sql`update subscription set ends_at = ${new Date(app.clock.now().getTime() + 60_000)} where customer_id = ${poor.customerId}`;
  const { token } = await createWithToken(poor);
  app.clock.advance({ seconds: 61 });
  for (const [method, operation] of [
    ['POST', 'create'],
    ['POST', 'list'],
    ['POST', 'generate-token'],
    ['DELETE', 'delete'],
  ] as const) {
    const { status, body } = await send(method, operation, {}, poor);
    assert.deepEqual([status, codeOf(body)], [403, 34001], operation);
  }
  const info = await call(app, 'GET', '/api/application/token-info', bearer(token));
  assert.deepEqual([info.status, codeOf(info.body)], [403, 34001]);
  assert.equal((await call(app, 'GET', '/api/gpu-mark/v1/jobs', bearer(token))).status, 200, 'data stays readable');
  const staff = await makeUser(app, { role: 'staff' });
  await sql`delete from subscription where customer_id = ${staff.customerId}`;
  assert.equal((await send('POST', 'list', {}, staff)).status, 200);
  await clear();
});

test('list: filtered by parts, ordered, paged; an absent body lists all', async () => {
  for (const name of ['beta', 'alpha', 'gamma']) await send('POST', 'create', { name, description: `the ${name} one` });
  const names = async (body?: unknown) => {
    const answer = await send('POST', 'list', body);
    assert.equal(answer.status, 200, answer.text);
    return (at(answer.body, 'data', 'results') as Json[]).map((entry) => at(entry, 'name'));
  };
  assert.deepEqual(await names(), ['gamma', 'alpha', 'beta'], 'newest first');
  assert.deepEqual(await names({ order_by: [{ name: 'asc' }] }), ['alpha', 'beta', 'gamma']);
  assert.deepEqual(await names({ filter: [{ name: 'BET' }] }), ['beta']);
  assert.deepEqual(await names({ filter: [{ description: 'the' }, { name: 'mm' }] }), ['gamma']);
  const page = { num_per_page: 2, page_num: 2 };
  assert.deepEqual(await names({ order_by: [{ name: 'desc' }], paginate: page }), ['alpha']);
  for (const body of [
    { filter: [{ secret_hash: 'x' }] },
    { filter: [{ id: 'x' }] },
    { order_by: [{ client_secret: 'asc' }] },
  ])
    assert.equal((await send('POST', 'list', body)).status, 422, JSON.stringify(body));
  await clear();
});

test('texts at their limits: 1 to 60 and 1 to 512 characters, counted as characters', async () => {
  const outcome = async (body: unknown) => (await send('POST', 'create', body)).status;
  for (const [name, description, status] of [
    ['n', 'd', 200],
    ['😀'.repeat(60), '😀'.repeat(512), 200],
    ['', undefined, 422],
    ['n'.repeat(61), undefined, 422],
    ['😀'.repeat(61), undefined, 422],
    ['described', '', 422],
    ['described', 'd'.repeat(513), 422],
    ['nul \0', undefined, 422],
    ['lone \ud800', undefined, 422],
    ['lone', 'lone \udfff', 422],
    [null, undefined, 422],
    [7, undefined, 422],
  ] as const)
    assert.equal(
      await outcome({ name, ...(description !== undefined && { description }) }),
      status,
      String(name).slice(0, 9),
    );
  await clear();
});

// Last: the clock passes the sessions' end.
test('a token is refused from its expiry on, and with one character changed', async () => {
  const { token } = await createWithToken();
  const jobs = () => call(app, 'GET', '/api/gpu-mark/v1/jobs', bearer(token));
  app.clock.advance({ hours: 90 * 24 - 1 });
  assert.equal((await jobs()).status, 200);
  app.clock.advance({ hours: 1 });
  assert.match((await jobs()).text, /application token has expired/);
  const changed = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
  assert.match((await call(app, 'GET', '/api/gpu-mark/v1/jobs', bearer(changed))).text, /check digits are wrong/);
  await clear();
});
