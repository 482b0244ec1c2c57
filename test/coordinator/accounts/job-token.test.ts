import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { decodeJwt, SignJWT } from 'jose';
import { credentialVerifiers } from '../../../coordinator/accounts/credentials.ts';
import { rotateSigningKey } from '../../../coordinator/accounts/rotate-signing-key.ts';
import { signJobToken, type JobTokenInput } from '../../../coordinator/accounts/job-token.ts';
import { currentSigningKey } from '../../../coordinator/accounts/signing-key.ts';
import { createJob } from '../../../coordinator/jobs/create-job.ts';
import { authenticator } from '../../../coordinator/platform/http/auth/admit.ts';
import { DomainError } from '../../../coordinator/platform/errors.ts';
import { testApp } from '../../support/app.ts';
import { actorOf, makeUser } from '../../support/client.ts';

const app = await testApp({ after }, { now: new Date('2026-11-01T10:00:00Z') });
const user = await makeUser(app);
const actor = await actorOf(app, user);
const authenticate = authenticator(credentialVerifiers(app.platform));
const outcome = (access: 'job' | 'job-late', token: string): Promise<string> =>
  authenticate({ access }, `Bearer ${token}`).then(
    (found) => found.kind,
    (error: unknown) => (error instanceof DomainError ? error.message : String(error)),
  );
async function newJob(): Promise<{ id: string; token: string }> {
  const { job } = await createJob({ ...app.context, actor }, { benchmarks: [], node_count: 1, tags: [] }, undefined);
  return job;
}

test('a job token names its job, its customer and the coordinator, and lives as long as the job', async () => {
  const job = await newJob();
  const { sub, exp, iat, coordinator, customer_id, jti } = decodeJwt(job.token);
  assert.equal(sub, job.id);
  assert.equal(customer_id, user.customerId);
  assert.equal(coordinator, 'http://coordinator.test');
  assert.equal((exp ?? 0) - (iat ?? 0), 24 * 3600);
  assert.equal(typeof jti, 'string');
  assert.equal(await outcome('job', job.token), 'job');
});

test('the same row gives the same token', async () => {
  const { kid } = await currentSigningKey(app.context, 'job');
  const issuedAt = new Date('2026-11-01T10:00:00.123Z');
  const input: JobTokenInput = {
    jobId: '1',
    customerId: '2',
    tokenId: '3',
    kid,
    issuedAt,
    expiresAt: new Date('2026-11-02'),
  };
  assert.equal(await signJobToken(app.context, input), await signJobToken(app.context, input));
  assert.notEqual(await signJobToken(app.context, input), await signJobToken(app.context, { ...input, tokenId: '4' }));
});

test('after its expiry a job token opens late calls for 7 days and nothing else', async () => {
  const job = await newJob();
  app.clock.advance({ hours: 24 });
  assert.equal(await outcome('job', job.token), 'The job token has expired.');
  assert.equal(await outcome('job-late', job.token), 'job');
  app.clock.advance({ days: 7, seconds: -1 });
  assert.equal(await outcome('job-late', job.token), 'job');
  app.clock.advance({ seconds: 1 });
  assert.equal(await outcome('job-late', job.token), 'The job token has expired.');
});

test('an ordinary call that comes at the same moment does not shorten the grace of a late one', async () => {
  const job = await newJob();
  app.clock.advance({ hours: 25 });
  const both = await Promise.all([outcome('job', job.token), outcome('job-late', job.token)]);
  assert.deepEqual(both, ['The job token has expired.', 'job']);
});

test('a revoked token opens late calls only, a deleted job none', async () => {
  const job = await newJob();
  await app.platform.sql`update job set token_revoked_at = now() where id = ${job.id}`;
  assert.equal(await outcome('job', job.token), 'The job token has been revoked.');
  assert.equal(await outcome('job-late', job.token), 'job');
  await app.platform.sql`update job set deleted_at = now() where id = ${job.id}`;
  app.clock.advance({ seconds: 6 });
  for (const access of ['job', 'job-late'] as const) {
    assert.equal(await outcome(access, job.token), 'The job of this token has been deleted.');
  }
});

test('a token made with the key of a job for another job is not taken over: the token id must be that of the row', async () => {
  const job = await newJob();
  const { kid } = await currentSigningKey(app.context, 'job');
  const forged = { jobId: job.id, customerId: user.customerId, tokenId: 'another', kid };
  const token = await signJobToken(app.context, {
    ...forged,
    issuedAt: app.clock.now(),
    expiresAt: new Date(app.clock.now().getTime() + 60_000),
  });
  assert.equal(await outcome('job', token), 'The job of this token has been deleted.');
});

