import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
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

/** The block with which the start ends, and the address in it. */
async function readyOf(child: ReturnType<typeof start>['child']): Promise<{ url: string; block: string[] }> {
  const block: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    block.push(line);
    const url = /^ {2}page {6}(http:\/\/127\.0\.0\.1:\d+)$/.exec(block[1] ?? '')?.[1];
    if (url !== undefined && line.startsWith('  next ')) return { url, block };
  }
  throw new Error(`the coordinator ended without a block: ${block.join('\n')}`);
}

const urlOf = async (child: ReturnType<typeof start>['child']): Promise<string> => (await readyOf(child)).url;

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
  const { url, block } = await readyOf(first.child);
  first.child.kill('SIGTERM');
  const [head, page, signIn = '', next] = block;
  assert.deepEqual(
    [head, page, next],
    ['gpumark is ready', `  page      ${url}`, '  next      open the page, New job, paste its line on a machine'],
  );
  const said =
    /^ {2}sign in {3}admin@gpumark\.local {3}one-time password {2}(\S{24}) {3}\(shown once, good for 7 days\)$/;
  const password = said.exec(signIn)?.[1] ?? assert.fail(signIn);
  assert(!(await first.stderr).includes(password), 'it is in no log');
  const second = start(t, environment);
  const { url: secondUrl, block: secondBlock } = await readyOf(second.child);
  assert.match(secondBlock[2] ?? '', /^ {2}sign in {3}admin@gpumark\.local {3}\(password lost: /);
  const body = JSON.stringify({ email: 'admin@gpumark.local', password });
  const headers = { 'content-type': 'application/json' };
  assert.equal((await fetch(`${secondUrl}/api/user/login`, { method: 'POST', headers, body })).status, 200);
  second.child.kill('SIGTERM');
  assert.doesNotMatch(await second.stderr, /password/);
});

test('under PUBLIC_URL the block says that address, and beside it the one that the process has bound', async (t) => {
  const { child } = start(t, { ...(await environmentOf(t)), PUBLIC_URL: 'https://gpumark.example.com' });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  assert.equal((await lines.next()).value, 'gpumark is ready');
  const { value } = await lines.next();
  assert.match(
    String(value),
    /^ {2}page {6}https:\/\/gpumark\.example\.com {3}\(listening on http:\/\/127\.0\.0\.1:\d+\)$/,
  );
});

test('at a terminal the start prints the block and no JSON line; those are in the file that the block names', async (t) => {
  const { NODE_COMPILE_CACHE = '', ...environment } = await environmentOf(t);
  const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  // `script` runs it on a terminal of its own.
  const line = ['env', ...settings, process.execPath, main].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['--quiet', '--flush', '--command', line, '/dev/null'], {
    env: { PATH: process.env['PATH'], SHELL: '/bin/sh', NODE_COMPILE_CACHE },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => void child.kill('SIGKILL'));
  const shown: string[] = [];
  for await (const one of createInterface(child.stdout)) if (shown.push(one) > 0 && one.startsWith('  log ')) break;
  const file = join(environment['DATA_DIR'] ?? '', 'coordinator.log');
  assert.deepEqual(
    shown.map((one) => /^(?:gpumark is ready| {2}(?:page|sign in|next|log) +)/.exec(one)?.[0].trim()),
    ['gpumark is ready', 'page', 'sign in', 'next', 'log'],
    shown.join('\n'),
  );
  assert.equal(shown.at(-1)?.trimEnd(), `  log       ${file}`);
  for (const one of (await readFile(file, 'utf8')).trimEnd().split('\n'))
    assert.equal(typeof JSON.parse(one), 'object');
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
  const { block } = await readyOf(second.child);
  assert.match(block[2] ?? '', /one-time password {2}\S{24} /);
});

test('ADMIN_EMAIL and ADMIN_PASSWORD name the first admin, and the password is not printed', async (t) => {
  const environment = {
    ...(await environmentOf(t)),
    ADMIN_EMAIL: 'root@example.com',
    ADMIN_PASSWORD: 'a password of twelve',
  };
  const { child, stderr } = start(t, environment);
  const { url, block } = await readyOf(child);
  assert.equal(block[2], '  sign in   root@example.com   with the password of ADMIN_PASSWORD');
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
