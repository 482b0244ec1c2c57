import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { signInAgain } from '../../support/client.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { browser, signedIn, type Browser } from './browser-session.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const { user, it: owner } = await signedIn(app, { role: 'customer_admin', tier: 'plus' });
const stranger = browser(app);
const job = await makeJob(app, user);
const node = new Node(app, job);
await node.run();

/** The link that the page shows after the form was sent, as it is typed into a browser. */
async function linkFrom(path: string, fields: Record<string, string>): Promise<string> {
  const page = await (await owner.post(path, fields)).text();
  const link = /<code>http:\/\/coordinator\.test(\/s\/[^<]+)<\/code>/.exec(page)?.[1] ?? assert.fail(page);
  return link.replaceAll('&amp;', '&');
}

const read = async (it: Browser, path: string): Promise<[number, string]> => {
  const answer = await it.get(path);
  return [answer.status, await answer.text()];
};

test('a link to a job and one to a comparison open until the moment they expire, and are from then on like unknown ones', async () => {
  const ofJob = await linkFrom(`/jobs/${job.id}/share`, { days: '7' });
  const ofComparison = await linkFrom('/compare/share', { items: `task:${node.taskId}`, days: '7' });
  const unknown = (link: string): string => link.replace(/\/s\/\d+/, '/s/1');
  const base = /^\/s\/[\w.-]+/.exec(ofJob)?.[0] ?? assert.fail(ofJob);
  const links = [ofJob, `${base}/tasks/${node.taskId}`, `${base}/tasks/${node.taskId}/samples.csv`, ofComparison];
  app.clock.advance({ days: 6, hours: 23, minutes: 59, seconds: 59 });
  for (const link of links) assert.equal((await read(stranger, link))[0], 200, `${link} in its last second`);
  app.clock.advance({ seconds: 1 });
  for (const link of links) {
    const [status, text] = await read(stranger, link);
    assert.deepEqual([404, text], await read(stranger, unknown(link)), link);
    assert.equal(status, 404, link);
  }
  // The owner signs in once more: a session lasts seven days at most.
  assert.equal((await owner.signIn(user.email, user.password)).status, 303);
  for (const link of links) assert.equal((await read(owner, link))[0], 404, `${link} opened by its owner`);
  const [, shares] = await read(owner, `/jobs/${job.id}/share`);
  assert.match(shares, /Links in force<\/h2>\s*<p class="muted">None\./);
  const longer = await linkFrom(`/jobs/${job.id}/share`, { days: '8' });
  assert.equal((await read(stranger, longer))[0], 200, 'a new link opens the job again');
});

test('a link to a comparison ends when one of its runs is deleted', async () => {
  await signInAgain(app, user);
  const another = await makeJob(app, user);
  await new Node(app, another).run();
  const link = await linkFrom('/compare/share', { items: `task:${node.taskId},job:${another.id}`, days: '7' });
  assert.equal((await read(stranger, link))[0], 200);
  assert.equal((await owner.post(`/jobs/${another.id}/delete`)).status, 303);
  assert.equal((await read(stranger, link))[0], 404);
  assert.equal((await read(stranger, link.replace('/compare?', '/compare.csv?')))[0], 404);
});
