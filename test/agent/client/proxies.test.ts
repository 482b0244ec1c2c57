import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { NoAnswerError } from '../../../agent/client/call-errors.ts';
import { HttpConnection } from '../../../agent/client/http-connection.ts';
import { noProxies, proxiesOf } from '../../../agent/client/proxies.ts';
import { doctor } from '../../../agent/cli/doctor-command.ts';
import { runOptions } from '../../../agent/cli/options.ts';
import { runAgent } from '../../../agent/cli/program.ts';
import type { ExitError } from '../../../agent/run/exit-error.ts';
import type { Proxies } from '../../../agent/run/run-options.ts';
import { makeCertificates } from '../../support/certificates.ts';
import { httpProxy } from '../../support/http-proxy.ts';
import { tlsProxy } from '../../support/tls-proxy.ts';
import { HANG_MS } from '../../support/until.ts';
import { agentTree } from '../support/agent-tree.ts';
import { fakeCoordinator } from '../support/fake-coordinator.ts';
import { fakeRunner } from '../support/fake-runner.ts';
import { jobToken, testHost } from '../support/test-host.ts';

/** A name that only the proxy can resolve, at the port of the given address. */
const named = (url: string, host = 'coordinator.test'): string => url.replace('127.0.0.1', host);

function open(t: TestContext, base_url: string, proxies: Proxies, ca: string | null = null): HttpConnection {
  const { clock, random } = testHost(t);
  const rest = { token: 't', trace_id: 'a'.repeat(32), user_agent: 'test', clock, random };
  const connection = new HttpConnection({ base_url, proxies, ca, ...rest });
  t.after(() => connection.close());
  return connection;
}

/** The job as the fake coordinator tells it, asked for by a call of the protocol. */
const ask = (connection: HttpConnection): Promise<unknown> =>
  connection.call('GET', '/api/gpu-mark/v1/agent/job', undefined, HANG_MS);

test('a whole job runs through the proxy of the environment, by plain requests, and --no-proxy goes without it', async (t) => {
  await using coordinator = await fakeCoordinator();
  await using proxy = await httpProxy();
  const url = named(coordinator.url);
  const { exitCode, stderr } = await agentTree(t).spawn([], { GPUMARK_API_KEY: jobToken(url), http_proxy: proxy.url });
  assert.ok([0, 3].includes(exitCode ?? -1), stderr);
  assert.equal(coordinator.results.size, 1);
  assert.ok(proxy.asked.length >= coordinator.calls.length);
  assert.ok(proxy.asked.every((line) => line.includes(` ${url}/api/gpu-mark/v1/agent/`)));
  const { length } = proxy.asked;
  // What --no-proxy parses to.
  const flags = { device: 'cpu', tier: 'quick', proxy: false } as const;
  const given = testHost(t, { env: { HTTP_PROXY: proxy.url } });
  assert.deepEqual(runOptions(given, flags, undefined).proxies, noProxies);
  assert.notDeepEqual(runOptions(given, { ...flags, proxy: true }, undefined).proxies, noProxies);
  const host = testHost(t, { argv: ['doctor', '--no-proxy'], env: { HTTP_PROXY: proxy.url } });
  fakeRunner(host.folder);
  await runAgent(host);
  assert.match(host.out(), /proxy +none: --no-proxy/);
  assert.equal(proxy.asked.length, length);
});

test('an https coordinator is reached by CONNECT, its certificate is checked for its own name, and no other is trusted', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gpumark-proxy-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const { ca, key, cert } = makeCertificates(folder);
  const authority = readFileSync(ca, 'utf8');
  await using coordinator = await fakeCoordinator();
  await using tls = await tlsProxy(coordinator.url, { key, cert });
  await using proxy = await httpProxy();
  const proxies = proxiesOf({ HTTPS_PROXY: proxy.url });
  const connection = open(t, named(tls.url), proxies, authority);
  await ask(connection);
  assert.deepEqual(proxy.asked, [`CONNECT ${named(tls.url).replace('https://', '')}`]);
  assert.deepEqual(tls.requests, ['/api/gpu-mark/v1/agent/job']);
  assert.equal(connection.local_address, '127.0.0.1', 'of the route to the proxy');
  await assert.rejects(ask(open(t, named(tls.url, 'other.test'), proxies, authority)), /ERR_TLS_CERT_ALTNAME_INVALID/);
  await assert.rejects(ask(open(t, named(tls.url), proxies)), /its certificate is not trusted/);
  assert.equal(tls.requests.length, 1);
});

test('a lower-case name comes before capitals, https without its own uses that of http, and a scheme may be left out', () => {
  const both = { HTTP_PROXY: 'http://a:1', http_proxy: 'http://b:2', HTTPS_PROXY: 'http://c:3', NO_PROXY: 'x' };
  assert.deepEqual(proxiesOf(both), { http: 'http://b:2/', https: 'http://c:3/', except: 'x' });
  assert.deepEqual(proxiesOf({ HTTP_PROXY: 'a:1', no_proxy: 'y', NO_PROXY: 'x' }), {
    http: 'http://a:1/',
    https: 'http://a:1/',
    except: 'y',
  });
  // An empty lower-case name turns the other off, as for curl.
  assert.deepEqual(proxiesOf({ HTTP_PROXY: 'http://a:1', http_proxy: '' }), noProxies);
});

