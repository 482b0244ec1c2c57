import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bookOrder, pulseOrder } from '../../../coordinator/contract/token-views.ts';
import { testApp } from '../../support/app.ts';
import { call } from '../../support/client.ts';
import { seedTokens } from '../../support/seed-tokens.ts';
import { signedIn } from './browser-session.ts';
import { listRows, type Row } from './list-rows.ts';

const app = await testApp({ after }, { now: new Date('2026-08-22T10:00:00Z') });
// From 2026-07-13 on: also days before 2026-07-21, of which the pulse has other columns.
await seedTokens(app.platform.sql, { last: '2026-08-21', days: 40, models: 40 });
// Of the books' 160 prices of a day some have no cached price, and two models are deprecated.
await app.platform.sql`update token_pulse set is_estimated = true where model like '%model-1%'`;
const { user, it } = await signedIn(app, { tier: 'enterprise' });

/** The API's answer to what a page's query asks. */
async function apiRows(view: 'book' | 'pulse', query: string): Promise<{ total: number; results: Row[] }> {
  const asked = new URLSearchParams(query);
  const usual = view === 'book' ? 'price_input' : 'volume_input_index';
  const order = { [asked.get('sort_by') ?? usual]: asked.get('sort_order') ?? 'desc' };
  const paginate = { num_per_page: Number(asked.get('per_page') ?? 50), page_num: Number(asked.get('page') ?? 1) };
  const filter = [...asked]
    .filter(([name]) => !['sort_by', 'sort_order', 'per_page', 'page'].includes(name))
    .map(([name, value]) => ({ [name]: value }));
  const answer = await call(app, 'POST', `/api/token-price/${view}/preview`, {
    body: { filter, order_by: [order], paginate },
    headers: user.authorization,
  });
  assert.equal(answer.status, 200, answer.text);
  return (answer.body as unknown as { data: { total: number; results: Row[] } }).data;
}

const columns = { price_input: 'avg_price_input', price_output: 'avg_price_output' };
/** The row of a page as the API has it: on days before the means were renamed by their former names. */
const asInApi = (view: 'book' | 'pulse', row: Row, like: Row): Row =>
  Object.fromEntries(
    Object.keys(like).map((name) => [name, row[(view === 'pulse' && columns[name as 'price_input']) || name]]),
  );

const ofModels = {
  nothing: '',
  developer: 'developer=developer-1',
  model_name: 'model_name=MODEL-2',
  model_type: 'model_type=open-weight',
  model_status: 'model_status=deprecated',
  date: 'date=2026-08-03',
  'days of a range': 'start_date=2026-08-01&end_date=2026-08-03&per_page=100&page=2',
  'a day before the columns changed': 'date=2026-07-15&sort_by=volume_output_index',
  'developer and kind': 'developer=developer-3&model_type=closed-source',
  'any of two developers and any of two days':
    'developer=developer-7&developer=developer-8&date=2026-08-20&date=2026-08-21',
  page: 'per_page=7&page=3',
};
const filters = {
  book: {
    ...ofModels,
    'a day before the columns changed': 'date=2026-07-15&sort_by=price_output',
    source_id: 'source_id=seller-2',
    source_type: 'source_type=model-lab&sort_order=asc',
    'any of two sellers': 'source_id=seller-1&source_id=seller-4',
  },
  pulse: ofModels,
};
const orders = { book: bookOrder, pulse: pulseOrder };

