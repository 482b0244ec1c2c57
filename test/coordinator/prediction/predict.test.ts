import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Prediction, SpecsList } from '../../../coordinator/contract/prediction.ts';
import { train } from '../../../coordinator/prediction/train.ts';
import { makeUser } from '../../support/client.ts';
import { seedVotes, type SeededVote } from '../../support/seed-votes.ts';
import { marketApp, type MarketApp } from '../market/filled-market.ts';
import { A100, H100, smallMarket } from './small-market.ts';

const now = new Date('2026-11-23T08:00:00Z');
const made = async (votes: readonly SeededVote[]): Promise<MarketApp> => {
  const market = await marketApp({ after }, { now }, { tier: 'plus' });
  if (votes.length > 0) await seedVotes(market.platform.sql, votes);
  return market;
};
const refusal = async (market: MarketApp, body: unknown): Promise<{ loc: string[]; msg: string }> => {
  const { status, body: answered } = await market.ask('POST', '/api/price-iq/predict', body);
  assert.equal(status, 422, JSON.stringify(answered));
  return (answered as { detail: { loc: string[]; msg: string }[] }).detail[0] ?? assert.fail();
};
const predicted = async (market: MarketApp, body: object): Promise<Prediction> =>
  (await market.post('/api/price-iq/predict', body)) as unknown as Prediction;
const usd = { gpu_name: 'H100 SXM', country: 'US' };

