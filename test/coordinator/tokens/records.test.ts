import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { TokenFile, TokenRecord } from '../../../coordinator/contract/token-files.ts';
import { buildTokenArchives } from '../../../coordinator/tokens/files.ts';
import { call } from '../../support/client.ts';
import { at } from '../jobs/node.ts';
import { openedFile } from './opened-file.ts';
import { everyDay } from './seeded-days.ts';
import { tokenApp, type Caller } from './token-app.ts';

const ofDay = { type: 'book', interval: 'day', period: '2026-08-10' };

describe('records of token prices', async () => {
  const tokens = await tokenApp({ after }, { now: new Date('2026-08-11T08:00:00Z') });
  await tokens.seed(everyDay);
  const create = (body: object, caller: Caller = 'staff') => tokens.ask('create', body, caller);
  const created = async (body: object): Promise<TokenRecord> => tokens.post('create', body, 'staff');
  const info = (body: object) => tokens.post<TokenRecord>('info', body);

  test('create builds the file of now; info finds it by id, by its name and by what it holds', async () => {
    const record = await created({ ...ofDay, name: 'Book for the board' });
    assert.deepEqual(record, {
      id: record.id,
      name: 'Book for the board',
      date: '2026-08-11',
      type: 'book',
      interval: 'day',
      period: '2026-08-10',
      csv_s3_path: 'token-price/book/day/2026-08-10.csv.gz',
      row_count: 2,
    });
    for (const asked of [
      { id: record.id },
      { name: 'Book for the board' },
      { name: 'token-book-day-2026-08-10' },
      { id: record.id, name: record.name },
    ])
      assert.deepEqual(await info(asked), record);
    assert.equal((await openedFile(tokens, record.id)).length, 1 + 2);
    assert.equal((await tokens.ask('info', { id: record.id, name: 'another' })).status, 404);
  });

  test('a record without a name is called by what it holds, and the same again changes nothing', async () => {
    const month = { type: 'pulse', interval: 'month', period: '2026-07' };
    const record = await created(month);
    assert.deepEqual([record.name, record.row_count], ['token-pulse-month-2026-07', 31]);
    assert.deepEqual(await created(month), record);
    assert.deepEqual(await created({ ...month, name: record.name }), record);
    assert.deepEqual(await created({ ...month, name: 'July' }), { ...record, name: 'July' });
  });

  test('a name that is taken, and a second name of one file, are 409', async () => {
    await created({ ...ofDay, period: '2026-08-09', name: 'taken' });
    const taken = await create({ ...ofDay, period: '2026-08-08', name: 'taken' });
    assert.deepEqual([taken.status, at(taken.body, 'meta', 'code')], [409, 409]);
    assert.match(taken.text, /A record with the name taken exists/);
    const second = await create({ ...ofDay, period: '2026-08-09', name: 'other' });
    assert.equal(second.status, 409);
    assert.match(second.text, /is the record taken/);
  });

  test('a file that is built anew keeps its name, under a new id', async () => {
    const record = await created({ ...ofDay, period: '2026-08-07', name: 'kept' });
    await tokens.platform.sql`update token_book set price_output = 16 where day = '2026-08-07'`;
    for await (const _ of buildTokenArchives(tokens.context, { from: '2026-08-07', to: '2026-08-07' }));
    const now = await info({ name: 'kept' });
    assert.notEqual(now.id, record.id);
    assert.equal((await tokens.ask('download', { id: record.id })).status, 404);
    assert.match((await openedFile(tokens, now.id))[1] ?? '', /,16,/);
  });

  test('two who create the same at once get the same record', async () => {
    const both = await Promise.all([1, 2, 3].map(() => create({ ...ofDay, period: '2026-08-06' })));
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.equal(new Set(both.map(({ body }) => JSON.stringify(at(body, 'data')))).size, 1);
  });

  test('delete takes the file off the list; a link to it opens as long as links last', async () => {
    const record = await created({ ...ofDay, period: '2026-08-05', name: 'gone' });
    const { csv_download_url } = await tokens.post<{ csv_download_url: string }>('download', { id: record.id });
    const deleted = await tokens.remove({ name: 'gone' });
    assert.deepEqual([deleted.status, at(deleted.body, 'data')], [200, { id: record.id, deleted: true }]);
    for (const path of ['info', 'download']) assert.equal((await tokens.ask(path, { id: record.id })).status, 404);
    assert.equal((await tokens.remove({ id: record.id })).status, 404);
    const { pathname, search } = new URL(csv_download_url);
    assert.equal((await tokens.app.request(`${pathname}${search}`)).status, 200);
    const { results } = await tokens.post<{ results: TokenFile[] }>('list', {
      filter: [{ type: 'book' }, { interval: 'day' }, { period: '2026/08/05-2026/08/05' }],
    });
    assert.deepEqual(results, []);
  });

  test('only the enterprise tier and staff read; below it is 34004 with the tiers that have it', async () => {
    const { id } = await info({ name: 'Book for the board' });
    const bodies: Record<string, object> = {
      list: { filter: [{ type: 'book' }, { interval: 'day' }, { period: '2026/08/01-2026/08/31' }] },
      download: { id },
      'book/latest': {},
      'book/preview': {},
      'pulse/latest': {},
      'pulse/preview': {},
      'pulse/trend': {},
      info: { id },
    };
    for (const [path, body] of Object.entries(bodies)) {
      for (const caller of ['basic', 'plus', 'professional'] as const) {
        const refused = await tokens.ask(path, body, caller);
        assert.deepEqual([refused.status, at(refused.body, 'meta', 'code')], [403, 34004], `${path} ${caller}`);
        assert.match(refused.text, /token-prices. Tiers with it: enterprise/);
      }
      for (const caller of ['enterprise', 'staff'] as const)
        assert.equal((await tokens.ask(path, body, caller)).status, 200, `${path} ${caller}`);
    }
  });

  test('nobody but staff creates or deletes, and nothing changes where it is refused', async () => {
    const before = await info({ name: 'Book for the board' });
    for (const caller of ['basic', 'enterprise'] as const) {
      assert.equal((await create({ ...ofDay, period: '2026-08-04' }, caller)).status, 403, caller);
      assert.equal((await tokens.remove({ id: before.id }, caller)).status, 403, caller);
    }
    assert.deepEqual(await info({ id: before.id }), before);
    assert.equal((await tokens.ask('info', { name: 'token-book-day-2026-08-04' })).status, 404);
  });

  test('files of the two areas open in their own operations only', async () => {
    const { sql } = tokens.platform;
    const { id } = await info({ name: 'Book for the board' });
    const headers = tokens.callers.enterprise.authorization;
    const gpu = (body: object) => call(tokens, 'POST', '/api/data-hub/gpu/archive/download', { body, headers });
    assert.equal((await gpu({ id })).status, 404);
    const gpuId = tokens.platform.newId();
    await sql`
      insert into archive_file (id, tier, type, interval, period, first_day, last_day, schema_version, artifact_key, row_count,
        size_bytes, built_at, fingerprint)
      select ${gpuId}, 3, 'rental', 'day', '2026-08-10', '2026-08-10', '2026-08-10', 'first', artifact_key, 1, 1, now(), ''
      from archive_file where id = ${id}`;
    assert.equal((await gpu({ id: gpuId })).status, 200);
    for (const path of ['download', 'info']) assert.equal((await tokens.ask(path, { id: gpuId })).status, 404);
    assert.equal((await tokens.remove({ id: gpuId })).status, 404);
    const listed = await call(tokens, 'POST', '/api/data-hub/gpu/archive/list', { body: {}, headers });
    assert.equal(at(listed.body, 'data', 'total'), 1);
  });
});

test('days before what the subscription reaches back to are 34004', async (t) => {
  const tokens = await tokenApp(t, { now: new Date('2026-08-11T08:00:00Z') });
  await tokens.seed(everyDay);
  await tokens.platform.sql`update tier_terms set history_days = 10`;
  // 10 days before 2026-08-11
  for (const path of ['book/preview', 'pulse/preview'])
    for (const [filter, status] of [
      [[{ date: '2026-08-01' }], 200],
      [[{ date: '2026-08-02' }, { date: '2026-07-31' }], 403],
      [[{ start_date: '2026-07-31' }, { end_date: '2026-08-05' }], 403],
    ] as const) {
      const answer = await tokens.ask(path, { filter });
      assert.equal(answer.status, status, answer.text);
      if (status === 403) assert.equal(at(answer.body, 'meta', 'code'), 34004);
      assert.equal((await tokens.ask(path, { filter }, 'staff')).status, 200);
    }
});
