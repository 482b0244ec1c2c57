import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Json } from '../../support/client.ts';
import { tokenApp } from './token-app.ts';

const range = { period: '2026/08/01-2026/08/31' };
const listed = [{ interval: 'day' }, range, { type: 'book' }];

/** What is sent, and where the answer must say that it is wrong. */
const wrong: Record<string, [body: unknown, loc: string][]> = {
  list: [
    [undefined, 'body.filter'],
    [{}, 'body.filter'],
    [{ filter: [] }, 'body.filter.interval'],
    [{ filter: [range, { type: 'book' }] }, 'body.filter.interval'],
    [{ filter: [{ interval: 'day' }, { type: 'book' }] }, 'body.filter.period'],
    [{ filter: [{ interval: 'day' }, range] }, 'body.filter.type'],
    [{ filter: [{ interval: 'quarter' }, range, { type: 'book' }] }, 'body.filter.0.interval'],
    [{ filter: [{ interval: 'day' }, { period: '2026-08' }, { type: 'book' }] }, 'body.filter.1.period'],
    [{ filter: [{ interval: 'day' }, { period: '2026/02/01-2026/02/30' }, { type: 'book' }] }, 'body.filter.1.period'],
    [{ filter: [{ interval: 'day' }, { period: '2026/08/02-2026/08/01' }, { type: 'book' }] }, 'body.filter.1.period'],
    [{ filter: [{ interval: 'day' }, range, { type: 'rental' }] }, 'body.filter.2.type'],
    [{ filter: [...listed, { tier: 3 }] }, 'body.filter.3'],
    [{ filter: [{ interval: 'day', type: 'book' }, range] }, 'body.filter.0'],
    [{ filter: listed, order_by: [{ type: 'asc' }] }, 'body.order_by.0'],
    [{ filter: listed, order_by: [{ period: 'up' }] }, 'body.order_by.0.period'],
    [{ filter: listed, paginate: { num_per_page: 101 } }, 'body.paginate.num_per_page'],
    [{ filter: listed, paginate: { page_num: 0 } }, 'body.paginate.page_num'],
  ],
  download: [
    [{}, 'body.id'],
    [{ id: 'x' }, 'body.id'],
    [{ id: -1 }, 'body.id'],
    [{ id: null }, 'body.id'],
  ],
  'book/preview': [
    [{ filter: [{ vendor: 'x' }] }, 'body.filter.0'],
    [{ filter: [{}] }, 'body.filter.0'],
    [{ filter: [{ developer: 'a', model_name: 'b' }] }, 'body.filter.0'],
    [{ filter: [{ developer: '' }] }, 'body.filter.0.developer'],
    // refused by the reader of JSON, before any schema
    [{ filter: [{ developer: 'nul \0' }] }, 'body.developer'],
    [{ filter: [{ model_type: 'open' }] }, 'body.filter.0.model_type'],
    [{ filter: [{ source_type: 'broker' }] }, 'body.filter.0.source_type'],
    [{ filter: [{ date: '2026-02-30' }] }, 'body.filter.0.date'],
    [{ filter: [{ start_date: '2026-08-01' }] }, 'body.filter.end_date'],
    [{ filter: [{ end_date: '2026-08-01' }] }, 'body.filter.start_date'],
    [{ filter: [{ start_date: '2026-08-02' }, { end_date: '2026-08-01' }] }, 'body.filter.end_date'],
    // 91 days apart
    [{ filter: [{ start_date: '2026-05-01' }, { end_date: '2026-07-31' }] }, 'body.filter.end_date'],
    [
      { filter: [{ start_date: '2026-08-01' }, { end_date: '2026-08-02' }, { date: '2026-08-01' }] },
      'body.filter.date',
    ],
    [{ order_by: [{ volume_input_index: 'asc' }] }, 'body.order_by.0'],
    [{ paginate: { num_per_page: 0 } }, 'body.paginate.num_per_page'],
    ['text', 'body'],
  ],
  'book/preview?filter=x': [[{}, 'query.filter']],
  'book/preview?filter=[{"vendor":"x"}]': [[undefined, 'query.filter.0']],
  'book/preview?filter=null': [[undefined, 'query.filter']],
  'book/preview?order_by=[{"date":"up"}]': [[{}, 'query.order_by.0.date']],
  'book/preview?pagination={"num_per_page":500}': [[{}, 'query.pagination.num_per_page']],
  'pulse/preview': [
    [{ filter: [{ source_id: 'x' }] }, 'body.filter.0'],
    [{ order_by: [{ source_id: 'asc' }] }, 'body.order_by.0'],
    [{ order_by: [{ date: 'asc', developer: 'asc' }] }, 'body.order_by.0'],
  ],
  'pulse/trend': [
    [{ filter: [{ date: '2026-08-01' }] }, 'body.filter.0'],
    [{ order_by: [{ date: 'asc' }] }, 'body.order_by.0'],
    [{ paginate: { num_per_page: 101 } }, 'body.paginate.num_per_page'],
  ],
  create: [
    [{}, 'body.type'],
    [{ type: 'rental', interval: 'day', period: '2026-08-10' }, 'body.type'],
    [{ type: 'book', interval: 'year', period: '2026' }, 'body.interval'],
    [{ type: 'book', interval: 'day', period: '2026-08' }, 'body.period'],
    [{ type: 'book', interval: 'month', period: '2026-08-10' }, 'body.period'],
    [{ type: 'book', interval: 'month', period: '2026-13' }, 'body.period'],
    [{ type: 'book', interval: 'day', period: '2026-02-30' }, 'body.period'],
    // nothing is stored
    [{ type: 'book', interval: 'day', period: '2026-08-10' }, 'body.period'],
    [{ type: 'book', interval: 'day', period: '2026-08-10', name: '' }, 'body.name'],
    [{ type: 'book', interval: 'day', period: '2026-08-10', name: 'x'.repeat(61) }, 'body.name'],
    [{ type: 'book', interval: 'day', period: '2026-08-10', name: 'token-pulse-day-2026-08-10' }, 'body.name'],
  ],
  info: [
    [{}, 'body.id'],
    [{ id: 'x' }, 'body.id'],
    [{ name: '' }, 'body.name'],
    [{ name: 7 }, 'body.name'],
  ],
};

