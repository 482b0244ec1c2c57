import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { readCertificates } from '../../../agent/cli/certificates.ts';
import type { ExitError } from '../../../agent/run/exit-error.ts';
import { runAgent } from '../../../agent/cli/program.ts';
import { warnOfPlainHttp } from '../../../agent/client/warn-of-plain-http.ts';
import { certificateOf, makeCertificates } from '../../support/certificates.ts';
import { tlsProxy } from '../../support/tls-proxy.ts';
import { agentTree } from '../support/agent-tree.ts';
import { fakeCoordinator } from '../support/fake-coordinator.ts';
import { jobToken, testHost } from '../support/test-host.ts';

function certificates(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'gpumark-tls-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, ...makeCertificates(folder) };
}

test('an untrusted certificate ends the run at once, before the token is sent; --ca makes it trusted', async (t) => {
  const { ca, key, cert } = certificates(t);
  await using coordinator = await fakeCoordinator();
  await using proxy = await tlsProxy(coordinator.url, { key, cert });
  const env = { GPUMARK_API_KEY: jobToken(proxy.url) };
  const distrustful = await agentTree(t).spawn([], env);
  assert.equal(distrustful.exitCode, 7, distrustful.stderr);
  assert.match(distrustful.stderr, /certificate is not trusted.*\n.*--ca FILE/);
  assert.deepEqual(proxy.requests, []);
  const trusting = await agentTree(t).spawn([], { ...env, GPUMARK_CA: ca });
  assert.ok([0, 3].includes(trusting.exitCode ?? -1), trusting.stderr);
  assert.equal(coordinator.results.size, 1);
});

test('a certificate outside its time ends the run with a pointer to this machine’s clock', async (t) => {
  const { folder } = certificates(t);
  await using coordinator = await fakeCoordinator();
  for (const [from, to, words] of [
    ['20900101000000Z', '20910101000000Z', /clock says 20\d\d-\S+Z, before the certificate begins: set the clock/],
    ['20200101000000Z', '20210101000000Z', /clock says 20\d\d-\S+Z: if that is wrong, set the clock/],
  ] as const) {
    const { ca, key, cert } = certificateOf(join(folder, from), from, to);
    await using proxy = await tlsProxy(coordinator.url, { key, cert });
    // Not by --ca, which is checked before.
    const env = { GPUMARK_API_KEY: jobToken(proxy.url), NODE_EXTRA_CA_CERTS: ca };
    const { exitCode, stderr } = await agentTree(t).spawn([], env);
    assert.equal(exitCode, 7, stderr);
    assert.match(stderr, words);
    assert.deepEqual(proxy.requests, []);
  }
});

test('--ca refuses an invalid certificate file, with the reason', (t) => {
  const { folder, ca } = certificates(t);
  const host = testHost(t);
  assert.match(readCertificates(host, { ca }) ?? '', /BEGIN CERTIFICATE/);
  assert.equal(readCertificates(host, {}), null);
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const damaged = file('damaged.pem', '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n');
  for (const [path, fault] of [
    ['/does/not/exist', /--ca: .* cannot be read/],
    [file('empty.pem', ''), /is empty/],
    [join(folder, 'ca.key'), /no PEM certificate/],
    [damaged, /certificate 1 of .* cannot be read/],
    ['/dev/zero', /is larger than/],
  ] as const)
    assert.throws(
      () => readCertificates(host, { ca: path }),
      (error: ExitError) => error.code === 2 && fault.test(error.message),
    );
  const later = { ...host, clock: { ...host.clock, now: () => Date.now() + 3 * 86_400_000 } };
  assert.throws(() => readCertificates(later, { ca }), /expired on .*, this machine’s clock says /);
  const earlier = { ...host, clock: { ...host.clock, now: () => Date.UTC(1970, 0, 1, 0, 5) } };
  assert.throws(
    () => readCertificates(earlier, { ca }),
    (error: ExitError) =>
      /is valid only from .*, this machine’s clock says 1970-01-01T00:05:00.000Z/.test(error.message) &&
      /set the clock/.test(error.remedy ?? ''),
  );
});

test('the agent does not start if NODE_TLS_REJECT_UNAUTHORIZED=0 disables verification', async (t) => {
  const start = (value: string) =>
    runAgent(testHost(t, { argv: ['--version'], env: { NODE_TLS_REJECT_UNAUTHORIZED: value } }));
  await assert.rejects(
    start('0'),
    (error: ExitError) => error.code === 2 && /anyone on the network path/.test(error.message),
  );
  assert.equal(await start('1'), 0);
});

test('plain http to a public address gives a warning, even if only the token names it', async (t) => {
  const said: string[] = [];
  const { clock } = testHost(t);
  for (const url of ['http://203.0.113.7:8080', 'http://10.1.2.3', 'http://localhost:1', 'https://203.0.113.7'])
    await warnOfPlainHttp(clock, url, ({ level, message }) => said.push(`${level} ${message}`));
  assert.equal(said.length, 1);
  assert.match(said[0] ?? '', /^warning http:\/\/203\.0\.113\.7:8080 is plain http/);
  const { stdout } = await agentTree(t).spawn(['--dry-run', '--json'], {
    GPUMARK_API_KEY: jobToken('http://203.0.113.7'),
  });
  assert.match(stdout, /"level":"warning","message":"http:\/\/203\.0\.113\.7 is plain http/);
});
