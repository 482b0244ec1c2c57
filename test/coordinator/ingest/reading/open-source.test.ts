import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { azureNextPage, openSource, type OpenOptions } from '../../../../coordinator/ingest/reading/open-source.ts';
import { readJson } from '../../../../coordinator/ingest/reading/read-json.ts';
import { redirectedTo } from '../../../../coordinator/ingest/reading/fetch-source.ts';

/** Without the pauses that a real source gets. The test's servers listen on this machine. */
const quick = { retryMs: 1, mayConnect: (address: string) => address === '127.0.0.1' };

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function read(name: string, options: OpenOptions = quick): Promise<string> {
  const opened = await openSource(name, options);
  assert.ok(opened !== 'unchanged');
  return Buffer.concat(await Array.fromAsync(opened.content)).toString();
}

const folder = mkdtempSync(join(tmpdir(), 'gpumark-open-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('a file is read with its size, and each step towards it is told', async () => {
  const path = join(folder, 'a.csv');
  writeFileSync(path, 'x'.repeat(600_000));
  const steps: number[] = [];
  const opened = await openSource(path, { onProgress: (bytes) => steps.push(bytes) });
  assert.ok(opened !== 'unchanged');
  assert.equal(opened.size, 600_000);
  assert.equal(Buffer.concat(await Array.fromAsync(opened.content)).length, 600_000);
  assert.equal(steps.at(-1), 600_000);
  assert.deepEqual(
    steps,
    steps.toSorted((a, b) => a - b),
  );
});

test('no file, a folder and no URL are told in one sentence that names them', async () => {
  await assert.rejects(openSource(join(folder, 'none.csv')), /none\.csv: there is no such file$/);
  await assert.rejects(openSource(folder), /: is a folder; name a file in it$/);
  await assert.rejects(openSource('http://'), /is not a URL$/);
});

test('a source that still has what was read last is not read again', async (t) => {
  const asked: (string | undefined)[] = [];
  const url = await serve(t, (request, response) => {
    asked.push(request.headers['if-none-match']);
    if (request.headers['if-none-match'] === '"v1"') return void response.writeHead(304, { etag: '"v1"' }).end();
    response.writeHead(200, { etag: '"v1"', 'content-length': '5' }).end('hello');
  });
  const first = await openSource(`${url}/a.csv`, quick);
  assert.ok(first !== 'unchanged');
  assert.deepEqual([first.etag, first.size], ['"v1"', 5]);
  assert.equal(Buffer.concat(await Array.fromAsync(first.content)).toString(), 'hello');
  assert.equal(await openSource(`${url}/a.csv`, { ...quick, etag: '"v1"' }), 'unchanged');
  assert.deepEqual(asked, [undefined, '"v1"']);
});

test('429, 503 and broken connections are tried again until it works', async (t) => {
  let calls = 0;
  const url = await serve(t, (request, response) => {
    calls += 1;
    if (calls === 1) return void response.writeHead(429, { 'retry-after': '0' }).end();
    if (calls === 2) return void response.writeHead(503).end('busy');
    if (calls === 3) return void request.socket.destroy();
    response.end('at last');
  });
  assert.equal(await read(`${url}/a.csv`), 'at last');
  assert.equal(calls, 4);
});

test('a server that keeps failing is given up with its answer, one that refuses is not asked twice', async (t) => {
  let calls = 0;
  const url = await serve(t, (request, response) => {
    calls += 1;
    response.writeHead(request.url === '/busy' ? 503 : request.url === '/key' ? 403 : 404).end('no');
  });
  await assert.rejects(read(`${url}/busy`), /\/busy: answered 503 Service Unavailable, 5 times$/);
  assert.equal(calls, 5);
  await assert.rejects(read(`${url}/none?key=secret`), (error: Error) => {
    assert.match(error.message, /\/none: answered 404 Not Found$/);
    return !error.message.includes('secret');
  });
  await assert.rejects(read(`${url}/key`), /answered 403 Forbidden: it may need a key$/);
  assert.equal(calls, 7);
});

test('a server that is not there is told as such', async (t) => {
  const url = await serve(t, (_, response) => response.end());
  const gone = url.replace(/\d+$/, '1');
  await assert.rejects(read(`${gone}/a.csv`), /a\.csv: cannot be reached: nothing listens there$/);
});

test('a body that breaks off is asked for from there on; where it cannot be, that is an error and no short file', async (t) => {
  const whole = 'abcdefghij'.repeat(1000);
  const ranges: (string | undefined)[] = [];
  const url = await serve(t, (request, response) => {
    ranges.push(request.headers.range);
    const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const headers = { etag: '"v1"', 'content-length': String(whole.length - start) };
    if (request.url === '/stubborn' || start === 0) {
      response.writeHead(200, { ...headers, 'content-length': String(whole.length) }).write(whole.slice(0, 4000));
      return void setTimeout(() => response.destroy(), 20);
    }
    response.writeHead(206, { ...headers, 'content-range': `bytes ${start}-${whole.length - 1}/${whole.length}` });
    response.end(whole.slice(start));
  });
  assert.equal(await read(`${url}/a.csv`), whole);
  assert.deepEqual(ranges, [undefined, 'bytes=4000-9999']);
  await assert.rejects(read(`${url}/stubborn`), /\/stubborn: broke off after 4000 bytes and could not be resumed/);
});

