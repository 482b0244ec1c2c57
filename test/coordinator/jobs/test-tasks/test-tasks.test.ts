import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../../support/app.ts';
import { call, makeUser, type Json } from '../../../support/client.ts';
import { at, makeJob, Node, textAt } from '../node.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const user = await makeUser(app);
const send = (method: string, name: string, body: unknown) =>
  call(app, method, `/api/gpu-mark/test-task/${name}`, { body, headers: user.authorization });
const register = async (body: Record<string, unknown> = {}) => {
  const answer = await send('POST', 'register', { machine_uuid: 'm-1', ...body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};
const problemsOf = (body: Json) =>
  (at(body, 'detail') as Json[]).map((entry) => (at(entry, 'loc') as (string | number)[]).join('.'));

test('register 200 keeps what the interface names and what it does not', async () => {
  const record = await register({ machine_inventory: [{ gpu: 8 }], description: 'first', rack: { row: 7 } });
  assert.deepEqual(record, {
    task_id: at(record, 'task_id'),
    machine_uuid: 'm-1',
    machine_inventory: [{ gpu: 8 }],
    description: 'first',
    state: 'registered',
    failed_message: null,
    extra: { rack: { row: 7 } },
    created_at: '2026-11-21T12:00:00.000Z',
    updated_at: '2026-11-21T12:00:00.000Z',
  });
});

test('update 200 takes text and lists; info 200 by machine; delete 200; 404 after it', async () => {
  const task_id = textAt(await register(), 'task_id');
  const updated = await send('POST', 'update', { task_id, state: ['running', 'failed'], failed_message: 'no driver' });
  assert.deepEqual([at(updated.body, 'state'), at(updated.body, 'failed_message')], ['failed', 'no driver']);
  assert.equal(
    at((await send('POST', 'update', { task_id, state: 'completed' })).body, 'failed_message'),
    'no driver',
    'what is not given stays',
  );
  assert.equal((await send('POST', 'info', { task_id, machine_uuid: 'm-1' })).status, 200);
  assert.equal((await send('POST', 'info', { task_id, machine_uuid: 'm-2' })).status, 404);
  assert.equal((await send('DELETE', 'delete', { task_id, machine_uuid: 'm-2' })).status, 404);
  assert.deepEqual((await send('DELETE', 'delete', { task_id })).body, { task_id, deleted: true });
  for (const [method, name] of [
    ['POST', 'info'],
    ['POST', 'update'],
    ['DELETE', 'delete'],
  ] as const) {
    assert.equal((await send(method, name, { task_id })).status, 404, name);
  }
});

test('an id of 19 digits may be a JSON integer', async () => {
  const task_id = textAt(await register(), 'task_id');
  const answer = await app.app.request('/api/gpu-mark/test-task/info', {
    method: 'POST',
    headers: { ...user.authorization, 'content-type': 'application/json' },
    body: `{"task_id": ${task_id}}`,
  });
  assert.equal(((await answer.json()) as { task_id: string }).task_id, task_id);
});

test('list 200 filters, orders and pages; an absent body lists all', async () => {
  const lister = await makeUser(app);
  const list = (body?: unknown) =>
    call(app, 'POST', '/api/gpu-mark/test-task/list', { body, headers: lister.authorization });
  for (const machine_uuid of ['b', 'a', 'c']) {
    await call(app, 'POST', '/api/gpu-mark/test-task/register', {
      body: { machine_uuid, description: `Node ${machine_uuid}` },
      headers: lister.authorization,
    });
    app.clock.advance({ seconds: 1 });
  }
  const machines = (body: Json) => (at(body, 'results') as Json[]).map((task) => textAt(task, 'machine_uuid')).join('');
  const expected: [unknown, string][] = [
    [undefined, 'cab'],
    [{ order_by: [{ machine_uuid: 'asc' }] }, 'abc'],
    [{ order_by: [{ state: 'asc' }, { created_at: 'asc' }] }, 'bac'],
    [{ filter: [{ machine_uuid: 'a' }] }, 'a'],
    [{ filter: [{ description: 'node B' }] }, 'b'],
    [{ filter: [{ created_at: '2026-11-21' }, { state: 'registered' }] }, 'cab'],
    [{ filter: [{ created_at: '2026-11-22' }] }, ''],
    [{ filter: [{ machine_uuid: 'a' }, { machine_uuid: 'b' }, { state: 'registered' }] }, 'ab'],
    [{ filter: [{ machine_uuid: 'a' }, { machine_uuid: 'b' }, { description: 'node B' }] }, 'b'],
    [{ filter: [{ task_id: 17 }] }, ''],
    [{ paginate: { num_per_page: 2, page_num: 2 } }, 'b'],
  ];
  for (const [body, order] of expected) assert.equal(machines((await list(body)).body), order, JSON.stringify(body));
  assert.equal(at((await list({ paginate: { num_per_page: 1 } })).body, 'total'), 3);
});

test('422 says where and what', async () => {
  const wrong: [string, string, unknown, string[]][] = [
    ['POST', 'register', {}, ['body.machine_uuid']],
    ['POST', 'register', { machine_uuid: '' }, ['body.machine_uuid']],
    ['POST', 'register', { machine_uuid: 'x'.repeat(61) }, ['body.machine_uuid']],
    ['POST', 'register', { machine_uuid: 'm', machine_inventory: {} }, ['body.machine_inventory']],
    ['POST', 'info', { task_id: 'x' }, ['body.task_id']],
    ['POST', 'info', {}, ['body.task_id']],
    ['DELETE', 'delete', { task_id: -1 }, ['body.task_id']],
    ['POST', 'pdf-report-url', {}, ['body.id']],
    ['POST', 'list', { filter: [{ created_at: 'yesterday' }] }, ['body.filter']],
    ['POST', 'list', { filter: [{ task_id: 'x' }] }, ['body.filter']],
    ['POST', 'list', { paginate: { num_per_page: 101 } }, ['body.paginate.num_per_page']],
  ];
  for (const [method, name, body, where] of wrong) {
    const answer = await send(method, name, body);
    assert.equal(answer.status, 422, `${name} ${JSON.stringify(body)}`);
    assert.deepEqual([...new Set(problemsOf(answer.body))], where, JSON.stringify(answer.body));
  }
});

test('401 without a credential, in the dialect of these endpoints', async () => {
  const answer = await call(app, 'POST', '/api/gpu-mark/test-task/list', { body: {} });
  assert.equal(answer.status, 401);
  assert.ok(Array.isArray(at(answer.body, 'detail')));
});

test('pdf-report-url 200 by POST and PUT, for a test task and for a task of a job; 404 for neither', async () => {
  const task_id = textAt(await register(), 'task_id');
  const node = new Node(app, await makeJob(app, user));
  await node.run();
  for (const id of [task_id, node.taskId]) {
    for (const method of ['POST', 'PUT'])
      assert.deepEqual((await send(method, 'pdf-report-url', { id })).body, { pdf_report_url: null });
  }
  assert.equal((await send('POST', 'pdf-report-url', { id: '17' })).status, 404);
});
