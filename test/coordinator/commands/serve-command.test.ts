import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { until } from '../../support/until.ts';
import { freshDatabase } from '../../support/postgres.ts';

const main = fileURLToPath(new URL('../../../coordinator/main.ts', import.meta.url));

async function environmentOf(t: TestContext): Promise<Record<string, string>> {
  const database = await freshDatabase(t);
  const dataDir = await mkdtemp(join(tmpdir(), 'gpumark-serve-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const NODE_COMPILE_CACHE = process.env['NODE_COMPILE_CACHE'] ?? '';
  return {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'info',
    DRAIN_SECONDS: '0',
    NODE_COMPILE_CACHE,
  };
}

/** `node coordinator/main.ts`, killed after the test if it still lives. */
function start(t: TestContext, environment: Record<string, string>) {
  const child = spawn(process.execPath, [main], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => void child.kill('SIGKILL'));
  const ended = once(child, 'close').then(([code]: unknown[]) => code);
  return { child, ended, stderr: text(child.stderr) };
}

async function urlOf(child: ReturnType<typeof start>['child']): Promise<string> {
  for await (const line of createInterface(child.stdout)) {
    const url = /^listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1];
    if (url) return url;
  }
  throw new Error('the coordinator ended without listening');
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`serve prints where it listens, serves, and ends with 0 on ${signal}`, async (t) => {
    const { child, ended } = start(t, await environmentOf(t));
    const url = await urlOf(child);
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    child.kill(signal);
    assert.equal(await ended, 0);
  });
}

test('after SIGTERM readiness fails first, and new connections are taken until DRAIN_SECONDS are over or it comes again', async (t) => {
  // Longer than any test: only the second signal ends it.
  const { child, ended, stderr } = start(t, { ...(await environmentOf(t)), DRAIN_SECONDS: '300' });
  const url = await urlOf(child);
  child.kill('SIGTERM');
  // Each fetch without keep-alive is a connection of its own.
  const ask = (path: string) => fetch(`${url}${path}`, { headers: { connection: 'close' } });
  await until('readiness to fail', async () => (await ask('/readyz')).status === 503);
  const alive = await ask('/healthz');
  assert.deepEqual([alive.status, alive.headers.get('connection')], [200, 'close']);
  child.kill('SIGTERM');
  assert.equal(await ended, 143);
  assert.match(await stderr, /"reason":"SIGTERM"/);
});

test('the first start prints a one-time admin password that works; the next start prints none', async (t) => {
  const environment = await environmentOf(t);
  const first = start(t, environment);
  const url = await urlOf(first.child);
  first.child.kill('SIGTERM');
  const printed = await first.stderr;
  const password = /^first start: log in as admin@gpumark\.local with the one-time password (\S{24})$/m.exec(
    printed,
  )?.[1];
  assert(password, printed);
  assert(url);
  const second = start(t, environment);
  const secondUrl = await urlOf(second.child);
  const body = JSON.stringify({ email: 'admin@gpumark.local', password });
  const headers = { 'content-type': 'application/json' };
  assert.equal((await fetch(`${secondUrl}/api/user/login`, { method: 'POST', headers, body })).status, 200);
  second.child.kill('SIGTERM');
  assert.doesNotMatch(await second.stderr, /password/);
});

test('a first start that cannot listen prints no password: the next one makes the admin and prints it', async (t) => {
  const environment = await environmentOf(t);
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.after(() => taken.close());
  const address = taken.address();
  assert(address !== null && typeof address === 'object');
  const first = start(t, { ...environment, PORT: String(address.port) });
  assert.equal(await first.ended, 1);
  assert.doesNotMatch(await first.stderr, /one-time password/);
  const second = start(t, environment);
  assert(await urlOf(second.child));
  second.child.kill('SIGTERM');
  assert.match(await second.stderr, /one-time password \S{24}$/m);
});

test('ADMIN_EMAIL and ADMIN_PASSWORD name the first admin, and the password is not printed', async (t) => {
  const environment = {
    ...(await environmentOf(t)),
    ADMIN_EMAIL: 'root@example.com',
    ADMIN_PASSWORD: 'a password of twelve',
  };
  const { child, stderr } = start(t, environment);
  const url = await urlOf(child);
  const body = JSON.stringify({ email: 'root@example.com', password: 'a password of twelve' });
  const response = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  assert.equal(response.status, 200);
  child.kill('SIGTERM');
  assert(!(await stderr).includes('a password of twelve'));
});

test('1: a wrong environment stops the start with one sentence that names the variable', async (t) => {
  const environment = await environmentOf(t);
  const wrong = start(t, { ...environment, PORT: '99999' });
  assert.equal(await wrong.ended, 1);
  assert.match(await wrong.stderr, /^The environment holds a wrong value\. PORT: [^\n]+\n$/);
  const url = 'postgres://nobody:secret-word@127.0.0.1:1/none';
  const away = start(t, { ...environment, DATABASE_URL: url });
  assert.equal(await away.ended, 1);
  const sentence = await away.stderr;
  assert.match(sentence, /127\.0\.0\.1/);
  assert(!sentence.includes('secret-word'));
});
