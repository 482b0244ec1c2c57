import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { neocloudDaily } from '../../../coordinator/ingest/connectors/neocloud-daily.ts';
import { ensureCarbon } from '../../../coordinator/carbon/store-editions.ts';
import { call, makeUser } from '../../support/client.ts';
import { sharedPath, withoutShared } from '../ingest/read-source.ts';
import { marketApp } from '../market/filled-market.ts';
import { browser } from './browser-session.ts';

const slug = 'nvidia-h100-sxm-80gb';

describe('pages of market, carbon and tokens', { skip: withoutShared }, async () => {
  const market = await marketApp({ after }, { now: new Date('2026-08-22T10:00:00Z') });
  await ensureCarbon(market.context);
  await market.ingest(neocloudDaily, sharedPath('rental/neocloud-daily/neocloud_daily_median.csv'));
  const basic = await makeUser(market, { tier: 'basic' });
  const it = browser(market);
  assert.equal((await it.signIn(basic.email, basic.password)).status, 303);
  const json = async (path: string): Promise<{ total: number; results: Record<string, unknown>[] }> => {
    const answer = await it.get(path);
    assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`);
    return (await answer.json()) as { total: number; results: Record<string, unknown>[] };
  };
  const ask = async (path: string, body: unknown): Promise<{ total: number; results: Record<string, unknown>[] }> => {
    const answer = await call(market, 'POST', path, { body, headers: basic.authorization });
    return (answer.body as unknown as { data: { total: number; results: Record<string, unknown>[] } }).data;
  };

  test('the catalogue has the same rows as the API for the same filter and order', async () => {
    const page = await json('/market.json?mem=80-141&sort_by=rental_price&sort_order=asc');
    const api = await ask('/api/gpu-navigator/gpu-specs', {
      filter: [{ mem: '80-141' }],
      order_by: [{ rental_price: 'asc' }],
    });
    assert.ok(api.total > 5);
    assert.deepEqual(
      [page.total, page.results.map((row) => [row['slug'], row['rental_price'], row['tdp']])],
      [api.total, api.results.map((row) => [row['slug'], row['rental_price'], row['tdp']])],
    );
  });

  test('the catalogue also sorts by slug and by price per operation, and shows how many providers are behind a rental price', async () => {
    for (const column of ['slug', 'cpp']) {
      const page = await json(`/market.json?sort_by=${column}&sort_order=asc`);
      const api = await ask('/api/gpu-navigator/gpu-specs', {
        order_by: [{ [column]: 'asc' }],
        paginate: { num_per_page: 100, page_num: 1 },
      });
      // The file has all products, a page of the API a hundred.
      assert.deepEqual(
        page.results.slice(0, 100).map((row) => row['slug']),
        api.results.map((row) => row['slug']),
      );
      assert.equal(page.results.length, api.total);
    }
    const text = await (await it.get('/market?sort_by=slug')).text();
    assert.match(text, /<option value="slug"\s+selected/);
    const first = (await json('/market.json')).results.find((row) => row['rental_price'] !== null);
    assert.ok(Number(first?.['provider_count']) > 0);
    assert.match(
      await (await it.get('/market')).text(),
      new RegExp(`<small>n ${String(first?.['provider_count'])}, <time datetime="2026-08-`),
    );
  });

  test('a product has the same daily prices as the API, on the page, as CSV and as JSON', async () => {
    const days = { start_date: '2026-07-25', end_date: '2026-08-21' };
    const api = await ask('/api/data-hub/gpu/history/price', {
      product_id: await market.productId(slug),
      price_type: 0,
      country: 'WW',
      num_per_page: 100,
      ...days,
    });
    assert.ok(api.total > 20);
    const query = new URLSearchParams(days).toString();
    const page = await json(`/market/${slug}.json?${query}`);
    const shown = (rows: Record<string, unknown>[]) =>
      rows.map((row) => [row['date'], row['price'], row['provider_count']]);
    assert.deepEqual(shown(page.results), shown(api.results));
    const csv = (await (await it.get(`/market/${slug}.csv?${query}`)).text()).trim().split('\r\n');
    assert.equal(csv.length, api.total + 1);
    assert.match(csv[1] ?? '', new RegExp(`^2026-08-21,WW,0,${String(api.results[0]?.['price'])},`));
    const text = await (await it.get(`/market/${slug}?${query}`)).text();
    assert.match(text, new RegExp(`${Number(api.results[0]?.['price']).toFixed(2)} USD per GPU hour on 2026-08-21`));
    assert.doesNotMatch(text, /style=|<style|<script>/);
  });

  test('a single day has no change since itself, and one day is called one day', async () => {
    const day = await (await it.get(`/market/${slug}?start_date=2026-08-21&end_date=2026-08-21`)).text();
    assert.match(day, /USD per GPU hour on 2026-08-21, n \d+<\/h2>/);
    assert.match(day, /\b1 day has a price;/);
    assert.doesNotMatch(day, /since 2026-08-21|\b1 days/);
  });

  test('prices by kind of provider and the votes of a day require the price evidence product, and match the votes that count', async () => {
    const query = 'start_date=2026-07-25&end_date=2026-08-21';
    const kind = `/market/${slug}.json?${query}&provider_source_type=Neocloud`;
    assert.equal((await it.get(kind)).status, 403);
    const buyer = await makeUser(market, { tier: 'professional' });
    const its = browser(market);
    assert.equal((await its.signIn(buyer.email, buyer.password)).status, 303);
    const rows = async (path: string): Promise<Record<string, unknown>[]> =>
      ((await (await its.get(path)).json()) as { results: Record<string, unknown>[] }).results;
    const all = await rows(`/market/${slug}.json?${query}`);
    assert.ok(all.length > 20);
    const kinds = await Promise.all(
      ['Neocloud', 'Hyperscaler', 'Marketplace'].map((name) => rows(kind.replace('Neocloud', name))),
    );
    // Every vote is of one kind, so the counts of the kinds add up to the total, as do prices times counts, with each
    // price rounded to 4 digits.
    for (const day of all) {
      const parts = kinds.flatMap((of) => of.filter(({ date }) => date === day['date']));
      const sum = (of: (row: Record<string, unknown>) => number) => parts.reduce((total, row) => total + of(row), 0);
      const count = Number(day['provider_count']);
      assert.equal(
        sum((row) => Number(row['provider_count'])),
        count,
      );
      const mean = sum((row) => Number(row['price']) * Number(row['provider_count'])) / count;
      assert.ok(
        Math.abs(mean - Number(day['price'])) < 1e-4,
        `${String(day['date'])}: ${mean} and ${String(day['price'])}`,
      );
    }
    assert.ok(kinds.filter((of) => of.length > 0).length > 1);
    const votes = await rows(`/market/${slug}/votes.json?day=2026-08-21`);
    const counted = votes.filter((vote) => vote['counted'] === true).map((vote) => Number(vote['price']));
    const mean = counted.reduce((sum, price) => sum + price, 0) / counted.length;
    assert.deepEqual(
      [counted.length, mean.toFixed(4)],
      [all[0]?.['provider_count'], Number(all[0]?.['price']).toFixed(4)],
    );
    const text = await (await its.get(`/market/${slug}?${query}&provider_source_type=Neocloud`)).text();
    assert.match(
      text,
      new RegExp(`href="/market/${slug}/votes.csv\\?provider_source_type=Neocloud&amp;day=2026-08-21"`),
    );
    assert.match(text, /all providers<\/text>/);
    assert.equal((await it.get(`/market/${slug}/votes.csv`)).status, 403);
  });

  test('an unknown product is a 404 page, and an invalid date a page that names the field', async () => {
    assert.equal((await it.get('/market/no-such-gpu')).status, 404);
    const answer = await it.get(`/market/${slug}?start_date=yesterday`);
    assert.ok(answer.status === 400 || answer.status === 422, String(answer.status));
    assert.match(await answer.text(), /start_date/);
  });

  test('days before the history of the tier are refused as by the API', async () => {
    const short = await makeUser(market, { tier: 'basic' });
    await market.context.sql`
      insert into customer_terms (customer_id, history_days, updated_at) values (${short.customerId}, 90, now())`;
    const its = browser(market);
    assert.equal((await its.signIn(short.email, short.password)).status, 303);
    const answer = await its.get(`/market/${slug}?start_date=2026-05-01&end_date=2026-05-20`);
    assert.equal(answer.status, 403);
    // 90 days before 2026-08-22
    assert.match(await answer.text(), /reaches back 90 days; start_date must be 2026-05-24 or later/);
  });

  test('without its product a page says what it contains and which tiers include it', async () => {
    for (const path of ['/tokens/book', '/tokens/pulse', '/tokens/index']) {
      const answer = await it.get(path);
      assert.deepEqual([path, answer.status], [path, 403]);
      assert.match(await answer.text(), /enterprise|No tier/i);
    }
    assert.match(await (await it.get(`/market/${slug}`)).text(), /It is part of:\s+.*professional/);
  });

  test('carbon by region can be limited to one region', async () => {
    const all = (await json(`/carbon.json?gpu_slug=${slug}&provider=aws`)).results;
    assert.ok(all.length > 2);
    const code = String(all[1]?.['provider_code']);
    const one = (await json(`/carbon.json?gpu_slug=${slug}&provider=aws&provider_code=${code}`)).results;
    assert.deepEqual(one, [all[1]]);
    // The script can show its time in the reader's zone.
    const page = await (await it.get(`/carbon?gpu_slug=${slug}&provider=aws&provider_code=${code}`)).text();
    assert.match(page, /<td><time datetime="\d{4}-\d\d-\d\dT[\d:.]+Z" class="num">/);
  });

  test('the carbon page has the same figure as the API for the place', async () => {
    const query = `gpu_slug=${slug}&hours_used=10&country_code=US&zipcode=94105`;
    const api = await call(market, 'POST', '/api/data-hub/carbon/gpu-carbon-intensity', {
      body: { gpu_slug: slug, hours_used: 10, country_code: 'US', zipcode: '94105' },
      headers: basic.authorization,
    });
    const answer = await it.get(`/carbon?${query}`);
    assert.equal(answer.status, 200);
    const text = await answer.text();
    const grams = Number((api.body as { data?: { carbonIntensity?: number } }).data?.carbonIntensity);
    assert.ok(grams > 0, JSON.stringify(api.body));
    assert.match(text, new RegExp(`${String(Number((grams / 1000).toPrecision(4)))} <small>kg CO2e`));
  });
});
