import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { storeFile } from '../../../coordinator/platform/artifacts/store-file.ts';
import { testApp } from '../../support/app.ts';
import { call, makeUser, type TestUser } from '../../support/client.ts';
import { at } from '../jobs/node.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const { sql } = app.platform;
const user = await makeUser(app, { tier: 'plus' });
const staff = await makeUser(app, { role: 'staff' });
const send = (path: string, body: unknown, caller: TestUser = user) =>
  call(app, 'POST', path, { body, headers: caller.authorization });
await sql`update tier_terms set history_days = 30, archive_tiers = '{2}' where tier in ('plus', 'basic')`;

test('prices before what the subscription reaches back to are 34004, and the message says from when on', async () => {
  const path = app.app.routes.find((route) => route.path.endsWith('history/price'))?.path ?? '';
  const ask = (start_date: string, caller: TestUser = user) =>
    send(path, { product_id: 1, price_type: 0, start_date, end_date: '2026-11-20' }, caller);
  // 30 days before 2026-11-21 is 2026-10-22.
  const refused = await ask('2026-10-21');
  assert.deepEqual([refused.status, at(refused.body, 'meta', 'code')], [403, 34004], refused.text);
  assert.match(refused.text, /reaches back 30 days; start_date must be 2026-10-22 or later/);
  assert.equal((await ask('2026-10-22')).status, 200);
  assert.equal((await ask('2026-10-21', staff)).status, 200);
  const index = await send('/api/gpu-index/index', {
    gpu: 'x',
    starting_date: '2026-10-21',
    ending_date: '2026-11-01',
  });
  assert.equal(at(index.body, 'meta', 'code'), 34004);
});

test('a file of a level that the subscription does not include is 34004, one that it includes opens', async () => {
  const insert = async (tier: number) => {
    const id = app.platform.newId();
    const gzip = { contentType: 'application/gzip', extension: 'csv' };
    const { key } = await storeFile(app.context, Buffer.from(`tier ${tier}`), gzip);
    await sql`
      insert into archive_file (id, tier, type, interval, period, first_day, last_day, schema_version, artifact_key, row_count,
        size_bytes, built_at, fingerprint)
      values (${id}, ${tier}, 'rental', 'day', '2026/11/01', '2026-11-01', '2026-11-01', 'first',
        ${key}, 1, 1, now(), '')`;
    return id;
  };
  const path = app.app.routes.find((route) => route.path.endsWith('archive/download'))?.path ?? '';
  const [two, three] = [await insert(2), await insert(3)];
  assert.equal((await send(path, { id: two })).status, 200);
  const refused = await send(path, { id: three });
  assert.deepEqual([refused.status, at(refused.body, 'meta', 'code')], [403, 34004]);
  assert.equal((await send(path, { id: three }, staff)).status, 200);
});
