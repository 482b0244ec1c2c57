import assert from 'node:assert/strict';
import { execa } from 'execa';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { testApp } from '../../../support/app.ts';
import { call, makeUser } from '../../../support/client.ts';

const app = await testApp({ after });
const lineOf = (requestId: string | null) => app.logLines().filter((line) => line['request_id'] === requestId);

test('a sane X-Request-Id is kept and echoed; anything else is replaced', async () => {
  const echoed = async (headers: Record<string, string>) =>
    (await call(app, 'GET', '/healthz', { headers })).headers.get('x-request-id');
  assert.equal(await echoed({ 'x-request-id': 'build-42.retry_1' }), 'build-42.retry_1');
  assert.match((await echoed({})) ?? '', /^[0-9a-f]{32}$/);
  assert.match((await echoed({ 'x-request-id': 'short' })) ?? '', /^[0-9a-f]{32}$/);
  assert.match((await echoed({ 'x-request-id': 'a b<script>{}' })) ?? '', /^[0-9a-f]{32}$/);
  assert.match((await echoed({ 'x-request-id': 'x'.repeat(129) })) ?? '', /^[0-9a-f]{32}$/);
});

test('without X-Request-Id the trace id of traceparent is taken', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const answer = await call(app, 'GET', '/api/user/me', { headers: { traceparent } });
  assert.equal(answer.headers.get('x-request-id'), '4bf92f3577b34da6a3ce929d0e0e4736');
  assert.equal(lineOf('4bf92f3577b34da6a3ce929d0e0e4736')[0]?.['trace_id'], '4bf92f3577b34da6a3ce929d0e0e4736');
});

test('every request writes exactly one line: method, route pattern, status, duration, actor, customer', async () => {
  const user = await makeUser(app);
  const answer = await call(app, 'GET', '/api/user/me?secret=1', { headers: user.authorization });
  const lines = lineOf(answer.headers.get('x-request-id'));
  assert.equal(lines.length, 1);
  const { method, route, status, duration_ms, actor, customer_id } = lines[0] ?? {};
  assert.deepEqual(
    { method, route, status, actor, customer_id },
    {
      method: 'GET',
      route: '/api/user/me',
      status: 200,
      actor: 'user',
      customer_id: user.customerId,
    },
  );
  assert.equal(typeof duration_ms, 'number');
  const refused = await call(app, 'GET', '/api/user/me');
  assert.equal(lineOf(refused.headers.get('x-request-id'))[0]?.['error_kind'], 'unauthenticated');
});

test('no password, token, query or hash is in any log line', async () => {
  const user = await makeUser(app, { password: 'never in a log 7d1f' });
  const secrets = [user.password, user.tokens.id_token, user.tokens.access_token, user.tokens.refresh_token];
  const login = { email: user.email, password: user.password };
  const answer = await call(app, 'POST', '/api/user/login', { body: login });
  assert.equal(answer.status, 200);
  await call(app, 'POST', '/api/user/login', { body: { ...login, password: `${user.password} wrong` } });
  await call(app, 'POST', '/api/user/login', { body: { ...login, email: 'not an address' } });
  await call(app, 'GET', `/api/user/me?token=${user.tokens.id_token}`, { headers: user.authorization });
  await call(app, 'GET', `/api/nothing?signature=${user.tokens.id_token}`);
  app.platform.log.info({ password: user.password, nested: { token: user.tokens.id_token } }, 'a careless line');
  const log = JSON.stringify(app.logLines());
  for (const secret of secrets) assert(!log.includes(secret), `the log holds ${secret.slice(0, 12)}...`);
  assert(!log.includes('$argon2id$'));
  assert(log.includes('[redacted]'));
});

test('/metrics counts requests by method, route pattern and status', async () => {
  await call(app, 'GET', '/api/user/me');
  await call(app, 'GET', '/nothing/at/all');
  const { text, headers } = await call(app, 'GET', '/metrics');
  assert.match(headers.get('content-type') ?? '', /^text\/plain/);
  assert.match(text, /http_request_duration_seconds_count\{method="GET",route="\/api\/user\/me",status="401"\} \d+/);
  assert.match(text, /route="unmatched",status="404"/);
  assert.match(text, /^work_queue_items 0$/m);
});

test('every answer carries the security headers', async () => {
  for (const path of ['/api/user/me', '/healthz', '/nothing', '/docs', '/openapi.json']) {
    const { headers } = await call(app, 'GET', path);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    assert.equal(headers.get('x-frame-options'), 'DENY', path);
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/, path);
  }
});

test('X-Forwarded-For while no proxy is trusted is warned of once an hour, with the setting and without its value', async (t) => {
  const warned = await testApp(t, { now: new Date('2026-11-21T12:00:00Z') });
  const forwarded = () => call(warned, 'GET', '/healthz', { headers: { 'x-forwarded-for': '198.51.100.66' } });
  const warnings = () => warned.logLines().filter(({ msg }) => String(msg).includes('TRUSTED_PROXIES=1'));
  await call(warned, 'GET', '/healthz');
  assert.equal(warnings().length, 0);
  await Promise.all([forwarded(), forwarded(), forwarded()]);
  assert.equal(warnings().length, 1);
  assert.equal(warnings()[0]?.['level'], 40, 'a warning');
  warned.clock.advance({ minutes: 61 });
  await forwarded();
  assert.equal(warnings().length, 2);
  assert.ok(!JSON.stringify(warnings()).includes('198.51.100.66'));

  const trusting = await testApp(t, { environment: { TRUSTED_PROXIES: '1' } });
  await call(trusting, 'GET', '/healthz', { headers: { 'x-forwarded-for': '198.51.100.66' } });
  assert.ok(!JSON.stringify(trusting.logLines()).includes('TRUSTED_PROXIES'));
});

test('a process that ends at once has the line of its last answer', async () => {
  const program = join(import.meta.dirname, 'ends-at-once.ts');
  const ended = await execa(process.execPath, [program], { reject: false });
  assert.equal(ended.exitCode, 3);
  const lines = ended.stderr.split('\n').filter((line) => line.includes('"request-0001"'));
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { route: string }).route),
    ['/last'],
  );
});
