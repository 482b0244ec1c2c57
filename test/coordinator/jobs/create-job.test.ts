import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp, type TestApp } from '../../support/app.ts';
import { call, makeUser, type Json, type TestUser } from '../../support/client.ts';
import { at, getJob, makeJob, textAt } from './node.ts';

const PATH = '/api/gpu-mark/v1/jobs';

const app: TestApp = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const user: TestUser = await makeUser(app);
const create = (body: unknown, headers: Record<string, string> = {}) =>
  call(app, 'POST', PATH, { body, headers: { ...user.authorization, ...headers } });

test('201 with the documented fields, quick_mark added, tags trimmed and merged', async () => {
  const answer = await create({
    name: 'rack 7',
    description: 'acceptance',
    benchmarks: ['cluster_network'],
    node_count: 3,
    tags: [' eu ', 'eu', 'h100'],
  });
  assert.equal(answer.status, 201);
  const { id, token, launch, ...rest } = answer.body as Record<string, string>;
  assert.match(id ?? '', /^\d{19}$/);
  assert.equal(token?.split('.').length, 3);
  // Each line starts the agents with the token; test/containers runs them.
  assert.deepEqual(Object.keys(launch ?? {}), ['binary', 'docker', 'slurm', 'kubernetes']);
  for (const line of Object.values(launch ?? {})) assert.ok(line.includes(token ?? ''), line);
  assert.deepEqual(rest, {
    name: 'rack 7',
    description: 'acceptance',
    node_count: 3,
    benchmarks: ['quick_mark', 'cluster_network'],
    tags: ['eu', 'h100'],
    created_at: '2026-11-21T12:00:00.000Z',
    expires_at: '2026-11-22T12:00:00.000Z',
  });
  const job = await getJob(app, user, String(id));
  assert.deepEqual(at(job, 'benchmark_sequence'), [
    { benchmark_id: 'quick_mark', config: null },
    { benchmark_id: 'cluster_network', config: null },
  ]);
  assert.deepEqual(at(job, 'benchmark_results', 'quick_mark', 'state'), 'pending');
});

test('201 without a name gives one of its own, at most 60 characters, never the same', async () => {
  const names = await Promise.all(
    Array.from({ length: 20 }, async () => textAt((await create({ benchmarks: [] })).body, 'name')),
  );
  assert.equal(new Set(names).size, 20);
  for (const name of names) assert.ok(name.length > 0 && name.length <= 60, name);
});

