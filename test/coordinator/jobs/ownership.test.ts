import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { agentPaths } from '../../../coordinator/contract/agent-protocol.ts';
import { testApp } from '../../support/app.ts';
import { call, makeUser, type Json, type TestUser } from '../../support/client.ts';
import { at, getJob, makeJob, Node, textAt } from './node.ts';

const app = await testApp({ after });
const owner = await makeUser(app);
const stranger = await makeUser(app, { role: 'customer_admin' });
const staff = await makeUser(app, { role: 'staff' });
const job = await makeJob(app, owner, { tags: ['secret'], name: 'hidden' });
const node = new Node(app, job);
await node.run();
const registered = await call(app, 'POST', '/api/gpu-mark/test-task/register', {
  body: { machine_uuid: 'm' },
  headers: owner.authorization,
});
const testTaskId = textAt(registered.body, 'task_id');

const jobs = '/api/gpu-mark/v1/jobs';
const testTask = '/api/gpu-mark/test-task';
/** Every operation that could show or change something of the owner, and what it must answer a stranger. */
const attempts: [string, string, unknown, number, ((body: Json) => void)?][] = [
  ['GET', jobs, undefined, 200, (body) => assert.equal(at(body, 'pagination', 'total'), 0)],
  ['GET', `${jobs}/tags`, undefined, 200, (body) => assert.deepEqual(body, { tags: [] })],
  ['GET', `${jobs}/stats?state=completed`, undefined, 200, (body) => assert.deepEqual(body, { alert_job_count: 0 })],
  ['GET', `${jobs}/${job.id}`, undefined, 404],
  ['GET', `${jobs}/${job.id}/results`, undefined, 404],
  ['GET', `${jobs}/${job.id}/network/links`, undefined, 404],
  ['DELETE', `${jobs}/delete`, { id: job.id }, 403],
  ['POST', `${jobs}/abort`, { id: job.id }, 404],
  [
    'GET',
    `/api/gpu-mark/v1/tasks?job_id=${job.id}`,
    undefined,
    200,
    (body) => assert.equal(at(body, 'pagination', 'total'), 0),
  ],
  ['GET', `/api/gpu-mark/v1/tasks/${node.taskId}`, undefined, 404],
  ['POST', `${testTask}/update`, { task_id: testTaskId, state: 'failed' }, 404],
  ['POST', `${testTask}/info`, { task_id: testTaskId }, 404],
  ['POST', `${testTask}/list`, {}, 200, (body) => assert.equal(at(body, 'total'), 0)],
  ['DELETE', `${testTask}/delete`, { task_id: testTaskId }, 404],
  ['POST', `${testTask}/pdf-report-url`, { id: node.taskId }, 404],
  ['PUT', `${testTask}/pdf-report-url`, { id: testTaskId }, 404],
];

test('another customer reads and alters nothing, by any operation', async () => {
  const before = await getJob(app, owner, job.id);
  for (const [method, path, body, status, check] of attempts) {
    const answer = await call(app, method, path, { body, headers: stranger.authorization });
    assert.equal(answer.status, status, `${method} ${path} ${JSON.stringify(answer.body)}`);
    assert.ok(!JSON.stringify(answer.body).includes('hidden'), `${method} ${path} shows nothing of the job`);
    check?.(answer.body);
  }
  assert.deepEqual(await getJob(app, owner, job.id), before);
});

test('the walk above covers every operation for customers but the two that only create', () => {
  const walked = new Set(
    attempts.map(([method, path]) => `${method} ${path.split('?')[0]}`.replaceAll(/\d{19}/g, '{id}')),
  );
  const served = app.app.routes
    .filter((route) => route.path.startsWith('/api/gpu-mark/') && route.access === 'data')
    .map((route) => `${route.method} ${route.path.replaceAll(/\{\w+\}/g, '{id}')}`);
  const missing = served.filter((operation) => !walked.has(operation));
  assert.deepEqual(missing, [`POST ${jobs}`, `POST ${testTask}/register`]);
});

test('the token of another job reaches no task of this one', async () => {
  const theirs = new Node(app, await makeJob(app, stranger));
  await theirs.register();
  theirs.taskId = node.taskId;
  for (const answer of [await theirs.beat(), await theirs.complete(), await theirs.fail('aborted')])
    assert.equal(answer.status, 404);
  const current = await call(app, 'GET', agentPaths.job, { headers: { authorization: `Bearer ${theirs.job.token}` } });
  assert.equal(at(current.body, 'id'), theirs.job.id);
});

test('staff see every job and may not delete one of another customer', async () => {
  assert.equal(at(await getJob(app, staff, job.id), 'name'), 'hidden');
  const list = await call(app, 'GET', `${jobs}?name=hidden`, { headers: staff.authorization });
  assert.equal(at(list.body, 'pagination', 'total'), 1);
  const refused = await call(app, 'DELETE', `${jobs}/delete`, { body: { id: job.id }, headers: staff.authorization });
  assert.deepEqual([refused.status, at(refused.body, 'error', 'code')], [403, 'PERMISSION_DENIED']);
});

test('a colleague sees the job, and its tag only as an admin; staff see all tags', async () => {
  const company = `Shared ${job.id}`;
  const maker = await makeUser(app, { company });
  await makeJob(app, maker, { tags: ['ours'], name: 'shared job' });
  const colleague = await makeUser(app, { company });
  const admin = await makeUser(app, { company, role: 'customer_admin' });
  const tags = async (caller: TestUser) =>
    at((await call(app, 'GET', `${jobs}/tags`, { headers: caller.authorization })).body, 'tags');
  const list = await call(app, 'GET', jobs, { headers: colleague.authorization });
  assert.equal(at(list.body, 'results', 0, 'name'), 'shared job');
  assert.deepEqual(await tags(maker), ['ours']);
  assert.deepEqual(await tags(colleague), []);
  assert.deepEqual(await tags(admin), ['ours']);
  assert.deepEqual(await tags(staff), ['ours', 'secret']);
});

test('a search for a tag and a name finds one’s own jobs alone, staff all of them; counted and summed alike', async () => {
  const [one, two] = [await makeUser(app), await makeUser(app)];
  const madeOf = new Map<TestUser, string>();
  for (const maker of [one, two])
    madeOf.set(maker, (await makeJob(app, maker, { tags: ['both', 'eu'], name: 'Searched for' })).id);
  const search = `tags=both&name=${encodeURIComponent('searched')}`;
  const found = async (caller: TestUser) => {
    const { body } = await call(app, 'GET', `${jobs}?${search}`, { headers: caller.authorization });
    assert.equal(at(body, 'pagination', 'total'), (at(body, 'results') as Json[]).length);
    return (at(body, 'results') as Json[]).map((row) => textAt(row, 'id')).toSorted((a, b) => a.localeCompare(b));
  };
  for (const [maker, id] of madeOf) assert.deepEqual(await found(maker), [id]);
  assert.deepEqual(
    await found(staff),
    [...madeOf.values()].toSorted((a, b) => a.localeCompare(b)),
  );
  await app.context.sql`update job set performance_status = 'underperforming' where id = any(${[...madeOf.values()]})`;
  for (const [caller, count] of [
    [one, 1],
    [stranger, 0],
    [staff, 2],
  ] as const) {
    const { body } = await call(app, 'GET', `${jobs}/stats?state=created&${search}`, { headers: caller.authorization });
    assert.deepEqual(body, { alert_job_count: count });
  }
});