test('redirections are followed', async (t) => {
  const url = await serve(t, (request, response) => {
    if (request.url === '/old') return void response.writeHead(302, { location: '/new' }).end();
    response.end('here');
  });
  assert.equal(await read(`${url}/old`), 'here');
});

test('a redirection to an address that may not be connected to is not gone to, and nothing of the answer is told', async (t) => {
  let inside = 0;
  const url = await serve(t, (request, response) => {
    if (request.headers.host?.startsWith('127.0.0.1') !== true) inside += 1;
    const port = request.headers.host?.split(':')[1] ?? '';
    const hosts: Record<string, string> = { '/a': '127.0.0.2', '/c': '[::1]', '/d': '169.254.169.254' };
    const location = `http://me:hidden@${hosts[request.url?.slice(0, 2) ?? '']}:${port}/hidden`;
    response.writeHead(302, { location, 'x-secret': 'hidden' }).end('hidden');
  });
  const mayConnect = (address: string) => address === '127.0.0.1';
  for (const path of ['/a', '/c', '/d'])
    await assert.rejects(read(`${url}${path}?k=hidden`, { retryMs: 1, mayConnect }), (error: Error) => {
      assert.match(error.message, /: leads to an address that is not public\. If this is intended, add /);
      return !error.message.includes('hidden');
    });
  assert.equal(inside, 0);
});

test('redirections end, and lead neither from https to http nor to other protocols', async (t) => {
  let calls = 0;
  const url = await serve(t, (request, response) => {
    calls += 1;
    response.writeHead(307, { location: request.url === '/file' ? 'file:///etc/passwd' : '/again' }).end();
  });
  await assert.rejects(read(`${url}/again`), /is redirected more than 5 times$/);
  assert.equal(calls, 6);
  await assert.rejects(read(`${url}/file`), /\/file: is redirected to something other than an http\(s\) address$/);
  const place = new URL('https://example.com/a');
  assert.throws(() => redirectedTo('https://x/', place, 'http://example.com/a'), /from https to http/);
  assert.equal(redirectedTo('https://x/', place, '/b').href, 'https://example.com/b');
});

test('credentials of a URL are sent to nobody and told to nobody', async (t) => {
  const seen: (string | undefined)[] = [];
  const url = await serve(t, (request, response) => {
    seen.push(request.headers.authorization, request.headers.cookie);
    if (request.url === '/old') return void response.writeHead(302, { location: '/gone' }).end();
    response.writeHead(404).end();
  });
  const named = url.replace('http://', 'http://user:hunter2@');
  await assert.rejects(read(`${named}/old`), (error: Error) => !error.message.includes('hunter2'));
  assert.deepEqual(seen, [undefined, undefined, undefined, undefined]);
});

test('an error about an answer quotes none of it, as one about a file does', async (t) => {
  const url = await serve(t, (_, response) => response.end('{"aws_secret_key": "AKIA'));
  for (const name of [`${url}/a.json`, 'a.json']) {
    const content = (async function* () {
      yield Buffer.from('{"aws_secret_key": AKIA');
    })();
    const { message } = await readJson({ name, content }).then(
      () => new Error('was read'),
      (error: Error) => error,
    );
    assert.equal(message.includes('AKIA'), name === 'a.json', message);
  }
  await assert.rejects(read(`${url}/list`, { ...quick, nextPage: azureNextPage }), (error: Error) => {
    assert.match(error.message, /is cut off or not JSON$/);
    return true;
  });
});

test('a list in pages is read to its last page as one array of them', async (t) => {
  const url = await serve(t, (request, response) => {
    const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page') ?? 1);
    const next = page < 3 ? `${url}/list?page=${page + 1}` : null;
    response.end(JSON.stringify({ Items: [page], NextPageLink: next }));
  });
  const text = await read(`${url}/list`, { ...quick, nextPage: azureNextPage });
  assert.deepEqual(
    (JSON.parse(text) as { Items: number[] }[]).map(({ Items }) => Items),
    [[1], [2], [3]],
  );
});

test('pages that lead in a circle or to another host end in an error', async (t) => {
  const url = await serve(t, (request, response) => {
    const next = request.url === '/circle' ? `${url}/circle` : 'http://127.0.0.2/list';
    response.end(JSON.stringify({ Items: [], NextPageLink: next }));
  });
  await assert.rejects(read(`${url}/circle`, { ...quick, nextPage: azureNextPage }), /lead back to one that was read$/);
  await assert.rejects(
    read(`${url}/away`, { ...quick, nextPage: azureNextPage }),
    /its link to the next page leads to another host or protocol$/,
  );
});
