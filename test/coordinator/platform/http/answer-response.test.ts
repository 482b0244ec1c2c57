import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { AnswerResponse } from '../../../../coordinator/platform/http/headers.ts';

type Write = (response: ServerResponse, setHeader: (name: string, value: string) => void) => void;

/** The bytes on the wire, without the date: as our response writes them, or as node's own does from its table of headers. */
async function written(write: Write, own: boolean): Promise<string> {
  const server = createServer(own ? { ServerResponse: AnswerResponse } : {}, (_request, response: ServerResponse) => {
    const set = (name: string, value: string): void => {
      if (response instanceof AnswerResponse) response.setCommon(name, value);
      else response.setHeader(name, value);
    };
    write(response, set);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const socket = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  let text = '';
  socket.on('data', (chunk: Buffer) => void (text += chunk.toString('latin1')));
  await once(socket, 'close');
  server.close();
  return text.replace(/^Date: .*\r\n/m, '');
}

const cases: Record<string, Write> = {
  'headers of every answer and its own': (response, set) => {
    set('X-Request-Id', 'a1');
    set('Cache-Control', 'no-store');
    response.writeHead(200, { 'content-type': 'text/plain', 'Content-Length': 2 }).end('ok');
  },
  'one that is set twice has its last value': (response, set) => {
    set('Cache-Control', 'no-store');
    set('X-Frame-Options', 'DENY');
    set('Cache-Control', 'private');
    response.writeHead(200, 'Fine', { 'content-length': '2' }).end('ok');
  },
  'a value that is the name of another': (response, set) => {
    set('X-Request-Id', 'cache-control');
    set('Cache-Control', 'no-store');
    response.writeHead(200, { 'content-length': '0' }).end();
  },
  'cookies as a list': (response, set) => {
    set('X-Frame-Options', 'DENY');
    response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'], 'content-length': '0' }).end();
  },
  'an answer of unknown length': (response, set) => {
    set('X-Frame-Options', 'DENY');
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write('o');
    response.end('k');
  },
  'no head of its own': (response, set) => {
    set('X-Frame-Options', 'DENY');
    response.statusCode = 404;
    response.end('none');
  },
  'no content': (response, set) => {
    set('X-Frame-Options', 'DENY');
    response.writeHead(204).end();
  },
  pairs: (response) => {
    response.writeHead(200, ['A', '1', 'Content-Length', '0']).end();
  },
};

for (const [name, write] of Object.entries(cases))
  test(`the bytes are those that node's own response writes: ${name}`, async () => {
    assert.equal(await written(write, true), await written(write, false));
  });

test('what an answer sets itself goes before what every answer has, in small letters or not', async () => {
  const text = await written((response, set) => {
    set('Cache-Control', 'no-store');
    set('X-Frame-Options', 'DENY');
    response.writeHead(200, { 'cache-control': 'max-age=5', 'content-length': '0' }).end();
  }, true);
  assert.match(text, /\r\nX-Frame-Options: DENY\r\ncache-control: max-age=5\r\ncontent-length: 0\r\n/);
  assert.doesNotMatch(text, /no-store/);
});

test('a value that would end the line is refused as node refuses it', async () => {
  let refusal: unknown;
  await written((response, set) => {
    set('X-Request-Id', 'a\r\nSet-Cookie: b=1');
    try {
      response.writeHead(200);
    } catch (error) {
      refusal = error;
    }
    response.destroy();
  }, true);
  assert.match(String(refusal), /ERR_INVALID_CHAR/);
});