for (const view of ['book', 'pulse'] as const) {
  const compare = async (query: string): Promise<Row[]> => {
    const api = await apiRows(view, query);
    const page = await listRows(it, `/tokens/${view}?${query}`);
    assert.ok(api.results.length > 0, `${query} finds something`);
    assert.deepEqual(
      [page.total, page.rows.map((row, at) => asInApi(view, row, api.results[at] ?? {}))],
      [api.total, api.results],
      query,
    );
    return api.results;
  };

  for (const [name, query] of Object.entries(filters[view]))
    test(`the token ${view} by ${name} has the rows of the API for the same query, as JSON and as CSV`, async () => {
      const rows = await compare(query);
      const html = await (await it.get(`/tokens/${view}?${query}`)).text();
      for (const row of rows) assert.ok(html.includes(String(row['model_name'])), `${query}: on the page`);
    });

  test(`the token ${view} has the order of the API for every column that it can be sorted by`, async () => {
    const firsts = new Set<string>();
    for (const column of orders[view])
      for (const direction of ['asc', 'desc']) {
        const rows = await compare(`sort_by=${column}&sort_order=${direction}&per_page=100`);
        firsts.add(JSON.stringify(rows[0]));
      }
    // Both directions of at least the prices begin differently.
    assert.ok(firsts.size > 6, `${firsts.size} beginnings`);
  });
}

test('the pulse says over how many sellers its means are and of how many counts its volumes, which the API’s rows do not, on days in memory and on stored ones', async () => {
  // Two of the four sellers of each model are left out of what is stored for one day in memory and one before.
  for (const date of ['2026-08-20', '2026-07-15']) {
    await app.platform.sql`
      update token_pulse p set sellers = 2, volume_counts = null, avg_price_input = (
        select avg(price_input) from token_book b where b.day = p.day and b.model = p.model and source_id in ('seller-1', 'seller-2'))
      where day = ${date} and model like '%model-3-%'`;
    await app.platform.sql`update data_version set version = version + 1 where area = 'tokens'`;
    app.clock.advance({ seconds: 1 });
    const { rows: models } = await listRows(it, `/tokens/pulse?date=${date}`);
    const { rows: prices } = await listRows(
      it,
      `/tokens/book?date=${date}&per_page=100&model_name=model-3-&sort_by=source_id&sort_order=asc`,
    );
    assert.equal(prices.length, 4);
    const [first = NaN, second = NaN] = prices.map((row) => Number(row['price_input']));
    const of = models.find((row) => row['model_name'] === 'model-3-instruct');
    assert.equal(of?.['sellers'], 2);
    assert.equal(Number(of['avg_price_input']).toFixed(9), ((first + second) / 2).toFixed(9));
    // As rows are that were derived before it was kept.
    assert.equal(of['volume_counts'], null);
    for (const other of models.filter((row) => row !== of))
      assert.deepEqual([other['sellers'], other['volume_counts']], [4, 2]);
    const html = await (await it.get(`/tokens/pulse?date=${date}&model_name=model-3-`)).text();
    assert.match(html, /Counts of the source, n/);
    assert.match(html, /Sellers, n/);
    assert.match(html, /<td class="r">2<\/td>/);
    assert.match(html, /means and medians are over the sellers, one price each/);
    const api = await apiRows('pulse', `date=${date}`);
    assert.ok(api.results.every((row) => !('sellers' in row || 'volume_counts' in row)));
  }
});

test('a repeated filter of the token book is kept by its form, and links to the files keep it too', async () => {
  const query = 'source_id=seller-1&source_id=seller-4';
  const html = await (await it.get(`/tokens/book?${query}`)).text();
  assert.match(html, /\d+ prices?, read on <time datetime="([\d-]+)">\1<\/time> \(UTC\)/);
  const values = [...html.matchAll(/name="source_id"\s+type="text"\s+value="([^"]*)"/g)].map(([, value]) => value);
  assert.deepEqual(values, ['seller-1', 'seller-4']);
  for (const ending of ['csv', 'json'])
    assert.ok(html.replaceAll('&amp;', '&').includes(`href="/tokens/book.${ending}?${query}"`), ending);
  // Empty fields, which a form sends too, filter nothing.
  const all = await listRows(it, '/tokens/book?developer=&source_id=&date=');
  assert.equal(all.total, 40 * 4);
});
