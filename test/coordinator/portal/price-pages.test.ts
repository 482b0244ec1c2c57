import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { ForwardRecord } from '../../../coordinator/contract/forward.ts';
import type { Prediction, RentOrBuy } from '../../../coordinator/contract/prediction.ts';
import { buildCurves } from '../../../coordinator/forward/build-curves.ts';
import { train } from '../../../coordinator/prediction/train.ts';
import { makeUser } from '../../support/client.ts';
import { seedVotes, type SeededVote } from '../../support/seed-votes.ts';
import { marketApp } from '../market/filled-market.ts';
import { H100, smallMarket } from '../prediction/small-market.ts';
import { browser } from './browser-session.ts';

describe('forward curve, prediction, rent or buy', async () => {
  const market = await marketApp({ after }, { now: new Date('2026-11-23T08:00:00Z') }, { tier: 'plus' });
  const votes = smallMarket({ months: ['2026-08', '2026-09', '2026-10', '2026-11'] });
  const newest = votes.filter(({ product, day }) => product === H100 && day === '2026-11-15');
  const termOf = (provider: string, price_type: number, ratio: number): SeededVote => {
    const onDemand = newest.find((vote) => vote.provider === provider) ?? assert.fail(provider);
    return { ...onDemand, price_type, price: onDemand.price * ratio };
  };
  const terms = [termOf('p0', 12, 0.8), termOf('p0', 36, 0.6), termOf('p1', 12, 0.8)];
  await seedVotes(market.platform.sql, [...votes, ...terms]);
  await train(market.context);
  for await (const { day } of buildCurves(market.context, { from: '2026-11-16', to: '2026-11-20' })) assert.ok(day);
  const visitor = async (tier: 'plus' | 'basic') => {
    const user = await makeUser(market, { tier });
    const it = browser(market);
    assert.equal((await it.signIn(user.email, user.password)).status, 303);
    return it;
  };
  const [plus, basic] = [await visitor('plus'), await visitor('basic')];
  const rows = async (path: string): Promise<Record<string, unknown>[]> => {
    const answer = await plus.get(path);
    assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`);
    return ((await answer.json()) as { results: Record<string, unknown>[] }).results;
  };
  const shown = async (path: string, status = 200): Promise<string> => {
    const answer = await plus.get(path);
    const text = await answer.text();
    assert.equal(answer.status, status, `${path}: ${text}`);
    return text;
  };

  test('the curve has the same rates as the API for a date one year later', async () => {
    // 2026-11-20 and 365 days: 365 x 12 / 365.25 = 11.99, which rounds to 12 months at a quarter's precision.
    const api = (await market.post('/api/gpu-forward/list', {
      gpu: H100,
      forward_date: '2027-11-20',
    })) as unknown as { results: ForwardRecord[] };
    const [record] = api.results;
    assert.equal(record?.tenor_months, 12);
    const points = await rows(`/market/${H100}/forward.json`);
    // Every quarter of a month from now to 36 months, inclusive.
    assert.equal(points.length, 145);
    const year = points.find((row) => row['tenor_months'] === 12);
    assert.equal(Number(year?.['term_rate_usd_per_gpu_hour']).toFixed(6), record.term_rate.toFixed(6));
    assert.equal(Number(year?.['forward_rate_usd_per_gpu_hour']).toFixed(6), record.forward_rate.toFixed(6));
    assert.match(await shown(`/market/${H100}/forward`), new RegExp(`as of ${record.as_of}`));
  });

  test('each point of the curve has the count of providers of its term, in the files, the table and under the chart', async () => {
    const path = `/market/${H100}/forward`;
    const points = await rows(`${path}.json`);
    // p0 sells 12 and 36 months, p1 12 alone: 2 on demand and at 12, 1 at 36, and min(2, 1) between 12 and 36.
    const expected = (tenor: number): number => (tenor <= 12 ? 2 : 1);
    for (const { tenor_months: tenor, term_providers, providers } of points)
      assert.deepEqual([tenor, term_providers, providers], [tenor, expected(Number(tenor)), 2]);
    const text = await shown(path);
    assert.match(text, /compared with on demand, n 2 providers, 1 of that term/);
    // The table of whole months, and below the chart that of every quarter of a month.
    assert.equal(text.match(/Providers of this term, n/g)?.length, 2);
    const csv = (await shown(`${path}.csv`)).split('\r\n').map((line) => line.split(','));
    const [tenors, counts] = ['tenor_months', 'term_providers'].map((name) => csv[0]?.indexOf(name) ?? -1);
    for (const line of csv.slice(1, -1))
      assert.equal(Number(line[counts ?? -1]), expected(Number(line[tenors ?? -1])), line.join());
  });

  test('for a kind of provider without a curve the page keeps the form and says why; its files are refused', async () => {
    const path = `/market/${H100}/forward`;
    assert.match(await shown(`${path}?provider_source_type=Marketplace`), /no Marketplace publishes term rates/);
    assert.equal((await plus.get(`${path}.csv?provider_source_type=Marketplace`)).status, 422);
  });

  test('the prediction is the same as the API’s for the same query', async () => {
    const asked = { slug: H100, country: 'DE', gpu_count: 8, price_type: 0 };
    const api = (await market.post('/api/price-iq/predict', asked)) as unknown as Prediction;
    const query = 'country=DE&gpu_count=8';
    const found = await rows(`/market/${H100}/predict.json?${query}`);
    assert.deepEqual(
      found.map((row) => [row['figure'], row['price_usd_per_gpu_hour']]),
      [['predicted_price', api.predicted_price], ...Object.entries(api.percentiles)],
    );
    const text = await shown(`/market/${H100}/predict?${query}`);
    assert.match(text, new RegExp(`${api.predicted_price.toFixed(2)} <small>USD per GPU hour`));
    assert.match(text, new RegExp(`n ${api.sample_size} providers`));
    // 12 providers x 2 products x 4 months on demand; the price itself has none.
    assert.deepEqual(
      found.map((row) => row['residuals']),
      [null, ...Object.keys(api.percentiles).map(() => 12 * 2 * 4)],
    );
    assert.match(text, /Past predictions behind the spread, n/);
    assert.match(text, /n 12 providers, 96 past predictions/);
    assert.match(await shown(`/market/${H100}/predict?country=JP`), /Nothing can be shown for this/);
  });

  test('memory, form factor and processor of the machine are parameters as in the API, and kept in the form', async () => {
    const query = { memory_gb: '80', form_factor: 'SXM', cpu_platform: 'amd', country: 'US' };
    const path = `/market/${H100}/predict?${new URLSearchParams(query).toString()}`;
    const page = await shown(path);
    for (const kept of [/name="memory_gb"[^>]*value="80"/, /name="form_factor"[^>]*value="SXM"/, /"amd"\s+selected/])
      assert.match(page, kept);
    assert.equal((await plus.get(path.replace('predict?', 'predict.json?').replace('amd', 'abacus'))).status, 422);
  });

  test('rent or buy has the same monthly costs as the API', async () => {
    const given = {
      utilisation: 0.8,
      horizon_months: 36,
      electricity_price: 0.12,
      retail_price: 28_000,
      country: 'US',
    };
    const api = (await market.post('/api/price-iq/rent-or-buy', { gpu: H100, ...given })) as unknown as RentOrBuy;
    const query = new URLSearchParams(Object.entries(given).map(([name, value]) => [name, String(value)])).toString();
    assert.deepEqual(await rows(`/market/${H100}/rent-or-buy.json?${query}`), api.months);
    const month = api.break_even_month ?? assert.fail('the costs break even within the horizon');
    assert.match(
      await shown(`/market/${H100}/rent-or-buy?${query}`),
      new RegExp(`${Number(month.toPrecision(3))} <small>months`),
    );
    // This market has no retail price of this product, which the page states instead of a number.
    assert.match(await shown(`/market/${H100}/rent-or-buy`), /retail price must be given/);
  });

  test('a tier without the product sees what the page contains and which tiers include it', async () => {
    for (const name of ['forward', 'predict', 'rent-or-buy']) {
      const answer = await basic.get(`/market/${H100}/${name}`);
      assert.deepEqual([name, answer.status], [name, 403]);
      assert.match(await answer.text(), /Tiers with it: .*plus/);
      assert.equal((await basic.get(`/market/${H100}/${name}.json`)).status, 403);
    }
  });
});