test('hosts of NO_PROXY, by name, domain, port, address, network or *, and this machine itself, are reached directly', async (t) => {
  await using coordinator = await fakeCoordinator();
  await using proxy = await httpProxy();
  const { port } = new URL(coordinator.url);
  const isProxied = async (host: string, except: string): Promise<boolean> => {
    const before = proxy.asked.length;
    // Directly these names lead nowhere; only the way is of interest.
    await open(t, `http://${host}:${port}`, proxiesOf({ HTTP_PROXY: proxy.url, NO_PROXY: except }))
      .call('GET', '/', undefined, 400)
      .catch(() => undefined);
    return proxy.asked.length > before;
  };
  for (const [host, except] of [
    ['node.example.invalid', 'node.example.invalid'],
    ['node.example.invalid', 'EXAMPLE.invalid'],
    ['node.example.invalid', '.example.invalid'],
    ['node.example.invalid', 'a.invalid, *.example.invalid'],
    ['node.example.invalid', `example.invalid:${port}`],
    ['node.example.invalid', '*'],
    ['127.0.0.9', '127.0.0.9'],
    ['127.0.0.9', '127.0.0.8/29'],
    ['[::ffff:7f00:1]', '::ffff:0:0/96'],
    ['127.0.0.1', ''],
    ['localhost', ''],
    ['[::1]', ''],
  ] as const)
    assert.equal(await isProxied(host, except), false, `${host} with ${except}`);
  for (const [host, except] of [
    ['node.example.invalid', ''],
    ['node.example.invalid', 'ode.example.invalid'],
    ['node.example.invalid', 'node.example.invalid:1'],
    ['example.invalid', '*.example.invalid'],
    ['127.0.0.9', '127.0.0.16/29'],
    ['127.0.0.9', '127.0.0.8/33'],
  ] as const)
    assert.equal(await isProxied(host, except), true, `${host} with ${except}`);
});

test('the name and password in a proxy’s address log in to it, and neither doctor nor an error shows them', async (t) => {
  await using coordinator = await fakeCoordinator();
  await using proxy = await httpProxy();
  const withLogin = proxy.url.replace('//', '//user:se%40cret@');
  await ask(open(t, named(coordinator.url), proxiesOf({ HTTP_PROXY: withLogin })));
  assert.deepEqual(proxy.logins, [`Basic ${Buffer.from('user:se@cret').toString('base64')}`]);
  const host = testHost(t, { env: { HTTP_PROXY: withLogin, NO_PROXY: '.corp.example' } });
  fakeRunner(host.folder);
  assert.equal(await doctor(host, { device: 'cpu', tier: 'quick' }), 0, host.out());
  const said = host.out().replaceAll(/\s+/g, ' ');
  assert.ok(said.includes(`http by ${proxy.url};`) && said.includes('by NO_PROXY, to .corp.example'), said);
  assert.ok(!host.out().includes('cret'));
  await using refusing = await httpProxy(403);
  const login = refusing.url.replace('//', '//user:secret@');
  const refused = ask(open(t, 'https://coordinator.test', proxiesOf({ HTTPS_PROXY: login })));
  await assert.rejects(
    refused,
    (error: NoAnswerError) =>
      error.message.includes(`by the proxy ${refusing.url}`) && !error.message.includes('secret'),
  );
});

test('a proxy’s own page is not taken for the coordinator’s answer, and 407 says that it wants a login', async (t) => {
  for (const [status, words] of [
    [403, /is this a coordinator/],
    [407, /Proxy Authentication Required/],
  ] as const) {
    await using proxy = await httpProxy(status);
    await assert.rejects(ask(open(t, 'http://coordinator.test', proxiesOf({ HTTP_PROXY: proxy.url }))), words);
  }
});

test('a value other than the address of an HTTP proxy is a usage error that names the variable and --no-proxy', async (t) => {
  for (const value of ['socks5://127.0.0.1:1080', 'http://', 'http://user:secret@', 'not a proxy'])
    assert.throws(
      () => proxiesOf({ https_proxy: value }),
      (error: ExitError) =>
        error.code === 2 &&
        error.message.startsWith('https_proxy must be') &&
        !error.message.includes('secret') &&
        (error.remedy ?? '').includes('--no-proxy'),
      value,
    );
  const host = testHost(t, { env: { HTTPS_PROXY: 'socks5://127.0.0.1:1080' } });
  fakeRunner(host.folder);
  assert.equal(await doctor(host, { device: 'cpu', tier: 'quick' }), 2);
  assert.match(host.out(), /✗ proxy +HTTPS_PROXY must be/);
});