test('400 names what is wrong', async () => {
  const wrong: [unknown, RegExp][] = [
    [{}, /benchmarks/],
    [{ benchmarks: ['quick_mark', 'fast_mark'] }, /fast_mark.*quick_mark, cluster_network/],
    [{ benchmarks: ['quick_mark', { benchmark_id: 'quick_mark', config: null }] }, /twice/],
    [
      {
        benchmarks: [
          { benchmark_id: 'quick_mark', config: { a: 1, b: 2 } },
          { benchmark_id: 'quick_mark', config: { b: 2, a: 1 } },
        ],
      },
      /twice/,
    ],
    [{ benchmarks: [], name: 'x'.repeat(61) }, /name/],
    [{ benchmarks: [], name: '' }, /name/],
    [{ benchmarks: [], description: 'x'.repeat(513) }, /description/],
    [{ benchmarks: [], node_count: 0 }, /node_count/],
    [{ benchmarks: [], node_count: 257 }, /node_count/],
    [{ benchmarks: [], node_count: '2' }, /node_count/],
    [{ benchmarks: [], tags: Array.from({ length: 11 }, (_, n) => `t${n}`) }, /tags/],
    [{ benchmarks: [], tags: ['x'.repeat(51)] }, /tags/],
    [{ benchmarks: [], tags: ['a<b'] }, /tags/],
    [{ benchmarks: [], tags: ['   '] }, /tags/],
    [{ benchmarks: [], name: 'a\u0000b' }, /NUL/],
    [{ benchmarks: [{ benchmark_id: 'quick_mark', config: { 'k\u0000': 1 } }] }, /NUL/],
    [[], /object/],
  ];
  for (const [body, reason] of wrong) {
    const answer = await create(body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.equal(at(answer.body, 'error', 'code'), 'PARAMETER_INCORRECT_VALUE');
    assert.match(textAt(answer.body, 'error', 'message'), reason);
  }
});

test('201 for the same benchmark with another config, and 60 characters count as characters', async () => {
  const twice = [{ benchmark_id: 'quick_mark', config: { tier: 'soak' } }, 'quick_mark'];
  assert.equal((await create({ benchmarks: twice, name: '😀'.repeat(60) })).status, 201);
});

test('a number in a config is kept exactly, or refused: never infinite, never rounded', async () => {
  const send = async (number: string) => {
    const body = `{"benchmarks": [{"benchmark_id": "quick_mark", "config": {"seed": [${number}]}}]}`;
    const headers = { ...user.authorization, 'content-type': 'application/json' };
    const answer = await app.app.request(PATH, { method: 'POST', headers, body });
    return { status: answer.status, body: (await answer.json()) as Json };
  };
  for (const refused of ['1e400', '-1e400', '12345678901234567890.5', '12345678901234567890e0', '1e20']) {
    const { status, body } = await send(refused);
    assert.equal(status, 400, refused);
    assert.match(
      textAt(body, 'error', 'message'),
      /config: holds a number that cannot be kept exactly .*as text/,
      refused,
    );
  }
  for (const [number, kept] of [
    ['9007199254740991', 9007199254740991],
    ['0.1', 0.1],
    ['12345678901234567890', '12345678901234567890'],
    ['-99999999999999999999', '-99999999999999999999'],
  ] as const) {
    const { status, body } = await send(number);
    assert.equal(status, 201, number);
    const job = await getJob(app, user, textAt(body, 'id'));
    assert.deepEqual(at(job, 'benchmark_sequence', 0, 'config', 'seed'), [kept], number);
  }
});

test('401 without a credential', async () => {
  const answer = await call(app, 'POST', PATH, { body: { benchmarks: [] } });
  assert.equal(answer.status, 401);
  assert.equal(at(answer.body, 'error', 'code'), 'CLIENT_TOKEN_INVALID');
});

test('409 for a name in use by the customer; another customer may use it, and a deletion frees it', async () => {
  const first = await makeJob(app, user, { name: 'taken' });
  const again = await create({ name: 'taken', benchmarks: [] });
  assert.equal(again.status, 409);
  assert.equal(at(again.body, 'error', 'code'), 'RESOURCE_ALREADY_EXISTS');
  await makeJob(app, await makeUser(app), { name: 'taken' });
  const deleted = await call(app, 'DELETE', `${PATH}/delete`, { body: { id: first.id }, headers: user.authorization });
  assert.equal(deleted.status, 200);
  assert.equal((await create({ name: 'taken', benchmarks: [] })).status, 201);
});

test('201 twice for one Idempotency-Key, and one job', async () => {
  const headers = { 'idempotency-key': 'order-1' };
  const body = { benchmarks: [], tags: ['idem'] };
  const answers = await Promise.all(Array.from({ length: 8 }, () => create(body, headers)));
  assert.deepEqual(
    answers.map((answer) => answer.status),
    Array(8).fill(201),
  );
  assert.equal(
    new Set(answers.map((answer) => JSON.stringify(answer.body))).size,
    1,
    'the same answer, token included',
  );
  assert.equal(answers.filter((answer) => answer.headers.get('idempotency-replayed') === 'true').length, 7);
  const list = await call(app, 'GET', `${PATH}?tags=idem`, { headers: user.authorization });
  assert.equal(at(list.body, 'pagination', 'total'), 1);
});

test('409 for another body under the key; another customer has keys of its own; a day later it is forgotten', async () => {
  const headers = { 'idempotency-key': 'order-2' };
  assert.equal((await create({ benchmarks: [] }, headers)).status, 201);
  const other = await create({ benchmarks: [], node_count: 2 }, headers);
  assert.equal(other.status, 409);
  assert.equal(at(other.body, 'error', 'code'), 'IDEMPOTENCY_KEY_REUSED');
  const stranger = await makeUser(app);
  const theirs = await call(app, 'POST', PATH, {
    body: { benchmarks: [] },
    headers: { ...stranger.authorization, ...headers },
  });
  assert.equal(theirs.headers.get('idempotency-replayed'), null);
  app.clock.advance({ hours: 25 });
  user.authorization = await logInAgain(app, user);
  const later = await create({ benchmarks: [], node_count: 2 }, headers);
  assert.equal(later.status, 201);
  assert.equal(later.headers.get('idempotency-replayed'), null);
});

async function logInAgain(app: TestApp, { email, password }: TestUser): Promise<{ authorization: string }> {
  const answer = await call(app, 'POST', '/api/user/login', { body: { email, password } });
  return { authorization: `Bearer ${textAt(answer.body, 'data', 'id_token')}` };
}
