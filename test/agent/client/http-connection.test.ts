import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HANG_MS } from '../../support/until.ts';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { AnswerError, NoAnswerError } from '../../../agent/client/call-errors.ts';
import { HttpConnection } from '../../../agent/client/http-connection.ts';
import { noProxies } from '../../../agent/client/proxies.ts';
import { testHost } from '../support/test-host.ts';

async function connectionTo(t: TestContext, listener: RequestListener): Promise<HttpConnection> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = new HttpConnection({
    base_url,
    token: 't',
    trace_id: 'a'.repeat(32),
    user_agent: 'test',
    ca: null,
    proxies: noProxies,
    clock: testHost(t).clock,
    random: testHost(t).random,
  });
  t.after(async () => {
    await connection.close();
    server.closeAllConnections();
    server.close();
  });
  return connection;
}

test('a call to a server that never answers ends at the deadline', async (t) => {
  const connection = await connectionTo(t, () => undefined);
  await assert.rejects(
    connection.call('GET', '/', undefined, 150),
    (error: Error) => error instanceof NoAnswerError && /150 ms/.test(error.message),
  );
});

test('an endless answer is cut off at the deadline', async (t) => {
  const connection = await connectionTo(t, (_request, response) => void response.writeHead(200).write('{'));
  await assert.rejects(connection.call('GET', '/', undefined, 150), NoAnswerError);
});

test('a page that is not JSON is not an answer, whatever its status', async (t) => {
  for (const status of [200, 301, 302, 400, 403, 404, 409]) {
    const connection = await connectionTo(t, (_request, response) =>
      response.writeHead(status, { location: 'https://login.example/' }).end('<html>login</html>'),
    );
    await assert.rejects(
      connection.call('GET', '/', undefined, HANG_MS),
      (error: Error) => error instanceof NoAnswerError && /is this a coordinator/.test(error.message),
      `${status}`,
    );
  }
});

test('an answer over the limit is refused instead of read into memory', async (t) => {
  const connection = await connectionTo(t, (_request, response) =>
    response.writeHead(200).end(`"${'x'.repeat(5_000_000)}"`),
  );
  await assert.rejects(connection.call('GET', '/', undefined, HANG_MS), /larger than/);
});

test('an error body gives its code, message and Retry-After in seconds or as a date', async (t) => {
  const connection = await connectionTo(t, (request, response) => {
    const header = request.url === '/date' ? 'Wed, 21 Oct 2026 07:28:00 GMT' : '3';
    response.writeHead(429, { 'retry-after': header }).end('{"error":{"code":"TOO_MANY","message":"slow"}}');
  });
  const seconds = await connection.call('GET', '/', undefined, HANG_MS).catch((error: unknown) => error);
  assert.ok(seconds instanceof AnswerError);
  assert.deepEqual(
    [seconds.status, seconds.code, seconds.message, seconds.retry_after_ms],
    [429, 'TOO_MANY', 'slow', 3000],
  );
  const date = await connection.call('GET', '/date', undefined, HANG_MS).catch((error: unknown) => error);
  assert.ok(date instanceof AnswerError && date.retry_after_ms === 1000);
});

test('JSON that is not the coordinator’s error format is not a refusal', async (t) => {
  for (const body of ['{"message":"no Route matched"}', '{"error":"Not Found"}', '{"error":{"code":404}}', 'null']) {
    const connection = await connectionTo(t, (_request, response) => response.writeHead(404).end(body));
    await assert.rejects(connection.call('GET', '/', undefined, HANG_MS), NoAnswerError, body);
  }
});

test('error bodies in other formats still give the status', async (t) => {
  for (const body of ['', 'null', '{"error":null}', '[]', '{"error":"text"}']) {
    const connection = await connectionTo(t, (_request, response) => response.writeHead(502).end(body));
    const error = await connection.call('GET', '/', undefined, HANG_MS).catch((cause: unknown) => cause);
    assert.ok(error instanceof AnswerError && error.code === 'HTTP_502', body);
  }
});
