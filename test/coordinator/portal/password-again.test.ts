import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { portalPages } from '../../../coordinator/portal/pages.ts';
import { formsOf, harmless } from './form-fields.ts';
import { pathOf, portalWorld } from './world.ts';

const world = await portalWorld({ after });
const { app, owner, job, fresh, task } = world;
const items = `task:${task},job:${job.id}`;
const forms = formsOf(items);
let { password } = owner.user;
/** Forms of those who run the service. */
const root = await world.person('Operator Ltd', 'root_admin');
const ofStaff = new Set(portalPages.filter(({ who }) => who === 'staff').map(({ path }) => path));
const links = [
  await (await owner.it.post(`/jobs/${job.id}/share`, { days: '7' })).text(),
  await (await owner.it.post('/compare/share', { items, days: '7' })).text(),
].map((text) => /\/s\/[\w.-]+/.exec(text)?.[0] ?? assert.fail(text));

test('no page shows a job’s token or a shared link to a person who gave the password more than ten minutes ago', async () => {
  app.clock.advance({ minutes: 11 });
  const secrets = [fresh.token, ...links];
  const here = { ...world, job: fresh };
  const paths = portalPages
    .filter(({ method, path }) => method === 'GET' && !path.endsWith('/events'))
    .flatMap(({ path }) => [pathOf(path, world), pathOf(path, here)]);
  for (const path of [...paths, `/compare/share?items=${items}`]) {
    const text = await (await owner.it.get(path)).text();
    for (const secret of secrets) assert.ok(!text.includes(secret), `${path} shows ${secret}`);
  }
  for (const [next, secret] of [
    [`/jobs/${fresh.id}/start?launcher=docker`, `docker run .* ${fresh.token}`],
    [`/jobs/${job.id}/share`, links[0]],
    [`/compare/share?items=${encodeURIComponent(items)}`, links[1]],
  ] as const) {
    app.clock.advance({ minutes: 11 });
    const asked = await (await owner.it.get(next)).text();
    const [, kept = ''] = /name="next" value="([^"]+)"/.exec(asked) ?? assert.fail(asked);
    const wrong = await owner.it.post('/account/confirm', { next: kept, current_password: 'not this one' });
    assert.equal(wrong.status, 422);
    assert.match(await wrong.text(), /action="\/account\/confirm"/);
    const right = await owner.it.post('/account/confirm', { next: kept, current_password: password });
    assert.deepEqual([right.status, right.headers.get('location')], [303, next]);
    assert.match(await (await owner.it.get(next)).text(), new RegExp(secret ?? ''), next);
  }
  const away = await owner.it.post('/account/confirm', { next: '//elsewhere.example' });
  assert.equal(away.headers.get('location'), '/account', 'not to another host');
});

test('every form that creates or shows a secret, changes permissions, or deletes asks for a password given in the last ten minutes', async () => {
  const own = portalPages.filter(({ method, who }) => method === 'POST' && who !== 'public').map(({ path }) => path);
  assert.deepEqual(
    own.toSorted(),
    [...harmless, ...Object.keys(forms)].toSorted(),
    'each form is in one of the two lists',
  );
  await owner.it.post('/company/keys/names', { name: 'ci', description: 'nightly runs' });
  for (const [route, fields] of Object.entries(forms)) {
    // So that the wrong passwords of this form do not slow down the next.
    app.clock.advance({ hours: 1 });
    const path = pathOf(route, world);
    const { it } = ofStaff.has(route) ? root : owner;
    for (const given of [{}, { current_password: 'not this one' }]) {
      const answer = await it.post(path, { ...fields, ...given });
      const text = await answer.text();
      assert.equal(answer.status, 422, `${path}: ${text.slice(0, 400)}`);
      assert.match(text, /Nothing was changed/, path);
      assert.equal(text.match(/id="f-current_password"/g)?.length, 1, `${path} has one field for it`);
      for (const link of links) assert.ok(!text.includes(link), `${path} shows ${link}`);
    }
    const own = ofStaff.has(route) ? root.user.password : password;
    const right = await it.post(path, { ...fields, current_password: own });
    assert.doesNotMatch(await right.text(), /id="f-current_password-error"/, `${path} with the right password`);
    password = fields['new_password'] ?? password;
  }
});