test('after a rotation new tokens carry the new kid and old ones verify until the last has expired', async () => {
  const before = await newJob();
  const old = await currentSigningKey(app.context, 'job');
  const { kid } = await rotateSigningKey(app.context, { purpose: 'job', atOnce: false });
  assert.notEqual(kid, old.kid);
  const next = await newJob();
  assert.equal((await currentSigningKey(app.context, 'job')).kid, kid);
  app.clock.advance({ seconds: 6 });
  assert.equal(await outcome('job', before.token), 'job');
  assert.equal(await outcome('job', next.token), 'job');
  // 24 h of validity and 7 days of grace after the rotation nothing signed before it can be good.
  app.clock.advance({ days: 8 });
  assert.equal(
    await outcome('job-late', before.token),
    'The job token was not issued here, or its key has been retired.',
  );
});

test('a rotation by a process with a shorter JOB_TOKEN_HOURS does not end tokens that are still good', async () => {
  const job = await newJob();
  await app.platform.sql`update job set expires_at = expires_at + interval '30 days' where id = ${job.id}`;
  const old = await currentSigningKey(app.context, 'job');
  await rotateSigningKey(app.context, { purpose: 'job', atOnce: false });
  const [key] = await app.platform.sql<{ days: number }[]>`
    select extract(epoch from signing_key.expires_at - job.expires_at)::float8 / 86400 as days
    from signing_key, job where signing_key.kid = ${old.kid} and job.id = ${job.id}`;
  assert.equal(key?.days, 7, 'the grace after the last expiry');
});

test('rotations at the same time leave exactly one current key', async () => {
  await Promise.all(
    Array.from({ length: 4 }, () => rotateSigningKey(app.context, { purpose: 'login', atOnce: false })),
  );
  const [row] = await app.platform
    .sql`select count(*)::int as n from signing_key where purpose = 'login' and retired_at is null`;
  assert.equal(row?.['n'], 1);
});

test('the first callers at the same time make one key', async () => {
  await app.platform.sql`delete from signing_key where purpose = 'login'`;
  const keys = await Promise.all(Array.from({ length: 5 }, () => currentSigningKey(app.context, 'login')));
  assert.equal(new Set(keys.map(({ kid }) => kid)).size, 1);
});

test('a key that was not there a moment ago works at once', async () => {
  const job = await newJob();
  const [kid, secret] = ['job-0123456789abcdef', randomBytes(32)];
  const { exp, iat, ...claims } = decodeJwt(job.token);
  const token = await new SignJWT({ ...claims, exp: exp ?? 0, iat: iat ?? 0 })
    .setProtectedHeader({ alg: 'HS256', kid })
    .sign(createSecretKey(secret));
  assert.match(await outcome('job', token), /was not issued here/);
  await app.platform.sql`
    insert into signing_key (kid, purpose, secret, created_at, retired_at)
    values (${kid}, 'job', ${secret}, ${app.clock.now()}, ${app.clock.now()})`;
  assert.equal(await outcome('job', token), 'job');
});

test('a thousand made-up kids at the same moment cost the database a handful of questions, and no known key waits', async () => {
  const asked = { lists: 0, known: 0 };
  const { sql } = app.platform;
  const counting = new Proxy(sql, {
    apply: (target, self, args: Parameters<typeof sql>) => {
      const text = Array.isArray(args[0]) ? args[0].join('?') : '';
      if (/from signing_key where kid = any/.test(text)) asked.lists += 1;
      if (/from signing_key where kid = \?/.test(text)) asked.known += 1;
      return Reflect.apply(target, self, args) as unknown;
    },
  });
  const strict = authenticator(credentialVerifiers({ ...app.platform, sql: counting }));
  const job = await newJob();
  assert.equal((await strict({ access: 'job' }, `Bearer ${job.token}`)).kind, 'job');
  const strangers = Array.from({ length: 1000 }, (_, n) => {
    const header = { alg: 'HS256', kid: `job-${n.toString(16).padStart(16, '0')}` };
    return strict(
      { access: 'job' },
      `Bearer ${Buffer.from(JSON.stringify(header)).toString('base64url')}.e30.e30`,
    ).catch(String);
  });
  assert.equal((await strict({ access: 'job' }, `Bearer ${job.token}`)).kind, 'job');
  const refused = await Promise.all(strangers);
  assert.ok(refused.every((answer) => typeof answer === 'string' && answer.includes('was not issued here')));
  assert.ok(asked.lists <= 3 && asked.known === 1, JSON.stringify(asked));
});
