import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { figureColumns, textColumns } from '../../../coordinator/contract/catalog.ts';
import { call } from '../../support/client.ts';
import { marketApp } from '../market/filled-market.ts';
import { signedIn } from './browser-session.ts';
import { listRows, textOf, type Row } from './list-rows.ts';

const market = await marketApp({ after }, { now: new Date('2026-08-22T10:00:00Z') });
await market.platform.sql`
  insert into latest_price (product_id, price_type, country, day, price, price_median, provider_count, sample_size)
  select product_id, t.type, '', '2026-08-15', t.base + product_id % 7, t.base, 3, 9
  from product, (values (0, 1.5), (100, 20000)) t (type, base) where product_id % 2 = 0
  on conflict do nothing`;
const { user, it } = await signedIn(market, { tier: 'basic' });

/** What the API finds for the filter of a page's query, in the page's usual order. */
async function apiRows(query: string): Promise<{ total: number; results: Row[] }> {
  const filter = [...new URLSearchParams(query)].map(([name, value]) => ({ [name]: value }));
  const answer = await call(market, 'POST', '/api/gpu-navigator/gpu-specs', {
    body: { filter, order_by: [{ rental_price: 'desc' }], paginate: { num_per_page: 100, page_num: 1 } },
    headers: user.authorization,
  });
  assert.equal(answer.status, 200, answer.text);
  return (answer.body as unknown as { data: { total: number; results: Row[] } }).data;
}

const slugs = (rows: Row[]): unknown[] => rows.map(({ slug }) => slug);
const everything = await apiRows('');

test('for any two values of a column the catalogue has the rows of the API: those of either value', async () => {
  for (const column of [...textColumns, ...figureColumns]) {
    const values = everything.results.flatMap((row) => (row[column] === null ? [] : textOf(row[column])));
    const [one = '', other = ''] = [values.at(0), values.at(-1)];
    const query = new URLSearchParams([
      [column, one],
      [column, other],
    ]).toString();
    const api = await apiRows(query);
    const page = await listRows(it, `/market?${query}`);
    assert.ok(api.total > 0, query);
    // The file has all products, a page of the API a hundred.
    assert.deepEqual([page.rows.length, slugs(page.rows).slice(0, 100)], [api.total, slugs(api.results)], query);
    const alone = new Set(
      (await listRows(it, `/market?${column}=${encodeURIComponent(one)}`)).rows.map(({ slug }) => slug),
    );
    if (one !== other)
      assert.ok(
        slugs(page.rows).some((slug) => !alone.has(slug)),
        `${query}: those of the second value too`,
      );
  }
});

test('different keys, each with several values, mean all of them, as in the API', async () => {
  const query = 'manufacturer=AMD&manufacturer=NVIDIA&mem=40-80&mem=192&name=a100&name=mi300&name=h100';
  const api = await apiRows(query);
  const page = await listRows(it, `/market?${query}`);
  assert.ok(api.total > 2 && api.total < everything.total);
  assert.deepEqual([page.total, slugs(page.rows)], [api.total, slugs(api.results)]);
});

test('the form of the catalogue sends empty fields, and keeps each value of a repeated key in a field of its own', async () => {
  const form = new URLSearchParams(
    [...textColumns, ...figureColumns].map((name) => [name, name === 'chip' ? 'H100' : '']),
  );
  const sent = await listRows(it, `/market?${form.toString()}&sort_by=rental_price&sort_order=desc`);
  const api = await apiRows('chip=H100');
  assert.ok(api.total > 0);
  assert.deepEqual(slugs(sent.rows), slugs(api.results));
  const html = await (await it.get('/market?name=a100&name=&name=h100&mem=80')).text();
  const fields = [
    ...html.matchAll(
      /<label for="([^"]+)">([^<]+)<\/label>\s*(?:<p[^>]*>[^<]*<\/p>\s*)?<input\s+id="([^"]+)"\s+name="(?:name|mem)"\s+type="text"\s+value="([^"]*)"/g,
    ),
  ];
  assert.deepEqual(
    fields.map(([, label, words, id, value]) => [label === id, id, words, value]),
    [
      [true, 'f-name', 'Name', 'a100'],
      [true, 'f-name-1', 'or Name', 'h100'],
      [true, 'f-mem', 'Memory, GB', '80'],
    ],
  );
});
