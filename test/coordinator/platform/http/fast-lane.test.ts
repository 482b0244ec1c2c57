import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { createRoute, z } from '@hono/zod-openapi';
import { access } from '../../../../coordinator/contract/access.ts';
import { json, jsonBody, speaks } from '../../../../coordinator/contract/operation.ts';
import { DomainError } from '../../../../coordinator/platform/errors.ts';
import type { Verifier } from '../../../../coordinator/platform/http/auth/admit.ts';
import { createArea } from '../../../../coordinator/platform/http/area.ts';
import { createMetrics } from '../../../../coordinator/platform/http/observe.ts';
import { withFastLane } from '../../../../coordinator/platform/http/fast-lane.ts';
import { mount } from '../../../../coordinator/platform/http/mount.ts';
import { listen } from '../../../../coordinator/platform/http/serve.ts';
import { testApp } from '../../../support/app.ts';
import { actorOf, makeUser } from '../../../support/client.ts';
import { until } from '../../../support/until.ts';

const coordinator = await testApp({ after }, { logLevel: 'info', environment: { REQUESTS_PER_ADDRESS: '8' } });
const { platform, logLines } = coordinator;
const address = { host: '127.0.0.1', port: 0 };

/** One operation on both ways: a server that has the lane and counts what still went past the router, and one without. */
const calls: number[] = [];
const held = Promise.withResolvers<void>();
let draining = false;
const area = createArea(platform, 'error');
const body = z.object({ n: z.int().positive() });
const responses = { 200: json(z.object({ twice: z.number() }), 'twice the number') };
const route = createRoute({
  ...access.public,
  ...speaks('error', 'Test'),
  method: 'post',
  path: '/twice',
  request: jsonBody(body),
  responses,
});
area.on(route, async (context, { body: { n } }) => {
  calls.push(n);
  context.note({ asked: n });
  if (n === 13) throw new DomainError('conflict', 'Not that one.', { retryAfterSeconds: 7 });
  if (n === 14) throw new Error('a fault of ours');
  if (n === 15) await held.promise;
  return { twice: 2 * n };
});
/** What dashboards ask again and again: the verb gets what the schema made of it, and says whether it got that before. */
const named = createRoute({
  ...access.data,
  ...speaks('error', 'Test'),
  method: 'post',
  path: '/named',
  request: jsonBody(z.object({ name: z.string().trim(), tags: z.array(z.string()).default([]) })),
  responses: { 200: json(z.object({ name: z.string(), before: z.boolean() }), 'the name') },
});
const given = new Set<object>();
area.on(named, async (_context, asked) => {
  const before = given.has(asked.body);
  given.add(asked.body);
  if (asked.body.name === 'changed') asked.body.tags.push('by the verb');
  return { name: asked.body.name, before };
});
const caller = await actorOf(coordinator, await makeUser(coordinator));
const customer: Verifier = {
  recognises: (token) => token === 'a-customer',
  verify: () => Promise.resolve(caller),
};
const metrics = createMetrics({ processMetrics: false });
const router = mount({ platform, areas: [area], verifiers: [customer], metrics, isDraining: () => draining });
const app = withFastLane(router, [route, named]);
let ordinary = 0;
const counted: typeof app.fetch = (...given) => {
  ordinary += 1;
  return app.fetch(...given);
};
const fast = await listen({ ...app, fetch: counted }, address);
const slow = await listen(router, address);
after(async () => {
  await fast.stop();
  await slow.stop();
});

