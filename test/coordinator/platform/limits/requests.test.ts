import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { agentPaths } from '../../../../coordinator/contract/agent-protocol.ts';
import { insertSubscription } from '../../../../coordinator/accounts/standing/queries.ts';
import { call, makeUser, type Answer } from '../../../support/client.ts';
import { makeJob } from '../../jobs/node.ts';
import { limitedApp, limitedUser, quotaOf } from './limited-app.ts';

const app = await limitedApp({ after }, { environment: { RATE_LIMIT_ADDRESS: '1/5', RATE_LIMIT_JOB: '1/3' } });
const me = '/api/user/me';
const jobs = '/api/gpu-mark/v1/jobs';
const testTasks = '/api/gpu-mark/test-task/info';

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);
const repeat = async (count: number, send: () => Promise<Answer>) => {
  const answers = [];
  for (let n = 0; n < count; n += 1) answers.push(await send());
  return answers;
};

test('every answer of a limited operation says what is left, whatever its status', async () => {
  const { authorization: headers } = await limitedUser(app, { burst: 10 });
  const answers = [
    await call(app, 'GET', me, { headers }),
    await call(app, 'GET', `${jobs}/1`, { headers }),
    await call(app, 'POST', jobs, { headers, body: { benchmarks: 7 } }),
    await call(app, 'POST', testTasks, { headers, body: { task_id: 'x' } }),
    await call(app, 'POST', '/api/data-hub/gpu/latest/price', { headers, body: { num_per_page: 0 } }),
  ];
  assert.deepEqual(statuses(answers), [200, 404, 400, 422, 422]);
  // One a minute from a bucket of ten: after n calls 10 - n are left, and it is full in n minutes.
  for (const [index, answer] of answers.entries()) {
    const { policy, q, r, t } = quotaOf(answer.headers) ?? assert.fail(`no quota at ${index}`);
    assert.deepEqual([policy, q, r], ['tier', 1, 9 - index]);
    assert.ok(t > 60 * index && t <= 60 * (index + 1), `full in ${t} s`);
  }
});

test('a call too many is 429 with Retry-After, in the dialect of its operation', async () => {
  const { authorization: headers } = await limitedUser(app, { burst: 2 });
  await repeat(2, () => call(app, 'GET', me, { headers }));
  const envelope = await call(app, 'GET', me, { headers });
  const error = await call(app, 'GET', jobs, { headers });
  const detail = await call(app, 'POST', testTasks, { headers, body: { task_id: 'x' } });
  const message =
    /^Too many requests: at most 1 a minute, 2 of them at once, for each user, application token or API key of your tier\. Try again in (\d+) seconds\.$/;
  const shown = (answer: Answer, text: unknown) => {
    assert.equal(answer.status, 429);
    assert.deepEqual([quotaOf(answer.headers)?.policy, quotaOf(answer.headers)?.r], ['tier', 0]);
    // One a minute: the next one is at most 60 s away.
    const seconds = Number(message.exec(String(text))?.[1]);
    assert.ok(seconds > 0 && seconds <= 60, String(text));
    assert.equal(answer.headers.get('retry-after'), String(seconds));
  };
  const { meta, data } = envelope.body as { meta: { code: number; message: string }; data: unknown };
  assert.deepEqual([meta.code, data], [429, {}]);
  shown(envelope, meta.message);
  const { error: inError } = error.body as { error: { code: string; message: string } };
  assert.equal(inError.code, 'TOO_MANY_REQUESTS');
  shown(error, inError.message);
  const { detail: inDetail } = detail.body as { detail: { loc: string[]; msg: string; type: string }[] };
  assert.equal(inDetail[0]?.type, 'rate_limited');
  shown(detail, inDetail[0]?.msg);
});

test('each credential has a bucket of its own, also within one company', async () => {
  const first = await limitedUser(app, { burst: 1 });
  const second = await makeUser(app);
  await app.context.sql`update user_account set customer_id = ${first.customerId} where id = ${second.userId}`;
  const send = (headers: Record<string, string>) => call(app, 'GET', me, { headers });
  assert.deepEqual(statuses(await repeat(2, () => send(first.authorization))), [200, 429]);
  assert.deepEqual(statuses(await repeat(2, () => send(second.authorization))), [200, 429]);
});

test('staff have at least the numbers of enterprise, whatever their company has', async () => {
  const { authorization: headers } = await limitedUser(app, { burst: 1 }, { role: 'staff' });
  const answers = await repeat(3, () => call(app, 'GET', me, { headers }));
  assert.deepEqual(statuses(answers), [200, 200, 200]);
  const quotas = answers.map((answer) => quotaOf(answer.headers));
  assert.deepEqual(quotas[0], { policy: 'tier', q: 12_000, r: 3999, t: 1 });
});