describe('predict', async () => {
  const market = await made(smallMarket());
  const { authorization } = await makeUser(market, { tier: 'plus' });
  const training = (await train(market.context)) ?? assert.fail();
  assert.equal(training.outcome, 'serving', String(training.why));

  test('an answer has a price between its percentiles, what it stands on, and at most five offers of several providers', async () => {
    const answer = await predicted(market, { ...usd, gpu_count: 8 });
    const { p5, p10, p25, p50, p75, p90, p95 } = answer.percentiles;
    const sorted = [p5, p10, p25, p50, p75, p90, p95];
    assert.deepEqual(
      sorted,
      sorted.toSorted((a, b) => a - b),
    );
    // Prices are 2.55 to 3.54: a prediction outside of them would be no price of this market.
    assert.ok(answer.predicted_price > 2.55 && answer.predicted_price < 3.54, JSON.stringify(answer));
    assert.ok(p5 < answer.predicted_price && answer.predicted_price < p95);
    assert.equal(answer.sample_size, 12);
    // 12 providers x 2 products x 5 months, each vote predicted without its provider.
    assert.equal(answer.residuals, 120);
    assert.equal(answer.as_of, '2026-10-15');
    assert.equal(answer.model_version, training.model_version);
    assert.equal(answer.trained_at, now.toISOString());
    assert.match(answer.interval_basis, /residuals of 12 providers on demand/);
    assert.equal(answer.comparable_offers.length, 5);
    assert.equal(new Set(answer.comparable_offers.map(({ provider }) => provider)).size, 5);
    for (const offer of answer.comparable_offers) assert.deepEqual([offer.country, offer.date], ['US', '2026-10-15']);
    assert.ok(answer.backtest.votes > 0 && (answer.backtest.mape ?? 1) < 0.2);
  });

  test('by slug or name, by country or region, with what the name leaves open', async () => {
    const bySlug = await predicted(market, { slug: H100, country: 'us' });
    const byName = await predicted(market, {
      gpu_name: 'NVIDIA H100 SXM5 80GB',
      country: 'US',
      memory_gb: 80,
      form_factor: 'SXM5',
    });
    assert.equal(bySlug.predicted_price, byName.predicted_price);
    const [byCode, byWord] = await Promise.all(
      ['EU', 'europe'].map((region) => predicted(market, { slug: H100, region })),
    );
    assert.equal(byCode?.predicted_price, byWord?.predicted_price);
    assert.match(
      (await refusal(market, { gpu_name: 'H100 SXM', memory_gb: 40, country: 'US' })).msg,
      /80|not the slug/,
    );
    assert.match(
      (await refusal(market, { slug: H100, form_factor: 'PCIe', country: 'US' })).msg,
      /is PCIe, and nvidia-h100-sxm-80gb is SXM/,
    );
    assert.match((await refusal(market, { slug: H100, region: 'Mordor' })).msg, /must be one of AF \(Africa\)/);
    for (const place of [{}, { country: 'US', region: 'EU' }])
      assert.match((await refusal(market, { slug: H100, ...place })).msg, /exactly one of country and region/);
  });

  test('a kind of provider moves the price, and the answer says if it is not known', async () => {
    const any = await predicted(market, usd);
    const neocloud = await predicted(market, { ...usd, provider_source_type: 'Neocloud' });
    assert.match(any.interval_basis, /kind of provider taken as unknown/);
    assert.doesNotMatch(neocloud.interval_basis, /unknown/);
    const marketplace = await predicted(market, { ...usd, provider_source_type: 'Marketplace' });
    assert.match(marketplace.notes.join(), /no Marketplace sells it/);
  });

  test('what the data do not carry is refused with what is missing and the nearest that they carry', async () => {
    const cases: [body: object, field: string, message: RegExp][] = [
      [
        { ...usd, country: 'JP' },
        'country',
        /no provider states a price of H100 in JP\. Nearest supported: nvidia-h100-sxm-80gb in US/,
      ],
      [{ ...usd, country: 'FR' }, 'country', /Nearest supported: nvidia-h100-sxm-80gb in DE/],
      [{ gpu_name: 'H100 SXM', region: 'AS' }, 'region', /in AS\. Nearest supported/],
      [
        { gpu_name: 'NVIDIA GeForce RTX 4090', country: 'US' },
        'gpu_name',
        /0 providers have prices of RTX 4090.* needs 5\. Nearest supported: nvidia-/,
      ],
      [{ ...usd, price_type: -1 }, 'price_type', /no provider has such prices of H100; nearest: .* 0 \(on demand\)/],
      [
        { ...usd, price_type: 12 },
        'price_type',
        /no provider publishes Rental Reserved 1 year of nvidia-h100-sxm-80gb/,
      ],
      [{ ...usd, price_type: 100 }, 'price_type', /prices of cards are not predicted/],
      [{ ...usd, price_type: 24 }, 'price_type', /must be one of/],
      [{ gpu_name: 'H100 of tomorrow', country: 'US' }, 'gpu_name', /is not the slug or name of one product/],
      [{ country: 'US' }, 'gpu_name', /gpu_name or slug/],
    ];
    for (const [body, field, message] of cases) {
      const { loc, msg } = await refusal(market, body);
      assert.deepEqual(loc, ['body', field], msg);
      assert.match(msg, message);
    }
  });

  test('no count, number or text breaks it: each is refused by its field', async () => {
    const odd: [field: string, value: unknown][] = [
      ['gpu_count', 0],
      ['gpu_count', -1],
      ['gpu_count', 1.5],
      ['gpu_count', 1e300],
      ['gpu_count', 100_001],
      ['gpu_count', 9],
      ['gpu_count', 'NaN'],
      ['gpu_count', null],
      ['memory_gb', -1],
      ['memory_gb', 1e308],
      ['country', 'USA'],
      ['country', '\u0000\u0000'],
      ['country', ['US']],
      ['gpu_name', ''],
      ['gpu_name', 'x'.repeat(81)],
      ['cpu_platform', 'z80'],
      ['provider_source_type', 'Nobody'],
      ['price_type', 'on demand'],
    ];
    for (const [field, value] of odd) {
      const { loc, msg } = await refusal(market, { ...usd, [field]: value });
      assert.equal(loc[1], field, `${String(value)}: ${msg}`);
    }
    assert.match(
      (await refusal(market, { ...usd, gpu_count: 9 })).msg,
      /at most 8: there are no prices of larger machines/,
    );
    // JSON has neither NaN nor Infinity: such a body is not JSON, and 1e999 is read as infinity.
    for (const text of [
      '{"gpu_count":NaN}',
      '{"gpu_count":Infinity}',
      '{"gpu_name":"H100 SXM","country":"US","gpu_count":1e999}',
    ]) {
      const headers = { 'content-type': 'application/json', ...authorization };
      const answer = await market.app.request('/api/price-iq/predict', { method: 'POST', headers, body: text });
      assert.equal(answer.status, 422, text);
    }
  });

  test('the list of what predict takes is of the model, and all of it is taken', async () => {
    const { body } = await market.ask('GET', '/api/price-iq/specs-list');
    const specs = (body as { data: SpecsList }).data;
    assert.deepEqual(
      specs.gpus.map(({ slug, countries, regions, price_types, sample_size }) => [
        slug,
        countries,
        regions,
        price_types,
        sample_size,
      ]),
      [A100, H100].map((slug) => [slug, ['DE', 'US'], ['EU', 'NA'], [0], 12]),
    );
    assert.deepEqual(specs.geolocations.countries, ['DE', 'US']);
    assert.deepEqual(specs.geolocations.regions, [
      { code: 'EU', name: 'Europe' },
      { code: 'NA', name: 'North America' },
    ]);
    assert.deepEqual(specs.cpu_platforms, ['intel', 'amd', 'arm', 'other']);
    assert.deepEqual(
      specs.price_types.map(({ value }) => value),
      [-1, 0, 1, 3, 6, 12],
    );
    for (const { slug, countries } of specs.gpus)
      for (const country of countries)
        for (const cpu_platform of specs.cpu_platforms) await predicted(market, { slug, country, cpu_platform });
  });
});

describe('markets that carry little', async () => {
  test('an empty one has no model, and says so', async () => {
    const market = await made([]);
    assert.equal(await train(market.context), null);
    assert.match((await refusal(market, usd)).msg, /cannot be predicted: no model has been trained yet/);
    const { body } = await market.ask('GET', '/api/price-iq/specs-list');
    assert.deepEqual((body as { data: SpecsList }).data.gpus, []);
  });

  test('one provider only is trained on, and is too little to predict by', async () => {
    const market = await made(smallMarket({ providers: 1 }));
    assert.equal((await train(market.context))?.outcome, 'serving');
    assert.match((await refusal(market, usd)).msg, /1 provider has prices of H100 .* needs 5\. No product has enough/);
  });

  test('if all prices are equal, so are the prediction and its percentiles', async () => {
    const market = await made(smallMarket({ providers: 11, price: () => 2 }));
    const training = await train(market.context);
    assert.equal(training?.outcome, 'serving', String(training?.why));
    const { predicted_price, percentiles } = await predicted(market, usd);
    assert.deepEqual(
      [predicted_price, ...Object.values(percentiles)],
      Array.from({ length: 8 }, () => 2),
    );
  });
});