const post = async (url: string, sent: string, headers: Record<string, string> = {}, path = '/twice') => {
  const all = { 'content-type': 'application/json', 'x-request-id': 'request-0001', ...headers };
  const response = await fetch(`${url}${path}`, { method: 'POST', headers: all, body: sent });
  // the time of the answer and how the connection is kept are the server's own
  const kept = [...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
  return { status: response.status, headers: Object.fromEntries(kept), text: await response.text() };
};
/** How many of the requests that `act` makes took the ordinary way. */
const ordinarily = async (act: () => Promise<unknown>) => {
  const before = ordinary;
  await act();
  return ordinary - before;
};

test('a good call is answered past the router, and as the router would', async () => {
  let answer;
  assert.equal(await ordinarily(async () => (answer = await post(fast.url, '{"n":21}'))), 0);
  assert.deepEqual(answer, await post(slow.url, '{"n":21}'));
  assert.equal(JSON.stringify(answer).includes('{\\"twice\\":42}'), true);
});

test('every refusal reads the same on both ways, and a fault is logged with its caller', async () => {
  for (const sent of ['{"n":0}', '{"n":"x"}', '{', '[]', '{"n":13}', '{"n":14}', '"\\u0000"']) {
    const before = calls.length;
    let ours = await post(fast.url, '{"n":1}');
    assert.equal(await ordinarily(async () => (ours = await post(fast.url, sent))), 0);
    assert.ok(calls.length - before <= 2, 'the verb is called once');
    const routers = await post(slow.url, sent);
    assert.deepEqual(ours, routers, sent);
    assert.ok(ours.status >= 400, sent);
  }
  const faults = logLines().filter((line) => line['status'] === 500);
  assert.equal(faults.length, 2);
  for (const line of faults) assert.equal(line['client'], '127.0.0.1');
});

test('every answered call leaves the same line in the log, whichever way it took', async () => {
  for (const sent of ['{"n":3}', '{"n":0}', '{"n":13}', '{"n":14}']) {
    const before = logLines().length;
    await post(fast.url, sent);
    await post(slow.url, sent);
    const lines = logLines().slice(before);
    assert.equal(lines.length, 2, sent);
    // The stack of a fault names where it passed.
    const [ours, routers] = lines.map(({ time: _time, duration_ms: _duration, err: _err, ...line }) => line);
    assert.deepEqual(ours, routers);
    assert.equal(ours?.['route'], '/twice');
  }
});

test('unanswered calls of one address are counted on both ways together', async () => {
  const most = platform.config.intake.requestsPerAddress;
  const waiting = Array.from({ length: most }, (_, n) => post(n % 2 === 0 ? fast.url : slow.url, '{"n":15}'));
  await until('all of them are with the verb', () => calls.filter((n) => n === 15).length === most);
  const refused = [await post(fast.url, '{"n":1}'), await post(slow.url, '{"n":1}')];
  assert.deepEqual(refused[0], refused[1]);
  assert.equal(refused[0]?.status, 429);
  held.resolve();
  assert.ok((await Promise.all(waiting)).every(({ status }) => status === 200));
});

test('what is not a plain call goes the ordinary way', async () => {
  const filler = ' '.repeat(17_000);
  assert.equal(await ordinarily(() => post(fast.url, `{"n":1}${filler}`)), 1, 'a large body');
  assert.equal(await ordinarily(() => post(fast.url, '{"n":1}', { 'content-type': 'text/plain' })), 1, 'another type');
  assert.equal(await ordinarily(() => post(fast.url, '{"n":1}', {}, '/twice?x=1')), 1, 'a query');
  assert.equal(await ordinarily(() => fetch(`${fast.url}/twice`)), 1, 'another method');
  draining = true;
  assert.equal(await ordinarily(() => post(fast.url, '{"n":1}')), 1, 'a server that is stopping');
  draining = false;
});

test('both ways count in the same metric', async () => {
  const count = async () =>
    Number(
      /http_request_duration_seconds_count\{method="POST",route="\/twice",status="200"\} (\d+)/.exec(
        await metrics.text(),
      )?.[1],
    );
  const before = await count();
  await post(fast.url, '{"n":5}');
  await post(slow.url, '{"n":5}');
  assert.equal((await count()) - before, 2);
});

test('a caller that leaves before its body is whole is not answered and calls nothing', async () => {
  const socket = connect(fast.port, '127.0.0.1');
  await once(socket, 'connect');
  const before = calls.length;
  socket.write('POST /twice HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"n":');
  setTimeout(() => socket.destroy(), 50);
  await once(socket, 'close');
  await post(fast.url, '{"n":6}');
  assert.deepEqual(calls.slice(before), [6]);
});

test('a body that came before is not checked anew, and no other is taken for it', async () => {
  const authorization = 'Bearer a-customer';
  const ask = async (sent: string) => {
    const ours = await post(fast.url, sent, { authorization }, '/named');
    const routers = await post(slow.url, sent, { authorization }, '/named');
    const answered = JSON.parse(ours.text) as { name?: string; before?: boolean };
    assert.equal(ours.status, routers.status);
    assert.equal(answered.name, (JSON.parse(routers.text) as { name?: string }).name);
    return { status: ours.status, ...answered };
  };
  const first = { status: 200, name: 'é', before: false };
  assert.deepEqual(await ask('{"name":" é "}'), first);
  assert.deepEqual(await ask('{"name":" é "}'), { ...first, before: true });
  assert.deepEqual(await ask('{"name":"é"}'), first, 'the same name in other bytes');
  // The bytes of "é" as two characters.
  assert.deepEqual(await ask('{"name":" Ã© "}'), { ...first, name: 'Ã©' });
  const long = JSON.stringify({ name: 'long', tags: ['x'.repeat(512)] });
  for (let n = 0; n < 2; n += 1) {
    assert.equal((await ask('{"name":1}')).status, 400, 'a refusal is not kept');
    assert.equal((await ask(long)).before, false, 'a long body is not kept');
  }
  const everyone = await post(fast.url, '{"name":" é "}', {}, '/named');
  assert.equal(everyone.status, 401);
  // The next caller would find what this one's verb had left in it.
  assert.equal((await post(fast.url, '{"name":"changed"}', { authorization }, '/named')).status, 500);
  // 2,000 others come after it, so that it was asked for longest ago.
  for (let n = 0; n < 2000; n += 1) await post(fast.url, `{"name":"n${n}"}`, { authorization }, '/named');
  assert.equal((await ask('{"name":" é "}')).before, false);
});
