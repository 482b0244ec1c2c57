import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { rotateSigningKey } from '../../../coordinator/accounts/rotate-signing-key.ts';
import { credentialCaches } from '../../../coordinator/accounts/credential-caches.ts';
import { expireJobs } from '../../../coordinator/lifecycle/sweep.ts';
import { testApp } from '../../support/app.ts';
import { call, makeUser, type TestUser } from '../../support/client.ts';
import { at, getJob, makeJob, Node } from './node.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const owner = await makeUser(app);

/** In the detail and in the list. */
async function shown(user: TestUser, id: string): Promise<unknown[]> {
  const list = await call(app, 'GET', '/api/gpu-mark/v1/jobs?per_page=300', { headers: user.authorization });
  const results = at(list.body, 'results');
  assert.ok(Array.isArray(results));
  return [at(await getJob(app, user, id), 'token'), at(results.find((row) => at(row, 'id') === id) ?? null, 'token')];
}

test('the token is shown to every person of the customer that owns the job, and to staff it is null', async () => {
  const colleague = await makeUser(app, { company: 'Acme' });
  const other = await makeUser(app, { company: 'Acme', role: 'customer_admin' });
  const job = await makeJob(app, colleague);
  assert.deepEqual(await shown(other, job.id), [job.token, job.token]);
  for (const role of ['staff', 'root_admin'] as const)
    assert.deepEqual(await shown(await makeUser(app, { role }), job.id), [null, null], role);
});

test('the token is shown until the job has ended', async () => {
  const job = await makeJob(app, owner);
  const node = new Node(app, job);
  await node.register();
  await node.beat('measuring');
  assert.deepEqual(await shown(owner, job.id), [job.token, job.token]);
  await node.deliver();
  await node.complete();
  assert.deepEqual(await shown(owner, job.id), [null, null]);
  const aborted = await makeJob(app, owner);
  await call(app, 'POST', '/api/gpu-mark/v1/jobs/abort', { body: { id: aborted.id }, headers: owner.authorization });
  assert.deepEqual(await shown(owner, aborted.id), [null, null]);
});

test('the token is shown until the job expires, also before the sweep has come by', async () => {
  const job = await makeJob(app, owner);
  app.clock.advance({ hours: 23, minutes: 59 });
  const { id_token } = (await renewed(owner)).tokens;
  const late = { ...owner, authorization: { authorization: `Bearer ${id_token}` } };
  assert.deepEqual(await shown(late, job.id), [job.token, job.token]);
  app.clock.advance({ minutes: 1 });
  assert.deepEqual(await shown(late, job.id), [null, null]);
  await expireJobs(app.context);
  assert.deepEqual(await shown(late, job.id), [null, null]);
});

test('the token of a key that was retired at once is shown no more', async () => {
  const user = await makeUser(app);
  const job = await makeJob(app, user);
  await rotateSigningKey(app.context, { purpose: 'job', atOnce: false });
  assert.deepEqual(await shown(user, job.id), [job.token, job.token], 'retired, and still good');
  await rotateSigningKey(app.context, { purpose: 'job', atOnce: true });
  credentialCaches(app.platform).forget();
  assert.deepEqual(await shown(user, job.id), [null, null]);
});

async function renewed(user: TestUser): Promise<{ tokens: { id_token: string } }> {
  const body = { email: user.email, password: user.password };
  const answer = await call(app, 'POST', '/api/user/login', { body });
  return { tokens: (answer.body as unknown as { data: { id_token: string } }).data };
}
