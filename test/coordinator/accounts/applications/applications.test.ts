import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, test } from 'node:test';
import { testApp } from '../../../support/app.ts';
import { makeUser, type Json } from '../../../support/client.ts';
import { at, textAt } from '../../jobs/node.ts';
import { applicationClient } from './application-client.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const { sql } = app.platform;
const user = await makeUser(app, { tier: 'plus' });
const { send, create, clear } = applicationClient(app, user);

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
    owner: user.email,
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

test('409 beyond what the tier has, also when all ask at once', async () => {
  // plus: 5 applications, 5 valid tokens each (migration 0012)
  const answers = await Promise.all(
    Array.from({ length: 9 }, (_, n) => send('POST', 'create', { name: `parallel ${n}` })),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 5);
  assert.ok(answers.every(({ status }) => status === 200 || status === 409));
  assert.match(answers.find(({ status }) => status === 409)?.text ?? '', /tier plus allows 5 applications/);
  const first = answers.find(({ status }) => status === 200);
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
  // a repeated key: any of its values; different keys: all
  const either = new Set(await names({ filter: [{ name: 'bet' }, { name: 'mm' }] }));
  assert.deepEqual(either, new Set(['beta', 'gamma']));
  assert.deepEqual(await names({ filter: [{ name: 'bet' }, { name: 'mm' }, { description: 'nowhere' }] }), []);
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
