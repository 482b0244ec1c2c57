import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { passOn } from '../../../coordinator/platform/db/news.ts';
import { defaultLimits, listen } from '../../../coordinator/platform/http/serve.ts';
import { testApp } from '../../support/app.ts';
import { makeUser } from '../../support/client.ts';
import { until } from '../../support/until.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { browser } from './browser-session.ts';

const app = await testApp({ after });
const user = await makeUser(app, { tier: 'plus' });

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Streams that one browser may have open. */
const MOST_OF_BROWSER = 4;

async function cookieOfNewBrowser(): Promise<string> {
  const it = browser(app);
  assert.equal((await it.signIn(user.email, user.password)).status, 303);
  return [...it.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

test('a client that opens a live page and never reads is cut off and its memory freed, while readers of the same job still get changes', async () => {
  const bodies = new Map<string, WeakRef<object>[]>();
  const { port, server, stop } = await listen(
    {
      fetch: async (request, env) => {
        const answer = await app.app.fetch(request, env);
        const cookie = request.headers.get('cookie') ?? '';
        if (answer.body) bodies.set(cookie, [...(bodies.get(cookie) ?? []), new WeakRef(answer.body)]);
        return answer;
      },
    },
    { host: '127.0.0.1', port: 0 },
    { ...defaultLimits, answerTimeoutMs: 300 },
  );
  const job = await makeJob(app, user, {});
  const open = (cookie: string): Socket => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET /jobs/${job.id}/events HTTP/1.1\r\nhost: coordinator.test\r\ncookie: ${cookie}\r\n\r\n`);
    return socket;
  };

  const reading = await cookieOfNewBrowser();
  let heard = '';
  const reader = open(reading).on('data', (piece) => (heard += piece.toString()));
  await until('the reader has the page', () => heard.includes('event: snapshot'));

  // The system would buffer 4 MB, 20 s of changes, before anything accumulates in the process: on these connections it
  // buffers nothing.
  const ended: Promise<unknown>[] = [];
  const hold = (socket: Socket): void => {
    socket.cork();
    ended.push(once(socket, 'close'));
  };
  server.on('connection', hold);
  const silent = await cookieOfNewBrowser();
  const sockets = Array.from({ length: MOST_OF_BROWSER }, () => open(silent).pause());
  await until('all streams are open', () => ended.length === MOST_OF_BROWSER);
  await Promise.all(ended);
  server.off('connection', hold);
  assert.equal(bodies.get(silent)?.length, MOST_OF_BROWSER, 'each connection has its stream');
  await until('the data queued for them is freed', () => {
    collectGarbage();
    return bodies.get(silent)?.every((body) => body.deref() === undefined) === true;
  });
  assert.ok(bodies.get(reading)?.[0]?.deref(), 'the data of the reader is not freed');

  heard = '';
  await new Node(app, job).register();
  passOn(app.platform.sql, 'job');
  await until('the reader receives a change', () => heard.includes('event: snapshot'));
  for (const socket of [reader, ...sockets]) socket.destroy();
  await stop();
});