describe('bad input of token prices', async () => {
  const tokens = await tokenApp({ after });
  const locations = (body: Json): string[] => {
    const { detail } = body as { detail: { loc: string[]; msg: string }[] };
    assert.ok(
      detail.every(({ loc, msg }) => loc.every((part) => typeof part === 'string') && loc.length > 0 && msg.length > 0),
      JSON.stringify(body),
    );
    return detail.map(({ loc }) => loc.join('.'));
  };

  for (const [path, cases] of Object.entries(wrong))
    test(`${path}: each wrong field is named in the detail dialect`, async () => {
      for (const [body, loc] of cases) {
        const answer = await tokens.ask(path, body, 'staff');
        assert.equal(answer.status, 422, `${JSON.stringify(body)}: ${answer.text}`);
        assert.ok(locations(answer.body).includes(loc), `${JSON.stringify(body)} ${loc}: ${answer.text}`);
      }
    });

  test('delete: each wrong field is named too', async () => {
    for (const [body, loc] of wrong['info'] ?? []) {
      const answer = await tokens.remove(body);
      assert.equal(answer.status, 422, answer.text);
      assert.ok(locations(answer.body).includes(loc), answer.text);
    }
  });

  test('the message about a missing filter item says which item to add', async () => {
    const { text } = await tokens.ask('list', { filter: [{ interval: 'day' }] });
    assert.match(text, /filter needs an item \{\\"period\\": \.\.\.\}/);
    assert.match(text, /filter needs an item \{\\"type\\": \.\.\.\}/);
  });

  test('an id or name of nothing is 404 in the envelope', async () => {
    for (const [path, body] of [
      ['download', { id: '1' }],
      ['info', { id: '1' }],
      ['info', { name: 'nothing' }],
      ['info', { name: 'token-book-day-2026-02-30' }],
      ['info', { name: 'token-book-day-2026-08-10' }],
    ] as const) {
      const answer = await tokens.ask(path, body);
      assert.equal(answer.status, 404, answer.text);
      assert.deepEqual(Object.keys(Object(answer.body)), ['meta', 'data'], path);
    }
    assert.equal((await tokens.remove({ name: 'nothing' })).status, 404);
  });
});
