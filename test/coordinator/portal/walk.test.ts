import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { portalPages } from '../../../coordinator/portal/pages.ts';
import { assetUrl, serveAsset } from '../../../coordinator/portal/frame/assets.ts';
import type { PageRoute } from '../../../coordinator/portal/frame/route.ts';
import { actorOf } from '../../support/client.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { browser } from './browser-session.ts';
import { readPage } from './read-page.ts';
import { pathOf, portalWorld, secrets } from './world.ts';

const world = await portalWorld({ after });
const { app, owner, job } = world;
const at = (route: PageRoute): string => pathOf(route.path, world);
/** A page of tasks once for each node, any other page once. */
const eachNode = (route: PageRoute): string[] => [
  ...new Set([world.task, world.second].map((task) => pathOf(route.path, { ...world, task }))),
];
const pages = portalPages.filter(({ method }) => method === 'GET');
/** Pages about one object of a company; products and tokens are the same for all. */
const ofOneThing = pages.filter(({ path }) => /^\/(jobs|tasks|machines)\/:/.test(path));
const identities = [...secrets, 'owner-machine'];

const people = {
  stranger: { it: browser(app) },
  user: await world.person('Owner Ltd', 'user'),
  admin: owner,
  'user of another company': await world.person('Rival Ltd', 'user'),
  'administrator of another company': await world.person('Rival Ltd', 'customer_admin'),
  staff: await world.person('Operator Ltd', 'staff'),
  'root administrator': await world.person('Operator Ltd', 'root_admin'),
  'administrator of tier basic': await world.person('Small Ltd', 'customer_admin', 'basic'),
  'administrator without a subscription': await world.person('Lapsed Ltd', 'customer_admin', null),
};

/** The report of a job that has none. */
const isAbsent = ({ path }: PageRoute): boolean => path.endsWith('report.pdf');

/** The owner's status codes: an archive file requires its id; `/`, sign-in and sharing without a subject redirect. */
const answers: Readonly<Record<string, number>> = {
  '/': 303,
  '/sign-in': 303,
  '/market/archives/file': 422,
  '/compare/share': 303,
};
const answerOf = ({ path }: PageRoute): number => answers[path] ?? 200;

for (const [name, person] of Object.entries(people))
  test(`every page for: ${name}`, async () => {
    const user = 'user' in person ? person.user : null;
    const role = user === null ? null : name.includes('admin');
    const isStaff = name === 'staff' || name === 'root administrator';
    const isOwn = name === 'user' || name === 'admin' || isStaff;
    const standing = user === null ? null : (await actorOf(app, user)).standing;
    const products = standing?.terms.products ?? [];
    assert.equal(standing?.subscribed ?? true, name !== 'administrator without a subscription', 'as its name says');
    for (const route of pages) {
      const path = at(route);
      const { status, text } = await readPage(person.it, path);
      const where = `${name} ${path}: ${status} ${text.slice(0, 300)}`;
      if (user === null && route.who !== 'public') {
        assert.equal(status, route.isPlain === true ? 401 : 303, where);
        continue;
      }
      if (!isOwn) for (const secret of identities) assert.ok(!text.includes(secret), `${where} shows ${secret}`);
      if (route.who === 'staff' && !isStaff) assert.equal(status, 403, where);
      else if (route.who === 'admin' && role !== true && !isStaff) assert.equal(status, 403, where);
      else if (route.subscription === true && standing?.subscribed === false) {
        assert.equal(status, 403, where);
        assert.match(text, /needs an active subscription of any tier.*subscription add --company/s, where);
      } else if (route.product !== undefined && !isStaff && !products.includes(route.product)) {
        assert.equal(status, 403, where);
        if (route.isPlain !== true) {
          assert.match(text, /your subscription/, where);
          // Two rows that cannot be mistaken for prices, under the real columns.
          assert.match(text, /EXAMPLE\./, where);
          assert.equal(text.match(/<tr>/g)?.length, 3, where);
        }
      } else if (ofOneThing.includes(route) && (!isOwn || isAbsent(route))) assert.equal(status, 404, where);
      else if (isOwn && !isStaff) assert.equal(status, answerOf(route), where);
      else assert.ok(status < 500, where);
    }
  });

test('pages for API operations that require a subscription require one too', () => {
  const asking = new Set(pages.filter(({ subscription }) => subscription === true).map(({ path }) => path));
  assert.deepEqual(asking, new Set(['', '.csv', '.json'].flatMap((e) => [`/carbon${e}`, `/company/applications${e}`])));
});

test('what does not exist and what belongs to another company give the same page', async () => {
  const { it } = people['administrator of another company'];
  for (const route of ofOneThing) {
    const path = at(route);
    const absent = path
      .replace(/\/(jobs|tasks)\/\d+/, '/$1/1882602579078377472')
      .replace(/owner-machine-0/, 'no-machine');
    const [a, b] = [await readPage(it, path), await readPage(it, absent)];
    assert.deepEqual([path, a.status, a.text], [path, 404, b.text]);
  }
});

