import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { PriceRecord } from '../../../coordinator/contract/market.ts';
import type { ExplainedVote } from '../../../coordinator/contract/price-evidence.ts';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { call } from '../../support/client.ts';
import { marketApp } from '../market/filled-market.ts';
import { signedIn } from './browser-session.ts';
import { listRows } from './list-rows.ts';

const slug = 'nvidia-h100-sxm-80gb';
const market = await marketApp({ after }, { now: new Date('2026-08-24T12:00:00Z') });
const days = ['2026-08-19', '2026-08-20', '2026-08-21'];
const offers = days.flatMap((day, at) => [
  `${day},Lambda,H100 SXM,8,${2 + at / 10},on_demand,US`,
  `${day},Nebius,H100 SXM,8,${2.5 + at / 10},on_demand,FI`,
  `${day},AWS,H100 SXM,8,${3 + at / 10},on_demand,US`,
  `${day},Lambda,H100 SXM,8,${1.5 + at / 10},reserved_1y,US`,
  `${day},Nebius,H100 SXM,8,${1.7 + at / 10},reserved_1y,FI`,
  `${day},AWS,H100 SXM,8,${1.2 + at / 10},spot,US`,
  `${day},Crusoe,H100 SXM,8,${2.2 + at / 10},reserved_3m,`,
]);
// On the last day only a hyperscaler has a price.
const last = '2026-08-22,AWS,H100 SXM,8,3.40,on_demand,US';
const file = join(market.platform.config.dataDir, 'prices.csv');
await writeFile(
  file,
  ['date,provider,gpu_model,gpu_count,usd_per_gpu_hour,pricing,country', ...offers, last, ''].join('\n'),
);
await market.ingest(observations, file);
const { user, it } = await signedIn(market, { tier: 'professional' });
const product_id = await market.productId(slug);
const range = { start_date: '2026-08-01', end_date: '2026-08-23' };
const dates = new URLSearchParams(range).toString();
const post = async <T>(path: string, body: object): Promise<T> => {
  const answer = await call(market, 'POST', `/api/data-hub/gpu/${path}`, {
    body: { product_id, ...body },
    headers: user.authorization,
  });
  assert.equal(answer.status, 200, answer.text);
  return (answer.body as unknown as { data: T }).data;
};
const history = (of: object) =>
  post<{ total: number; results: PriceRecord[] }>('history/price', { ...range, num_per_page: 100, ...of });

for (const [country, price_type, count] of [
  ['US', 0, 4],
  ['FI', 0, 3],
  ['us', 12, 3],
  ['FI', 12, 3],
  ['WW', 12, 3],
  ['US', -1, 3],
  ['ZZ', 3, 3],
] as const)
  test(`prices in ${country} of price type ${price_type} are those of the API, on the page, as CSV and as JSON`, async () => {
    const api = await history({ country, price_type });
    assert.equal(api.total, count, 'a price on each day that has an offer of it');
    const query = `${dates}&country=${country}&price_type=${price_type}`;
    const { total, rows } = await listRows(it, `/market/${slug}?${query}`);
    const like = (row: object): unknown[] => {
      const own = row as PriceRecord;
      const { date, country: place, price_type: type, price, p10, median, p90, provider_count, sample_size } = own;
      return [date, place, type, price, p10, median, p90, provider_count, sample_size, own.oldest_quote, own.status];
    };
    assert.deepEqual([total, rows.map(like)], [api.total, api.results.map(like)]);
    const html = await (await it.get(`/market/${slug}?${query}`)).text();
    const [newest] = api.results;
    assert.ok(newest !== undefined && html.includes(`${newest.price.toFixed(2)} USD per GPU hour on ${newest.date}`));
    assert.ok(html.includes(newest.price_type_descriptioin));
  });

test('beside one kind of provider the files have what all providers ask, also on days on which only others had a price', async () => {
  const api = await history({ country: 'WW', price_type: 0 });
  const query = `${dates}&provider_source_type=Neocloud`;
  const { rows } = await listRows(it, `/market/${slug}?${query}`);
  // The neoclouds Lambda and Nebius on three days: (2 + 2.5) / 2 and so on; none on the last day.
  assert.deepEqual(
    rows.map((row) => [row['date'], row['price'], row['provider_count']]),
    [
      ['2026-08-22', null, null],
      ['2026-08-21', 2.45, 2],
      ['2026-08-20', 2.35, 2],
      ['2026-08-19', 2.25, 2],
    ],
  );
  assert.deepEqual(
    rows.map((row) => [row['date'], row['price_all_providers'], row['provider_count_all']]),
    api.results.map(({ date, price, provider_count }) => [date, price, provider_count]),
  );
  // Without a kind the two are the same.
  for (const row of (await listRows(it, `/market/${slug}?${dates}`)).rows)
    assert.deepEqual([row['price_all_providers'], row['provider_count_all']], [row['price'], row['provider_count']]);
});

test('votes of a day are limited to the kind of provider that the page is limited to, as are their files', async () => {
  const day = '2026-08-20';
  const { votes } = await post<{ votes: ExplainedVote[] }>('explain', { date: day });
  const ofKind = votes.filter(({ provider_source_type: kind }) => kind === 'Neocloud');
  assert.deepEqual([votes.length, ofKind.length], [3, 2]);
  const html = await (await it.get(`/market/${slug}?${dates}&provider_source_type=Neocloud&day=${day}`)).text();
  const link = /href="(\/market\/[^"]*votes)\.csv(\?[^"]*)"/.exec(html) ?? assert.fail(html);
  const { rows } = await listRows(it, `${link[1]}${link[2]?.replaceAll('&amp;', '&')}`);
  const like = (row: object): unknown[] => {
    const { provider, provider_source_type, price, counted, reason } = row as ExplainedVote;
    return [provider, provider_source_type, price, counted, reason];
  };
  assert.deepEqual(rows.map(like), ofKind.map(like));
  // (2.1 + 2.6) / 2, where that of all three is (2.1 + 2.6 + 3.1) / 3 = 2.6.
  assert.match(html, /kind of provider: Neocloud: 2 of 2 votes count, their mean is 2\.35 USD/);
  const section = html.slice(html.indexOf(`Votes of ${day}</h2>`));
  assert.match(section, /Lambda/);
  assert.doesNotMatch(section, /AWS|Amazon/);
  const all = await listRows(it, `/market/${slug}/votes?day=${day}`);
  assert.deepEqual(all.rows.map(like), votes.map(like));
  assert.equal((await it.get(`/market/${slug}/votes.json?day=${day}&provider_source_type=Florist`)).status, 422);
});
