import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { passOn } from '../../../coordinator/platform/db/news.ts';
import { makeUser } from '../../support/client.ts';
import { testApp } from '../../support/app.ts';
import { until } from '../../support/until.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { browser } from './browser-session.ts';

const app = await testApp({ after });
const user = await makeUser(app, { tier: 'plus' });
const it = browser(app);
await it.signIn(user.email, user.password);

interface Snapshot {
  id: number;
  parts: { region: string; html: string }[];
}

/** The stream of a job, read only on request. */
async function openStream(path: string, headers: Record<string, string> = {}) {
  const answer = await it.get(path, headers);
  assert.equal(answer.headers.get('content-type'), 'text/event-stream');
  const reader = answer.body?.getReader() ?? assert.fail('no body');
  let text = '';
  let bytes = 0;
  const snapshot = async (fits: (snapshot: Snapshot) => boolean = () => true): Promise<Snapshot> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end < 0) {
        const { value, done } = await reader.read();
        if (done) assert.fail(`the stream ended: ${text}`);
        bytes += value.length;
        text += Buffer.from(value).toString();
        continue;
      }
      const event = text.slice(0, end);
      text = text.slice(end + 2);
      const [, id, data] = /^id: (\d+)\nevent: snapshot\ndata: (.*)$/.exec(event) ?? [];
      if (id === undefined || data === undefined) continue;
      const found = { id: Number(id), parts: (JSON.parse(data) as Snapshot).parts };
      if (fits(found)) return found;
    }
  };
  /** The reason why it ended. */
  const bye = async (): Promise<string> => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done)
        return (
          /event: bye\ndata: {"reason":"([\w-]+)"/.exec(text)?.[1] ??
          assert.fail(`the stream did not announce its end: ${text}`)
        );
      text += Buffer.from(value).toString();
    }
  };
  return { snapshot, bye, bytes: () => bytes, close: () => reader.cancel() };
}

const pageOf = async (id: string): Promise<string> => (await it.get(`/jobs/${id}`)).text();

test('a browser that reconnects with the number of its last event gets everything that changed since, as on the page', async () => {
  const job = await makeJob(app, user, { node_count: 2 });
  const first = await openStream(`/jobs/${job.id}/events`);
  const before = await first.snapshot();
  await first.close();
  const nodes = [new Node(app, job), new Node(app, job)];
  for (const node of nodes) await node.run();
  const again = await openStream(`/jobs/${job.id}/events`, { 'last-event-id': String(before.id) });
  const now = await again.snapshot();
  await again.close();
  assert.ok(now.id > before.id);
  const page = await pageOf(job.id);
  const known = new Map(before.parts.map(({ region, html }) => [region, html]));
  for (const { region, html } of now.parts) {
    assert.ok(page.includes(html), `${region} is as on the page`);
    known.set(region, html);
  }
  // Whatever the browser had, with these regions it has the whole page: no gap.
  for (const [region, html] of known) assert.ok(page.includes(html), region);
  assert.ok(now.parts.some(({ html }) => html.includes('2 of 2 nodes delivered')));
});

/** The queue limit per browser in `stream.ts`. */
const MOST_QUEUED = 256 * 1024;

test('a browser that does not read is sent no more than fits in its queue, and the newest state once it reads', async () => {
  const job = await makeJob(app, user, { node_count: 24 });
  const nodes = Array.from({ length: 24 }, () => new Node(app, job));
  for (const node of nodes) await node.register();
  const { sql } = app.platform;
  const stream = await openStream(`/jobs/${job.id}/events`);
  const begun = await stream.snapshot();
  const size = Buffer.byteLength(JSON.stringify(begun.parts));
  // Twice as many changes as fit; each sends the cards of all nodes again.
  const changes = Math.ceil((2 * MOST_QUEUED) / size);
  const name = (n: number) => `host-after-change-${String(n).padStart(3, '0')}`;
  for (let n = 0; n < changes; n += 1) {
    await sql`update task set hostname = ${name(n)} || left(repeat(' long', 20), 60), warnings = array[${name(n)}]
      where job_id = ${job.id}`;
    const [head] = await sql<{ seq: string }[]>`select seq from job_event_head where job_id = ${job.id}`;
    passOn(sql, 'job');
    await until(
      'the change is rendered',
      async () => (await pageOf(job.id)).includes(name(n)) && Number(head?.seq) > 0,
    );
  }
  const start = stream.bytes();
  const last = await stream.snapshot(({ parts }) => parts.some(({ html }) => html.includes(name(changes - 1))));
  await stream.close();
  assert.ok(
    stream.bytes() - start <= MOST_QUEUED + 2 * Buffer.byteLength(JSON.stringify(last)),
    `${stream.bytes() - start} bytes`,
  );
});

test('while a job measures its open page gets the progress of its nodes, which changes nothing of the job and is announced by nobody', async (t) => {
  const job = await makeJob(app, user, {});
  const node = new Node(app, job);
  await node.register();
  await node.beat('measuring', node.epoch, 0.25);
  t.mock.timers.enable({ apis: ['setInterval'] });
  const stream = await openStream(`/jobs/${job.id}/events`);
  const has = (words: string) => (found: Snapshot) => found.parts.some(({ html }) => html.includes(words));
  const before = await stream.snapshot(has('25 % measured'));
  await node.beat('measuring', node.epoch, 0.75);
  app.clock.advance({ seconds: 10 });
  t.mock.timers.tick(10_000);
  const after = await stream.snapshot(has('75 % measured'));
  await stream.close();
  assert.equal(after.id, before.id, 'nothing of the job has changed');
  assert.deepEqual(
    after.parts.map(({ region }) => region),
    ['r-progress'],
  );
});

test('a stream ends at most a minute after its session, and makes a browser reconnect if its session continues under a new cookie', async (t) => {
  const job = await makeJob(app, user, {});
  t.mock.timers.enable({ apis: ['setInterval'] });
  const open = async () => {
    const stream = await openStream(`/jobs/${job.id}/events`);
    await stream.snapshot();
    return stream;
  };
  const renewed = await open();
  app.clock.advance({ minutes: 11 });
  const share = { days: '7', current_password: user.password };
  assert.equal((await it.post(`/jobs/${job.id}/share`, share)).status, 200);
  const current = await open();
  t.mock.timers.tick(60_000);
  assert.equal(await renewed.bye(), 'busy', 'the page reconnects on its own, with the new cookie');
  assert.equal((await it.post('/sign-out')).status, 303);
  t.mock.timers.tick(60_000);
  assert.equal(await current.bye(), 'signed-out');
});
