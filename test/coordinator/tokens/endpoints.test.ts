import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { BookRow, PulseRow, PulseTrend } from '../../../coordinator/contract/token-prices.ts';
import { at } from '../jobs/node.ts';
import { everyDay, LAST, ofLastDay } from './seeded-days.ts';
import { tokenApp } from './token-app.ts';

interface Page<T> {
  total: number;
  results: T[];
}

describe('token prices', async () => {
  const tokens = await tokenApp({ after }, { now: new Date('2026-08-11T08:00:00Z') });
  await tokens.seed([...everyDay, ...ofLastDay]);
  const book = (body: unknown) => tokens.post<Page<BookRow>>('book/preview', body);
  const pulse = (body: unknown) => tokens.post<Page<PulseRow>>('pulse/preview', body);
  const trend = (body: unknown) => tokens.post<Page<PulseTrend>>('pulse/trend', body);

  test('book/latest is the first 20 rows of the newest day by developer, model and source, in the fields of the book', async () => {
    const { total, results } = await tokens.post<Page<BookRow>>('book/latest');
    assert.deepEqual([total, results.length], [26, 20]);
    assert.deepEqual(results[0], {
      date: '2026-08-10',
      developer: 'anthropic',
      model_name: 'claude-x',
      model_type: 'closed-source',
      model_status: 'active',
      total_param: null,
      active_param: null,
      context_length: 200000,
      price_input: 3.5,
      price_output: 15,
      price_cached_input: 0.3,
      source_id: 'anthropic',
      source_type: 'model-lab',
      screened_by: null,
    });
    assert.deepEqual(Object.keys(results[0] ?? {}), [
      'date',
      'developer',
      'model_name',
      'model_type',
      'model_status',
      'total_param',
      'active_param',
      'context_length',
      'price_input',
      'price_output',
      'price_cached_input',
      'source_id',
      'source_type',
      'screened_by',
    ]);
    assert.deepEqual(
      results.slice(1, 4).map(({ model_name, source_id }) => `${model_name} ${source_id}`),
      ['claude-x bedrock', 'm00 Together', 'm01 Together'],
    );
  });

  test('a filter is a part of developer, model or source and all of the rest; repeated it is any, others are all', async () => {
    assert.equal((await book({ filter: [{ developer: 'OPENLAB' }] })).total, 24);
    assert.equal((await book({ filter: [{ model_name: 'm0' }] })).total, 10);
    assert.equal((await book({ filter: [{ source_id: 'toget' }, { model_type: 'open-source' }] })).total, 6);
    assert.equal((await book({ filter: [{ model_name: 'm01' }, { model_name: 'm02' }] })).total, 2);
    assert.equal((await book({ filter: [{ model_status: 'deprecated' }] })).results[0]?.model_name, 'm03');
    assert.equal((await book({ filter: [{ source_type: 'model-lab' }] })).total, 1);
    assert.equal((await book({ filter: [{ source_type: 'marketplace' }] })).total, 0);
    assert.equal((await book({})).total, 26);
  });

  test('orders and pages are those of the request, and what is null comes last either way', async () => {
    const cheapest = await book({ order_by: [{ price_input: 'asc' }], paginate: { num_per_page: 2, page_num: 2 } });
    assert.deepEqual([cheapest.total, cheapest.results.map(({ price_input }) => price_input)], [26, [0.12, 0.13]]);
    for (const way of ['asc', 'desc']) {
      const { results } = await book({ order_by: [{ active_param: way }] });
      const known = results.map(({ active_param }) => active_param);
      const sorted = [0.5, 1.5, 2.5, 3.5, 4.5];
      assert.deepEqual(known.slice(0, 5), way === 'asc' ? sorted : sorted.toReversed());
      assert.ok(known.slice(5).every((value) => value === null));
    }
    const two = await book({ order_by: [{ model_type: 'desc' }, { model_name: 'desc' }] });
    assert.deepEqual([two.results[0]?.model_name, two.results.at(-1)?.model_name], ['m22', 'claude-x']);
  });

  test('older days are answered by their date or range, the newest first, as those in memory are', async () => {
    const one = await book({ filter: [{ date: '2026-07-01' }, { source_id: 'bed' }] });
    assert.deepEqual([one.total, one.results[0]?.price_input, one.results[0]?.date], [1, 3.1, '2026-07-01']);
    const range = [{ start_date: '2026-07-02' }, { end_date: '2026-07-04' }];
    assert.deepEqual(
      (await book({ filter: range })).results.map(({ date, source_id }) => `${date} ${source_id}`),
      ['04', '03', '02'].flatMap((day) => [`2026-07-${day} anthropic`, `2026-07-${day} bedrock`]),
    );
    // The same question answered in memory (the newest day alone) and by the database (with a day that has nothing).
    for (const asked of [
      {
        filter: [{ developer: 'LAB' }, { source_id: 'e' }],
        order_by: [{ active_param: 'desc' }, { price_input: 'asc' }],
      },
      { filter: [{ model_type: 'open-source' }, { model_name: '1' }], order_by: [{ model_name: 'desc' }] },
      { filter: [], order_by: [{ source_id: 'asc' }], paginate: { num_per_page: 7, page_num: 3 } },
    ]) {
      const dated = { ...asked, filter: [...asked.filter, { date: LAST }, { date: '2020-01-01' }] };
      assert.deepEqual(await book(dated), await book(asked), JSON.stringify(asked));
    }
    assert.deepEqual(await book({ filter: [{ date: '2026-08-11' }] }), { total: 0, results: [] });
  });

  test('book/preview takes filter, order_by and pagination as JSON in the query, before those of the body', async () => {
    const query = new URLSearchParams({
      filter: '[{"developer":"openlab"}]',
      order_by: '[{"price_input":"desc"}]',
      pagination: '{"num_per_page":1,"page_num":2}',
    });
    const asked = await tokens.post<Page<BookRow>>(`book/preview?${query.toString()}`);
    assert.deepEqual([asked.total, asked.results.map(({ model_name }) => model_name)], [24, ['m22']]);
    const both = await tokens.post<Page<BookRow>>('book/preview?pagination={"num_per_page":2}', {
      filter: [{ developer: 'anthropic' }],
      paginate: { num_per_page: 1 },
    });
    assert.deepEqual([both.total, both.results.length], [2, 2]);
  });

  test('a row of the pulse has the fields in force on its date', async () => {
    const head = [
      'date',
      'developer',
      'model_name',
      'model_type',
      'model_status',
      'volume_input_index',
      'volume_output_index',
    ];
    const { results } = await pulse({ filter: [{ start_date: '2026-07-20' }, { end_date: '2026-07-21' }] });
    assert.deepEqual(
      results.map((row) => Object.keys(row)),
      [
        [...head, 'avg_price_input', 'avg_price_output', 'med_price_input', 'med_price_output', 'is_estimated'],
        [...head, 'price_input', 'price_output', 'is_estimated'],
      ],
    );
    assert.deepEqual(results[0], {
      date: '2026-07-21',
      developer: 'anthropic',
      model_name: 'claude-x',
      model_type: 'closed-source',
      model_status: 'active',
      volume_input_index: 20.5,
      volume_output_index: 20.25,
      avg_price_input: 3.3,
      avg_price_output: 15,
      med_price_input: 3,
      med_price_output: 14.5,
      is_estimated: false,
    });
    // 19 days after the first: 3.29
    assert.deepEqual([at(Object(results[1]), 'price_input'), at(Object(results[1]), 'is_estimated')], [3.29, true]);
    const [stored] = (await pulse({ filter: [{ date: '2026-07-01' }] })).results;
    assert.deepEqual([at(Object(stored), 'price_input'), at(Object(stored), 'avg_price_input')], [3.1, undefined]);
  });

  test('pulse/preview is the newest day without dates, latest its first rows, and both names of a price order', async () => {
    const { total, results } = await pulse({ order_by: [{ avg_price_input: 'asc' }] });
    assert.deepEqual([total, results.map(({ model_name }) => model_name)], [4, ['m02', 'm01', 'm00', 'claude-x']]);
    const named = await pulse({ order_by: [{ price_input: 'asc' }] });
    assert.deepEqual(named.results, results);
    const latest = await tokens.post<Page<PulseRow>>('pulse/latest');
    assert.deepEqual(
      [latest.total, latest.results.map(({ model_name }) => model_name)],
      [4, ['claude-x', 'm00', 'm01', 'm02']],
    );
    // in memory and by the database
    const long = await pulse({
      filter: [{ start_date: '2026-07-01' }, { end_date: LAST }],
      order_by: [{ date: 'asc' }],
    });
    assert.deepEqual([long.total, long.results[0]?.date], [44, '2026-07-01']);
    const asked = { filter: [{ model_name: 'M0' }], order_by: [{ volume_input_index: 'desc' }] };
    assert.deepEqual(
      await pulse({ ...asked, filter: [...asked.filter, { date: LAST }, { date: '2020-01-01' }] }),
      await pulse(asked),
    );
  });

  test('the trend of a model is its days of the latest 30, the oldest first, each in its schema', async () => {
    const { total, results } = await trend({});
    assert.deepEqual([total, results.map(({ model_name }) => model_name)], [4, ['claude-x', 'm00', 'm01', 'm02']]);
    const days = results[0]?.trend ?? [];
    // 2026-08-10 and the 29 days before it
    assert.deepEqual([days.length, days[0]?.date, days.at(-1)?.date], [30, '2026-07-12', '2026-08-10']);
    assert.deepEqual([at(Object(days[0]), 'price_input'), at(Object(days.at(-1)), 'avg_price_input')], [3.21, 3.5]);
    assert.deepEqual(Object.keys(results[0] ?? {}), ['developer', 'model_name', 'model_type', 'model_status', 'trend']);
    assert.equal(results[1]?.trend.length, 1);
    const one = await trend({
      filter: [{ developer: 'open' }],
      order_by: [{ model_name: 'desc' }],
      paginate: { num_per_page: 1 },
    });
    assert.deepEqual([one.total, one.results.map(({ model_name }) => model_name)], [3, ['m02']]);
  });

  test('a derivation is seen within half a second', async () => {
    await tokens.post('book/latest');
    await tokens.seed([
      { day: '2026-08-11', developer: 'a', name: 'new', book: [{ source: 's', input: '1', output: '2' }] },
    ]);
    tokens.clock.advance({ seconds: 1 });
    const { total, results } = await tokens.post<Page<BookRow>>('book/latest');
    assert.deepEqual([total, results[0]?.model_name], [1, 'new']);
  });
});

test('with nothing stored every answer is an empty page', async (t) => {
  const tokens = await tokenApp(t);
  for (const path of ['book/latest', 'book/preview', 'pulse/latest', 'pulse/preview', 'pulse/trend'])
    assert.deepEqual(
      await tokens.post(path, path.endsWith('latest') ? undefined : {}),
      { total: 0, results: [] },
      path,
    );
  const dated = { filter: [{ date: '2026-08-10' }] };
  for (const path of ['book/preview', 'pulse/preview'])
    assert.deepEqual(await tokens.post(path, dated), { total: 0, results: [] }, path);
});