test('all nodes of a job share the bucket of its token', async () => {
  const owner = await makeUser(app);
  const job = await makeJob(app, owner);
  const send = () =>
    call(app, 'POST', agentPaths.heartbeat, { body: {}, headers: { authorization: `Bearer ${job.token}` } });
  const answers = await repeat(4, send);
  assert.deepEqual(statuses(answers), [400, 400, 400, 429]);
  assert.deepEqual(
    answers.map((answer) => quotaOf(answer.headers)?.r),
    [2, 1, 0, 0],
  );
  assert.equal(quotaOf(answers[0]?.headers ?? new Headers())?.policy, 'job');
  assert.match(answers[3]?.text ?? '', /at most 1 a minute, 3 of them at once, for all nodes of a job together/);
});

test('a refused credential and a call without one are charged to the address, and end in 429', async () => {
  // Five at once and one a minute: sign-ins, guesses and pages of one address together.
  const guess = () => call(app, 'GET', me, { headers: { authorization: 'Bearer gma_guessed' } });
  const page = () => call(app, 'GET', '/openapi.json');
  const none = () => call(app, 'GET', me);
  const answers = [await guess(), await page(), await none(), await guess(), await page(), await guess(), await page()];
  assert.deepEqual(statuses(answers), [401, 200, 401, 401, 200, 429, 429]);
  assert.deepEqual(
    answers.map(({ headers }) => quotaOf(headers)).map((quota) => quota && [quota.policy, quota.r]),
    [4, 3, 2, 1, 0, 0, 0].map((r) => ['address', r]),
  );
  // Who holds a good credential at that address passes.
  const { authorization: headers } = await limitedUser(app, { burst: 1 });
  assert.equal((await call(app, 'GET', me, { headers })).status, 200);
});

test('probes, figures and signed links are not limited', async () => {
  const paths = ['/healthz', '/readyz', '/metrics'];
  const signed = app.app.routes.filter(({ access }) => access === 'signed-url').map(({ path }) => path);
  assert.ok(signed.length > 0);
  for (const path of [...paths, ...signed.map((one) => one.replace(/\{[^}]+\}/g, 'x'))]) {
    const answers = await repeat(7, () => call(app, 'GET', path));
    assert.ok(
      answers.every(({ status, headers }) => status !== 429 && quotaOf(headers) === null),
      path,
    );
  }
});

test('another tier changes the limit within five seconds', async () => {
  const { authorization: headers, customerId } = await makeUser(app);
  const limit = async () => quotaOf((await call(app, 'GET', me, { headers })).headers)?.q;
  // The tiers as they ship: basic 120 a minute, professional 3,000.
  assert.equal(await limit(), 120);
  const now = app.clock.now();
  await insertSubscription(app.context.sql, {
    id: app.context.newId(),
    customer_id: customerId,
    tier: 'professional',
    starts_at: now,
    ends_at: null,
    created_at: now,
  });
  app.clock.advance({ seconds: 5 });
  assert.equal(await limit(), 3000);
});

test('a clock that jumps back gives nobody a burst and locks nobody out', async (t) => {
  const { authorization: headers } = await limitedUser(app, { burst: 2 });
  const send = () => call(app, 'GET', me, { headers });
  app.clock.advance({ minutes: 50 });
  assert.equal((await send()).status, 200);
  const { sql } = app.context;
  await sql`update rate_bucket set tokens = 0, at = now() where key like 'user:%'`;
  app.clock.advance({ minutes: -49 });
  const real = performance.now.bind(performance);
  const startedAt = real();
  const answers = await Promise.all(Array.from({ length: 20 }, send));
  // The bucket holds two, and one comes back in a minute.
  const refilled = Math.ceil((real() - startedAt) / 60_000);
  assert.ok(answers.filter(({ status }) => status === 200).length <= 2 + refilled);
  assert.ok(answers.some(({ status }) => status === 429));
  // A minute later by the clocks of the process and of the database.
  t.mock.method(performance, 'now', () => real() + 61_000);
  await sql`update rate_bucket set at = at - interval '61 seconds' where key like 'user:%'`;
  assert.equal((await send()).status, 200);
});

test('limits can be switched off, and then nothing is said of them', async (t) => {
  const free = await limitedApp(t, { environment: { RATE_LIMITS: 'off', RATE_LIMIT_ADDRESS: '1/1' } });
  const answers = await repeat(5, () => call(free, 'GET', '/openapi.json'));
  assert.ok(answers.every(({ status, headers }) => status === 200 && quotaOf(headers) === null));
});
