import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { portalPages } from '../../../coordinator/portal/pages.ts';
import { browser } from './browser-session.ts';
import { pathOf, portalWorld, secrets } from './world.ts';

const world = await portalWorld({ after });
const { app, owner, job } = world;
const stranger = browser(app);
const { it: rival } = await world.person('Rival Ltd', 'customer_admin');
const staff = await world.person('Operator Ltd', 'staff');
const pages = portalPages.filter(({ method }) => method === 'GET');

async function read(path: string, it: typeof stranger): Promise<{ status: number; text: string; headers: Headers }> {
  const answer = await it.get(path);
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

test('a shared comparison shows only its figures: no name, no other query, no other page, until it is revoked', async () => {
  const items = `task:${world.task},job:${job.id}`;
  const made = await (await owner.it.post('/compare/share', { items, days: '7' })).text();
  const found = /\/s\/[\w.-]+\/compare\?[^<"\s]+/.exec(made)?.[0] ?? assert.fail(made);
  const link = found.replaceAll('&amp;', '&');
  const base = /^\/s\/[\w.-]+/.exec(link)?.[0] ?? assert.fail(link);
  for (const it of [stranger, rival]) {
    for (const path of [link, ...['.csv', '.json'].map((ending) => `${base}/compare${ending}`)]) {
      const { status, text, headers } = await read(path, it);
      assert.equal(status, 200, path);
      assert.match(text, path === link ? /Run 1/ : /bf16_tflops/, path);
      assert.equal(headers.get('referrer-policy'), 'no-referrer', path);
      for (const secret of [
        ...secrets,
        'owner-machine',
        owner.user.email,
        'href="/tasks/',
        'href="/jobs',
        '/compare/share',
        job.token,
      ])
        assert.ok(!text.includes(secret), `the shared page ${path} shows ${secret}`);
    }
    // Another query was not shared: the page stays the same.
    const other = await read(`${base}/compare?items=job:${world.fresh.id}`, it);
    assert.equal(other.text, (await read(link, it)).text);
    for (const route of pages.filter(({ path }) => !/^\/compare(\.\w+)?$/.test(path)))
      assert.ok(
        (await read(`${base}${pathOf(route.path, world)}`, it)).status >= 400,
        `${route.path} opens under a link to a comparison`,
      );
  }
  for (const path of ['/compare/share', '/compare/share/revoke'])
    assert.equal((await rival.post(path, { items, days: '7', share: '1' })).status, 404, path);
  assert.equal((await staff.it.post('/compare/share', { items, days: '7' })).status, 404);
  assert.equal((await owner.it.post('/compare/share', { items, days: '91' })).status, 422);
  const altered = link.replace(/\.(.)/, (_, first: string) => `.${first === 'a' ? 'b' : 'a'}`);
  assert.equal((await stranger.get(altered)).status, 404);
  const share = /name="share" value="(\d+)"/.exec(made)?.[1] ?? assert.fail(made);
  assert.equal((await owner.it.post('/compare/share/revoke', { items, share })).status, 303);
  assert.equal((await stranger.get(link)).status, 404);
});
