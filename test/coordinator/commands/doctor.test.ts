import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { makeCertificates } from '../../support/certificates.ts';
import { readConfig } from '../../../coordinator/platform/config.ts';
import { examine } from '../../../coordinator/platform/doctor/examine.ts';
import { warnOfClock } from '../../../coordinator/platform/doctor/clock.ts';
import { createLog } from '../../../coordinator/platform/log.ts';
import { randomBytes } from 'node:crypto';
import { makeDataDir, removeDataDir } from '../../support/data-dir.ts';
import { emptyDatabase, freshDatabase } from '../../support/postgres.ts';
import { run } from '../../support/run-program.ts';

async function place(t: TestContext) {
  const folder = await makeDataDir();
  t.after(() => removeDataDir(folder));
  const { url } = await freshDatabase(t);
  return { folder, environment: { DATA_DIR: join(folder, 'data'), DATABASE_URL: url } };
}

const byName = async (environment: Record<string, string>, now = () => new Date()) => {
  const checks = await examine(readConfig(environment), { log: createLog('silent'), now, randomBytes });
  return Object.fromEntries(checks.map((check) => [check.name, check]));
};

test('a coordinator that is well is told so, each thing with its figure', async (t) => {
  const { environment } = await place(t);
  const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
  t.after(() => void server.close());
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const { code, stdout, stderr } = await run(['doctor'], { ...environment, PUBLIC_URL: `http://127.0.0.1:${port}` });
  assert.equal(code, 0, stderr + stdout);
  assert.match(stdout, /✓ database {8}Postgres \d+\.\d+, schema (\d+) of \1, answers in \d+ ms/);
  assert.match(stdout, /✓ artifacts {7}written, read and removed/);
  assert.match(stdout, /✓ clock/);
  assert.match(stdout, /✓ public address {2}http:.* answers/);
});

test('a clock ten minutes off is broken, with what to do', async (t) => {
  const { environment } = await place(t);
  const { clock } = await byName(environment, () => new Date(Date.now() - 600_000));
  assert.deepEqual([clock?.state, clock?.remedy], ['broken', 'run a time service (chrony) on both']);
  assert.match(clock?.found ?? '', /this machine is (599|600)\.\d s behind the database/);
});

test('a database that is empty is not migrated by being looked at', async (t) => {
  const { environment } = await place(t);
  const { url, sql } = await emptyDatabase(t);
  const { database } = await byName({ ...environment, DATABASE_URL: url });
  assert.deepEqual([database?.state, /schema 0 of \d+/.test(database?.found ?? '')], ['note', true]);
  assert.equal((await sql`select to_regclass('job') as found`)[0]?.['found'], null);
});

test('wrong credentials of the store are named, and all else is still looked at', async (t) => {
  const { environment } = await place(t);
  const answer = '<Error><Code>InvalidAccessKeyId</Code></Error>';
  const store = createServer((_, response) => response.writeHead(403).end(answer)).listen(0, '127.0.0.1');
  t.after(() => void store.close());
  await new Promise((resolve) => {
    store.once('listening', resolve);
  });
  const checks = await byName({
    ...environment,
    ARTIFACT_URL: 's3://bucket',
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(store.address() as AddressInfo).port}`,
    AWS_ACCESS_KEY_ID: 'nobody',
    AWS_SECRET_ACCESS_KEY: 'nothing',
  });
  assert.equal(checks['artifacts']?.state, 'broken');
  assert.match(checks['artifacts']?.found ?? '', /refuses AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/);
  assert.equal(checks['database']?.state, 'ok');
});

test('an expired certificate, an unreachable address and a wrong pair of files are said in words', async (t) => {
  const { folder, environment } = await place(t);
  mkdirSync(join(folder, 'tls'));
  const certificates = makeCertificates(join(folder, 'tls'));
  const files = { TLS_CERT_FILE: join(folder, 'tls/server.pem'), TLS_KEY_FILE: join(folder, 'tls/server.key') };
  const settings = { ...environment, ...files, PUBLIC_URL: 'http://127.0.0.1:9' };
  const inAYear = await byName(settings, () => new Date(Date.now() + 365 * 86_400_000));
  assert.equal(inAYear['certificate']?.state, 'broken');
  assert.match(
    inAYear['certificate']?.found ?? '',
    /expired on \d{4}-\d\d-\d\d; clients that verify it cannot connect: renew it/,
  );
  const soon = await byName(settings);
  assert.match(soon['certificate']?.found ?? '', /expires on/);
  assert.match(soon['public address']?.found ?? '', /cannot be reached from here: (ECONNREFUSED|no answer|bad port)/);
  writeFileSync(files.TLS_KEY_FILE, certificates.cert);
  const wrong = await byName(settings);
  assert.match(wrong['certificate']?.found ?? '', /are not a certificate and its key in PEM/);
});

test(
  'a read-only disk is named, and the database is looked at all the same',
  { skip: process.getuid?.() === 0 ? false : 'needs root to mount' },
  async (t) => {
    const { environment } = await place(t);
    // Not below a folder that other runs tidy up: a mount that a killed test left there would stop them.
    const disk = mkdtempSync(join(tmpdir(), 'gpumark-read-only-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro,size=1m', 'tmpfs', disk]);
    try {
      const checks = await byName({ ...environment, DATA_DIR: join(disk, 'data') });
      assert.equal(checks['data folder']?.state, 'broken');
      assert.match(checks['data folder']?.found ?? '', /^DATA_DIR: cannot use .*\(EROFS/);
      assert.equal(checks['database']?.state, 'ok');
    } finally {
      execFileSync('umount', [disk]);
      rmdirSync(disk);
    }
  },
);

test('a server whose clock is ten minutes off says so in its log and goes on', async (t) => {
  const { sql } = await freshDatabase(t);
  const said: unknown[] = [];
  const log = { warn: (...words: unknown[]) => said.push(...words) } as unknown as ReturnType<typeof createLog>;
  await warnOfClock({ sql, log, now: () => new Date() });
  assert.deepEqual(said, []);
  await warnOfClock({ sql, log, now: () => new Date(Date.now() + 600_000) });
  assert.match(JSON.stringify(said), /chrony.*this machine is 600\.\d s ahead of the database/);
});
