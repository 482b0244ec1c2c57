import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { call } from '../../support/client.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { browser, type Browser } from './browser-session.ts';
import { portalWorld, slug } from './world.ts';

const world = await portalWorld({ after });
const { app, owner, fresh } = world;
const { user, it } = await world.person('Empty Ltd', 'customer_admin');

const plain = (markup: string): string =>
  markup.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');

interface EmptyPart {
  links: string[];
  line: string | undefined;
}

/** What the page shows instead of rows. */
async function emptyOn(visitor: Browser, path: string): Promise<EmptyPart> {
  const answer = await visitor.get(path);
  const text = await answer.text();
  assert.equal(answer.status, 200, `${path}: ${text.slice(0, 500)}`);
  const part = /<div class="empty">([^]*?)<\/div>/.exec(text)?.[1] ?? assert.fail(`${path} is not empty`);
  const line = /<code>([^]*?)<\/code><\/pre>/.exec(part)?.[1];
  const links = [...part.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => plain(href));
  return { links, line: line === undefined ? undefined : plain(line) };
}

async function linksOpen(visitor: Browser, path: string): Promise<string[]> {
  const { links } = await emptyOn(visitor, path);
  for (const link of links) assert.equal((await visitor.get(link)).status, 200, `${link} of ${path}`);
  return links;
}

/** Calls what a line of curl would call, with `key` in place of `YOUR_KEY` or `YOUR_TOKEN`. */
function follow(line: string, key: string): ReturnType<typeof call> {
  const shape = /^curl -H 'Authorization: (Bearer \w+)' (?:-H 'Content-Type: application\/json' -d '(.*)' )?(\S+)$/;
  const [, bearer = '', body, address = ''] = shape.exec(line) ?? assert.fail(line);
  return call(app, body === undefined ? 'GET' : 'POST', new URL(address).pathname, {
    ...(body !== undefined && { body: JSON.parse(body) as object }),
    headers: { authorization: bearer.replace(/YOUR_(KEY|TOKEN)/, key) },
  });
}

const secretIn = async (answer: Promise<Response>): Promise<string> =>
  /<output>([^<]+)</.exec(await (await answer).text())?.[1] ?? assert.fail('no secret');

test('without an application its page shows a call of the API that a token of one answers', async () => {
  const { line } = await emptyOn(it, '/company/applications');
  const made = await (
    await it.post('/company/applications', { name: 'robot', description: 'for the nightly runs' })
  ).text();
  const client_secret = /<output>([^<]+)</.exec(made)?.[1] ?? assert.fail(made);
  const client_id = /goes with <code>([^<]+)</.exec(made)?.[1] ?? assert.fail(made);
  const token = await secretIn(it.post('/company/applications/token', { client_id, client_secret }));
  const answer = await follow(line ?? '', token);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
});

test('without a job the list of jobs links to the form of one, and its call of the API creates one with a key', async () => {
  assert.ok((await linksOpen(it, '/jobs')).includes('/jobs/new'));
  const { line } = await emptyOn(it, '/jobs');
  await it.post('/company/keys/names', { name: 'ci', description: 'nightly runs' });
  const made = await follow(line ?? '', await secretIn(it.post('/company/keys/make', { under: 'ci' })));
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { id } = made.body as unknown as { id: string };
  assert.match(await (await it.get('/jobs')).text(), new RegExp(`href="/jobs/${id}"`));
});

test('lists of a job or machine that delivered nothing link to the line to run, and the link opens', async () => {
  for (const name of ['nodes', 'together', 'copies'])
    assert.deepEqual(await linksOpen(owner.it, `/jobs/${fresh.id}/${name}`), [`/jobs/${fresh.id}/start`], name);
  assert.deepEqual(await linksOpen(owner.it, `/jobs/${fresh.id}/findings`), [`/jobs/${fresh.id}`]);
  assert.deepEqual(await linksOpen(owner.it, `/jobs/${fresh.id}/links`), [`/jobs/${fresh.id}`, '/jobs/new']);
  const job = await makeJob(app, user);
  const node = new Node(app, job);
  await node.register();
  for (const name of ['copies', 'peers'])
    assert.deepEqual(await linksOpen(it, `/tasks/${node.taskId}/${name}`), [`/jobs/${job.id}/start`], name);
});

test('under a shared link they lead to the shared page of the job, and to no page that needs an account', async () => {
  const made = await (await owner.it.post(`/jobs/${fresh.id}/share`, { days: '7' })).text();
  const page = /\/s\/[\w.-]+\/jobs\/\d+/.exec(made)?.[0] ?? assert.fail(made);
  for (const name of ['nodes', 'together', 'copies', 'findings', 'links'])
    assert.deepEqual(await linksOpen(browser(app), `${page}/${name}`), [page], name);
});

test('a comparison without runs or without figures, a day without votes, and a region that nobody has say what to open', async () => {
  const { links, line } = await emptyOn(it, '/compare');
  assert.deepEqual(links, ['/jobs']);
  const { id } = await makeJob(app, user);
  const { pathname, search } = new URL((line ?? '').replace('job:ID,task:ID', `job:${id}`));
  assert.deepEqual(await linksOpen(it, `${pathname}${search}`), [`/jobs/${id}`]);
  assert.deepEqual(await linksOpen(owner.it, `/market/${slug}/votes?day=2020-01-01`), [`/market/${slug}`]);
  const asked = '/carbon?provider=aws&provider_code=nowhere';
  assert.deepEqual(await linksOpen(it, asked), ['/carbon?provider=aws', '/carbon']);
});

test('filters that nothing passes link to the list without them', async () => {
  assert.deepEqual(await linksOpen(it, '/jobs?state=failed'), ['/jobs']);
  const links = `/jobs/${world.job.id}/links`;
  assert.deepEqual(await linksOpen(owner.it, `${links}?attempt=999`), [links]);
});
