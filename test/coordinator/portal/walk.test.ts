import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createJob } from '../../../coordinator/jobs/create-job.ts';
import { portalPages } from '../../../coordinator/portal/pages.ts';
import type { Role } from '../../../coordinator/contract/user.ts';
import { testApp } from '../../support/app.ts';
import { actorOf, makeUser, type TestUser } from '../../support/client.ts';
import { browser, type Browser } from './browser-session.ts';

const app = await testApp({ after }, { now: new Date('2026-11-01T10:00:00Z') });

async function personOf(company: string, role: Role): Promise<{ user: TestUser; it: Browser }> {
  const user = await makeUser(app, { company, role, tier: 'enterprise' });
  const it = browser(app);
  assert.equal((await it.signIn(user.email, user.password)).status, 303);
  return { user, it };
}

const owner = await personOf('Owner Ltd', 'customer_admin');
const context = { ...app.context, actor: await actorOf(app, owner.user, 'customer_admin') };
const { job } = await createJob(context, {
  name: 'secret plan',
  description: 'for the eyes of the owner',
  benchmarks: ['quick_mark', 'cluster_network'],
  node_count: 2,
  tags: ['hidden-tag'],
});

/** Paths of pages with the owner's job in place of a parameter. */
const pathOf = (path: string): string =>
  path
    .replace(/:id\{[^}]+\}/, `${job.id}.json`)
    .replace(':id', job.id)
    .replace(':token', 'gmp_unknown');

const pages = portalPages.filter(({ method }) => method === 'GET');
const ofJob = pages.filter(({ path }) => path.includes(':id'));

test('no page of a member opens to a stranger, and those of administrators not to users', async () => {
  const stranger = browser(app);
  const plain = await personOf('Owner Ltd', 'user').catch(async () => personOf('Owner Ltd', 'user'));
  for (const { path, who, isPlain } of pages) {
    const answer = await stranger.get(pathOf(path));
    if (who !== 'public') assert.equal(answer.status, isPlain === true ? 401 : 303, path);
    else assert.ok(answer.status < 400, `${path}: ${answer.status}`);
    const ofUser = await plain.it.get(pathOf(path));
    await ofUser.body?.cancel();
    if (who === 'admin') assert.equal(ofUser.status, 403, path);
    else assert.notEqual(ofUser.status, 403, path);
  }
});

test('every page opens to its company, none of a job to another company or says that it exists', async () => {
  const other = await personOf('Rival Ltd', 'customer_admin');
  for (const { path } of ofJob) {
    const own = await owner.it.get(pathOf(path));
    // Without a node that delivered there is no report.
    assert.equal(own.status, path.endsWith('report.pdf') ? 404 : 200, path);
    await own.body?.cancel();
    const foreign = await other.it.get(pathOf(path));
    const absent = await other.it.get(pathOf(path).replace(job.id, '1882602579078377472'));
    assert.deepEqual([foreign.status, absent.status], [404, 404], path);
    const [a, b] = [await foreign.text(), await absent.text()];
    assert.equal(a, b, `${path}: the same words`);
    assert.ok(!a.includes('secret plan'));
  }
});

test('every form is refused without the token of the session, from another site, and by the rival', async () => {
  const other = await personOf('Third Ltd', 'customer_admin');
  for (const { path } of portalPages.filter(({ method, who }) => method === 'POST' && who !== 'public')) {
    const forged = await owner.it.post(pathOf(path), { csrf: 'x' });
    assert.equal(forged.status, 403, `${path} with a wrong token`);
    const foreign = await owner.it.post(pathOf(path), {}, { 'sec-fetch-site': 'cross-site' });
    assert.equal(foreign.status, 403, `${path} from another site`);
  }
  for (const what of ['abort', 'delete', 'share']) {
    const answer = await other.it.post(`/jobs/${job.id}/${what}`, { days: '7' });
    assert.notEqual(answer.status, 200, what);
    assert.notEqual(answer.status, 303, what);
  }
  assert.equal((await owner.it.get(`/jobs/${job.id}`)).status, 200);
});

test('a shared link shows the page without what names the owner, opens nothing else, and ends when it is taken back', async () => {
  const made = await (await owner.it.post(`/jobs/${job.id}/share`, { days: '7' })).text();
  const link = /\/s\/[\w.-]+\/jobs\/\d+/.exec(made)?.[0] ?? assert.fail(made);
  const stranger = browser(app);
  const answer = await stranger.get(link);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
  assert.equal(answer.headers.get('cache-control'), 'private, no-store');
  const text = await answer.text();
  for (const secret of ['secret plan', 'for the eyes', 'hidden-tag', 'Owner Ltd', owner.user.email, '/abort', '/start'])
    assert.ok(!text.includes(secret), `the shared page says ${secret}`);
  const base = link.replace(/\/jobs\/\d+$/, '');
  for (const { path } of pages.filter(({ shareable }) => shareable !== true))
    assert.ok((await stranger.get(`${base}${pathOf(path)}`)).status >= 404, `${path} opens under a shared link`);
  const another = await createJob(context, { benchmarks: ['quick_mark'], node_count: 1, tags: [] });
  assert.equal((await stranger.get(`${base}/jobs/${another.job.id}`)).status, 404);
  const altered = link.replace(/\.(.)/, (_, first: string) => `.${first === 'a' ? 'b' : 'a'}`);
  assert.equal((await stranger.get(altered)).status, 404);
  const share = /name="share" value="(\d+)"/.exec(made)?.[1] ?? assert.fail(made);
  assert.equal((await owner.it.post(`/jobs/${job.id}/share/revoke`, { share })).status, 303);
  assert.equal((await stranger.get(link)).status, 404);
});

test('pages carry the strict policy and no inline script or style', async () => {
  for (const { path } of pages) {
    const answer = await owner.it.get(pathOf(path));
    if (!(answer.headers.get('content-type') ?? '').startsWith('text/html')) {
      await answer.body?.cancel();
      continue;
    }
    const policy = answer.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'.*require-trusted-types-for 'script'/, path);
    assert.ok(!policy.includes('unsafe'), path);
    const text = await answer.text();
    assert.ok(!/<style|style="|<script>|\son\w+="/.test(text), path);
    assert.equal(text.match(/<h1[ >]/g)?.length, 1, `${path}: one h1`);
    assert.ok(Buffer.byteLength(text) < 60_000, `${path}: ${Buffer.byteLength(text)} bytes`);
  }
});