test('a shared link shows the page without anything that names the owner, opens nothing else, and ends when it is revoked', async () => {
  const made = await (await owner.it.post(`/jobs/${job.id}/share`, { days: '7' })).text();
  const link = /\/s\/[\w.-]+\/jobs\/\d+/.exec(made)?.[0] ?? assert.fail(made);
  const base = link.replace(/\/jobs\/\d+$/, '');
  const holders = [people.stranger.it, people['administrator of another company'].it, owner.it];
  const own = [`/jobs/${job.id}`, `/tasks/${world.task}`, `/tasks/${world.second}`];
  for (const [route, below] of pages.flatMap((route) => eachNode(route).map((path) => [route, path] as const)))
    for (const it of holders) {
      const path = `${base}${below}`;
      const { status, text, headers } = await readPage(it, path);
      if (route.shareable !== true || !own.some((one) => below.startsWith(one))) {
        assert.ok(status >= 400, `${path} opens under a link to a job`);
        continue;
      }
      assert.equal(status, 200, path);
      if (path.endsWith('/events')) assert.match(text, /event: snapshot\n.*node 0/, 'the whole page is in the stream');
      assert.equal(headers.get('referrer-policy'), 'no-referrer', path);
      assert.equal(headers.get('cache-control')?.includes('no-store'), true, path);
      for (const secret of [
        ...identities,
        owner.user.email,
        '/abort',
        '/start',
        'GPU-3',
        '="/tasks/',
        '/compare',
        '/machines/',
        'JOB_TOKEN',
        job.token,
      ])
        assert.ok(!text.includes(secret), `the shared page ${path} shows ${secret}`);
    }
  const second = await readPage(owner.it, `/tasks/${world.second}`);
  assert.match(second.text, /serial-1650923007/, 'its owner reads the serial');
  const page = await readPage(people.stranger.it, link);
  assert.match(page.text, /node 0/);
  assert.match(page.text, new RegExp(`href="${base.replaceAll('.', '\\.')}/jobs/${job.id}/links"`));
  assert.match(page.text, new RegExp(`href="${base.replaceAll('.', '\\.')}/tasks/${world.task}"`));
  const another = await makeJob(app, owner.user);
  const node = new Node(app, another);
  await node.run();
  for (const path of [`/jobs/${another.id}`, `/tasks/${node.taskId}`, `/tasks/${node.taskId}/samples.csv`, '/tasks/1'])
    assert.equal((await people.stranger.it.get(`${base}${path}`)).status, 404, path);
  const altered = link.replace(/\.(.)/, (_, first: string) => `.${first === 'a' ? 'b' : 'a'}`);
  assert.equal((await people.stranger.it.get(altered)).status, 404);
  const share = /name="share" value="(\d+)"/.exec(made)?.[1] ?? assert.fail(made);
  assert.equal((await owner.it.post(`/jobs/${job.id}/share/revoke`, { share })).status, 303);
  for (const path of [link, `${base}/tasks/${world.task}`])
    assert.equal((await people.stranger.it.get(path)).status, 404);
});

const styles = ['portal.css'];
const scripts = ['portal.js', 'live.js'];
const fileOf = async (name: string): Promise<string> =>
  (await serveAsset(assetUrl(name), undefined)?.text()) ?? assert.fail(name);
const bytesOf = async (names: readonly string[]): Promise<number> =>
  (await Promise.all(names.map(fileOf))).reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/** Bytes that a page loads in addition, before compression. */
const loadedBy = (text: string): Promise<number> =>
  bytesOf([...styles, ...scripts].filter((name) => text.includes(assetUrl(name))));

test('styles and scripts are below 40 kB each; scripts store nothing in the browser and listen to no other window', async () => {
  for (const names of [styles, scripts]) {
    const bytes = await bytesOf(names);
    assert.ok(bytes > 1000 && bytes < 40_000, `${names.join(', ')}: ${bytes} bytes`);
  }
  for (const name of scripts)
    assert.doesNotMatch(
      await fileOf(name),
      /\b(localStorage|sessionStorage|indexedDB|caches|cookieStore|serviceWorker)\b|document\.cookie|postMessage|onmessage|['"]message['"]/,
      name,
    );
});

test('pages carry the strict policy, headers, sign-out, one heading and no inline script or style, and are within their bytes', async () => {
  for (const route of pages) {
    const path = at(route);
    const { status, text, headers } = await readPage(owner.it, path, { origin: 'https://elsewhere.example' });
    for (const name of headers.keys())
      assert.doesNotMatch(name, /^access-control-/, `${path} cannot be read by other sites`);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(
      policy,
      /default-src 'none'.*frame-ancestors 'none'.*base-uri 'none'; object-src 'none'.*require-trusted-types-for 'script'/,
      path,
    );
    assert.ok(!policy.includes('unsafe'), path);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin', path);
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin', path);
    assert.equal(
      headers.get('referrer-policy'),
      /^\/(reset|sign-up)\/./.test(path) ? 'no-referrer' : 'same-origin',
      path,
    );
    assert.match(headers.get('cache-control') ?? '', /no-store/, path);
    if (status === 303 || !(headers.get('content-type') ?? '').startsWith('text/html')) continue;
    assert.ok(!/<style|style="|<script>|\son\w+="|javascript:/.test(text), path);
    if (route.who !== 'public') assert.match(text, /action="\/sign-out"/, `${path}: sign-out`);
    assert.equal(text.match(/<h1[ >]/g)?.length, 1, `${path}: one h1`);
    assert.equal(text.match(/<main[ >]/g)?.length, 1, `${path}: one main`);
    const charts = [...text.matchAll(/<svg[^>]*viewBox="0 0 (?:980|358)[\s\S]*?<\/svg>/g)].reduce(
      (sum, [svg]) => sum + svg.length,
      0,
    );
    assert.ok(
      Buffer.byteLength(text) - charts + (await loadedBy(text)) <= 100_000,
      `${path}: ${Buffer.byteLength(text)} bytes`,
    );
    for (const [, reference] of text.matchAll(/(?:src|href)="(https?:\/\/[^"]+)"/g))
      assert.match(reference ?? '', /^http:\/\/coordinator\.test\//, `${path} refers to ${reference}`);
  }
});
