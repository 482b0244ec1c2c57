import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { actorOf, call } from '../../support/client.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { signedIn } from './browser-session.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });

test('the subscription says how much of each limit is in use: applications, their valid tokens, key names and keys', async () => {
  const { user, it } = await signedIn(app, { role: 'customer_admin', tier: 'enterprise' });
  const facts = async (): Promise<string> =>
    (await (await it.get('/company/subscription')).text()).replaceAll(/\s*<[^>]+>\s*/g, ' ').replaceAll(/\s+/g, ' ');
  assert.match(await facts(), /Applications 0 of \d+ in use Application tokens 0 valid/);
  const made = async (name: string) => {
    const { body } = await call(app, 'POST', '/api/application/create', {
      body: { name },
      headers: user.authorization,
    });
    return (body as { data: { client_id: string; client_secret: string } }).data;
  };
  const { client_id, client_secret } = await made('first');
  await made('second');
  const generate = () =>
    call(app, 'POST', '/api/application/generate-token', {
      body: { client_id, client_secret },
      headers: user.authorization,
    });
  const { body } = await generate();
  await generate();
  await call(app, 'DELETE', '/api/application/token', {
    body: { id: (body as { data: { id: string } }).data.id },
    headers: user.authorization,
  });
  await it.post('/company/keys/names', { name: 'ci', description: 'nightly runs' });
  await it.post('/company/keys/names', { name: 'lab', description: 'by hand' });
  await it.post('/company/keys/make', { under: 'ci' });
  const { standing } = await actorOf(app, user);
  const { applications, api_keys: names } = standing.terms;
  assert.match(await facts(), new RegExp(`Applications 2 of ${applications} in use Application tokens 1 valid`));
  assert.match(await facts(), new RegExp(`API key names 2 of ${names} in use, with 1 valid key;`));
});

test('creating and revoking a link to a page are events in the audit log, which can be filtered by actor', async () => {
  const company = 'Watchful Ltd';
  const { user, it } = await signedIn(app, { company, role: 'customer_admin', tier: 'plus' });
  const { user: other, it: second } = await signedIn(app, { company });
  const job = await makeJob(app, user);
  const node = new Node(app, job);
  await node.run();
  const items = `task:${node.taskId}`;
  for (const [by, path, fields] of [
    [second, `/jobs/${job.id}/share`, { days: '7' }],
    [it, '/compare/share', { items, days: '30' }],
  ] as const) {
    const page = await (await by.post(path, fields)).text();
    const share = /name="share" value="(\d+)"/.exec(page)?.[1] ?? assert.fail(page);
    assert.equal((await by.post(`${path}/revoke`, { ...fields, share })).status, 303);
    assert.equal((await by.post(`${path}/revoke`, { ...fields, share })).status, 422, 'only once');
  }
  const events = async (query: string) => {
    const found = (await (await it.get(`/company/audit.json?${query}`)).json()) as {
      results: { action: string; subject: string; actor: string; detail: string }[];
    };
    return found.results
      .filter(({ action }) => action.startsWith('share_'))
      .map(({ action, subject, actor, detail }) => [action, subject, actor, /"days":\d+/.exec(detail)?.[0]]);
  };
  const own = [
    ['share_revoked', `/jobs/${job.id}`, other.email, undefined],
    ['share_created', `/jobs/${job.id}`, other.email, '"days":7'],
  ];
  const compared = `/compare?items=${items}`;
  assert.deepEqual(await events(''), [
    ['share_revoked', compared, user.email, undefined],
    ['share_created', compared, user.email, '"days":30'],
    ...own,
  ]);
  assert.deepEqual(await events(`actor=${encodeURIComponent(other.email.toUpperCase())}`), own);
  assert.deepEqual(await events('actor=nobody@example.com'), []);
  const page = await (await it.get(`/company/audit?actor=${encodeURIComponent(other.email)}`)).text();
  assert.match(page, new RegExp(`name="actor"\\s+type="text"\\s+value="${other.email}"`));
});

test('without PUBLIC_URL a link to a page and the command line that calls the API have the host that the browser requested', async () => {
  const plain = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  Object.assign(plain.platform.config, { publicUrl: null });
  const { user, it } = await signedIn(plain, { role: 'customer_admin', tier: 'plus' });
  const job = await makeJob(plain, user);
  const host = { host: 'portal.lab:8080' };
  assert.match(
    await (await it.post(`/jobs/${job.id}/share`, { days: '7' }, host)).text(),
    new RegExp(`<code>http://portal\\.lab:8080/s/[\\w.-]+/jobs/${job.id}</code>`),
  );
  assert.match(
    await (await it.get('/company/keys', host)).text(),
    /curl -H .* http:\/\/portal\.lab:8080\/api\/gpu-mark\/v1\/jobs/,
  );
});
