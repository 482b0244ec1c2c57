import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addKeyName } from '../../../../coordinator/accounts/api-keys/key-names.ts';
import { createKey } from '../../../../coordinator/accounts/api-keys/keys.ts';
import type { BoundRoute } from '../../../../coordinator/platform/http/http-env.ts';
import { renderReport } from '../../../../coordinator/reports/render-report.ts';
import { testApp } from '../../../support/app.ts';
import { actorOf, call, makeUser } from '../../../support/client.ts';
import { applicationClient } from '../applications/application-client.ts';
import { at, getJob, makeJob, Node, textAt } from '../../jobs/node.ts';
import { callersOf, type Caller } from './callers.ts';

const app = await testApp({ after }, { logLevel: 'info' });
const { sql } = app.platform;

/** What the owner's things are called; a stranger may guess it and give theirs the same names. */
const NAME = 'guessable';
/** Stands in the other texts of the owner's things, and in no request of a stranger. */
const MARK = 'hiddenfromothers';
const owner = await makeUser(app, {
  company: `${MARK} Inc`,
  email: `${NAME}@example.com`,
  tier: 'enterprise',
  role: 'customer_admin',
});
const job = await makeJob(app, owner, { name: NAME, description: MARK, tags: [NAME] });
const node = new Node(app, job);
await node.run();
await renderReport(app.context, {
  id: '1',
  kind: 'job_report',
  subject_id: job.id,
  attempts: 1,
  customer_id: owner.customerId,
  error: null,
});
const registered = await call(app, 'POST', '/api/gpu-mark/test-task/register', {
  body: { machine_uuid: NAME, description: MARK },
  headers: owner.authorization,
});
const applications = applicationClient(app, owner);
const application = await applications.createWithToken();
await applications.send('POST', 'update', { id: application.id, name: NAME, description: MARK });
const { standing } = await actorOf(app, owner);
const of = { customerId: owner.customerId, standing };
await addKeyName(app.context, of, { name: NAME, description: MARK });
const key = await createKey(app.context, of, NAME);

/** Every id that a stranger may have seen somewhere. */
const ids: string[] = [
  job.id,
  node.taskId,
  textAt(registered.body, 'task_id'),
  application.id,
  application.tokenId,
  key.id,
  owner.userId,
  owner.customerId,
];
const secrets: string[] = [MARK, application.client.client_id, application.token, key.key, job.token];

const strangers: { name: string; token: string }[] = [];
for (const { kind, token } of (await callersOf(app, 'enterprise')).filter(isStranger))
  strangers.push({ name: kind, token });
const theirs = await makeJob(app, await makeUser(app));
strangers.push({ name: 'job token', token: theirs.token });

function isStranger({ kind }: Caller): boolean {
  return kind !== 'staff' && kind !== 'root_admin';
}

/** All rows of the owner, to the letter. */
async function ownersRows(): Promise<string> {
  const customer = owner.customerId;
  return JSON.stringify(
    await Promise.all([
      sql`select * from job where customer_id = ${customer} order by id`,
      sql`select * from task where customer_id = ${customer} order by id`,
      sql`select * from test_task where customer_id = ${customer} order by id`,
      sql`select * from application where customer_id = ${customer} order by id`,
      sql`select t.* from application_token t join application a on a.id = t.application_id where a.customer_id = ${customer} order by t.id`,
      sql`select k.* from api_key k join api_key_name n on n.id = k.name_id where n.customer_id = ${customer} order by k.id`,
      sql`select * from user_account where customer_id = ${customer} order by id`,
      sql`select * from subscription where customer_id = ${customer} order by id`,
      sql`select * from artifact where job_id = ${job.id} order by id`,
      sql`select * from audit_event where customer_id = ${customer} order by id`,
    ]),
  );
}

/** The calls of an operation that name something of the owner: by id, name, e-mail address, tag and filter. */
function attempts(route: BoundRoute): { path: string; body?: unknown }[] {
  const queries = [
    '',
    `?name=${NAME}&tags=${NAME}&tag=${NAME}`,
    `?job_id=${job.id}&task_id=${node.taskId}`,
    '?format=csv',
  ];
  const paths = (
    route.path.includes('{') ? ids.map((id) => route.path.replaceAll(/\{\w+\}/g, () => id)) : [route.path]
  ).flatMap((path) => (route.method === 'GET' ? queries.map((query) => path + query) : [path]));
  if (!route.takesBody || route.method === 'GET') return paths.map((path) => ({ path }));
  const bodies: unknown[] = ids.flatMap((id) => [
    { id, task_id: id, job_id: id, epoch: 1, name: NAME },
    { id },
    { task_id: id, machine_uuid: NAME },
    { filter: [{ id }] },
  ]);
  bodies.push(
    { name: NAME, description: 'taken' },
    { filter: [{ name: NAME }] },
    { filter: [{ machine_uuid: NAME }] },
    { filter: [] },
    { email: owner.email, role: 'root_admin' },
    { client_id: application.client.client_id, client_secret: 'gms_guess' },
  );
  return paths.flatMap((path) => bodies.map((body) => ({ path, body })));
}

test('whatever a stranger asks with whatever credential, nothing of another company is shown or changed', async () => {
  const before = await ownersRows();
  let asked = 0;
  for (const route of app.app.routes.filter(({ access }) => access !== 'public')) {
    for (const { name, token } of strangers) {
      for (const { path, body } of attempts(route)) {
        const answer = await call(app, route.method, path, { body, headers: { authorization: `Bearer ${token}` } });
        asked += 1;
        assert.ok(answer.status < 500, `${name} ${route.method} ${path} ${JSON.stringify(body)}: ${answer.status}`);
        for (const secret of secrets)
          assert.ok(
            !answer.text.includes(secret),
            `${name} ${route.method} ${path} ${JSON.stringify(body)}: ${answer.text}`,
          );
      }
    }
    assert.equal(await ownersRows(), before, `${route.method} ${route.path}`);
  }
  assert.ok(asked > 3000, String(asked));
});

test('a signed URL opens its own file, unchanged and until it expires; nothing else', async () => {
  const url = new URL(textAt(await getJob(app, owner, job.id), 'pdf_report_url'));
  const open = async (path: string) => (await app.app.request(path)).status;
  assert.equal(await open(url.pathname + url.search), 200);
  for (const [name, value] of url.searchParams) {
    const changed = new URL(url);
    changed.searchParams.set(
      name,
      value.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    );
    assert.ok([401, 403, 404].includes(await open(changed.pathname + changed.search)), name);
  }
  assert.equal(await open(url.pathname), 400, 'without its signature');
});

test('staff see what the owner has, and the owner all of it: the walk above looked for the right words', async () => {
  const jobs = await call(app, 'GET', '/api/gpu-mark/v1/jobs', { headers: owner.authorization });
  assert.equal(at(jobs.body, 'results', 0, 'name'), NAME);
  const list = await applications.send('POST', 'list', {});
  assert.ok(list.text.includes(MARK) && list.text.includes(application.client.client_id));
  const staff = (await callersOf(app, 'basic')).find(({ kind }) => kind === 'staff');
  const seen = await call(app, 'GET', '/api/gpu-mark/v1/jobs', {
    headers: { authorization: `Bearer ${staff?.token}` },
  });
  assert.ok(seen.text.includes(MARK));
});
