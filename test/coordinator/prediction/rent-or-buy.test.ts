import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { RentOrBuy } from '../../../coordinator/contract/prediction.ts';
import { buildCurves } from '../../../coordinator/forward/build-curves.ts';
import { breakEven, HOURS_PER_MONTH, monthsOf, type Costs } from '../../../coordinator/prediction/break-even.ts';
import { train } from '../../../coordinator/prediction/train.ts';
import { seedVotes } from '../../support/seed-votes.ts';
import { marketApp } from '../market/filled-market.ts';
import { A100, H100, smallMarket } from './small-market.ts';

const costs: Costs = {
  rates: Array.from({ length: 36 }, () => 1),
  utilisation: 0.5,
  retail: 5000,
  resale: 1000,
  watts: 400,
  electricity: 0.1,
};

test('renting and buying by hand: rent 365.25 a month, power 14.61, and they meet where they are equal', () => {
  // 730.5 h x 0.5 = 365.25 h at 1 USD; 0.4 kW x 365.25 h x 0.1 USD = 14.61 USD; (5000 - 1000) / (365.25 - 14.61) = 11.408
  const [first] = monthsOf(costs);
  assert.equal(HOURS_PER_MONTH, 730.5);
  assert.equal(first?.rent, 365.25);
  assert.ok(Math.abs((first?.buy ?? 0) - 4014.61) < 1e-9);
  assert.equal(breakEven(costs)?.toFixed(3), (4000 / (365.25 - 14.61)).toFixed(3));
});

test('what never pays within the horizon has no month, what costs nothing pays at once', () => {
  assert.equal(breakEven({ ...costs, utilisation: 0 }), null);
  assert.equal(breakEven({ ...costs, rates: [1, 1, 1] }), null);
  assert.equal(breakEven({ ...costs, electricity: 100 }), null);
  assert.equal(breakEven({ ...costs, resale: 5000 }), 0);
});

describe('rent or buy', async () => {
  const market = await marketApp({ after }, { now: new Date('2026-11-23T08:00:00Z') }, { tier: 'plus' });
  const { sql } = market.platform;
  const votes = smallMarket({ months: ['2026-08', '2026-09', '2026-10', '2026-11'] });
  const onDemand = votes.find(
    ({ provider, product, day }) => provider === 'p0' && product === H100 && day === '2026-11-15',
  );
  assert.ok(onDemand);
  const terms = [12, 36].map((price_type) => ({
    ...onDemand,
    price_type,
    price: onDemand.price * (price_type === 12 ? 0.8 : 0.6),
  }));
  await seedVotes(sql, [...votes, ...terms]);
  await train(market.context);
  for await (const { day } of buildCurves(market.context, { from: '2026-11-16', to: '2026-11-20' })) assert.ok(day);
  const path = '/api/price-iq/rent-or-buy';
  const asked = {
    gpu: H100,
    country: 'US',
    utilisation: 0.8,
    horizon_months: 36,
    electricity_price: 0.12,
    retail_price: 28_000,
  };
  const refusal = async (body: object): Promise<string> => {
    const answer = await market.ask('POST', path, { ...asked, ...body });
    assert.equal(answer.status, 422, JSON.stringify(answer.body));
    return (answer.body as { detail: { loc: string[]; msg: string }[] }).detail
      .map(({ loc, msg }) => `${loc[1]} ${msg}`)
      .join();
  };

  test('money by month along the curve, the month in which they meet, its interval, every input with its source', async () => {
    const answer = (await market.post(path, asked)) as unknown as RentOrBuy;
    assert.equal(answer.months.length, 36);
    const { value: level } = answer.inputs['rent_level'] ?? assert.fail();
    // A year of contract costs 0.8 of the price on demand, three cost 0.6: rents of the months sum to that.
    const paid = (months: number): number =>
      answer.months.slice(0, months).reduce((sum, { rent_rate }) => sum + rent_rate, 0);
    assert.ok(Math.abs(paid(12) - 12 * 0.8 * (level ?? 0)) < 0.01);
    assert.ok(Math.abs(paid(36) - 36 * 0.6 * (level ?? 0)) < 0.01);
    const { break_even_month: month, break_even_interval: interval } = answer;
    assert.ok(month !== null && interval.early !== null && interval.early <= month);
    assert.ok(interval.late === null || interval.late >= month);
    const [before, later] = [answer.months[Math.floor(month) - 1], answer.months[Math.ceil(month) - 1]];
    assert.ok((before?.rent ?? 0) <= (before?.buy ?? 0) && (later?.rent ?? 0) >= (later?.buy ?? 0));
    assert.deepEqual(
      Object.entries(answer.inputs).map(([name, { source }]) => [
        name,
        source.replace(/\d{19}|\d{4}-\d{2}-\d{2}(-[0-9a-f]{12})?/g, '#'),
      ]),
      [
        // All twelve providers of this market sell the product.
        ['rent_level', 'model #, US, Neocloud, as of #, n 12 providers of product and chip'],
        ['rent_level_p10', 'model #, n 12 providers of product and chip'],
        ['rent_level_p90', 'model #, n 12 providers of product and chip'],
        ['forward_curve', 'curve # of #, Neocloud: p0'],
        ['retail_price', 'the caller'],
        ['resale_price', 'no used price is known: 0 is assumed'],
        ['power', 'published TDP'],
        ['electricity_price', 'the caller'],
        ['utilisation', 'the caller'],
      ],
    );
    assert.equal(answer.inputs['power']?.value, 700);
  });

  test('what is missing is refused by its field: a curve, a price, a term that long', async () => {
    assert.match(await refusal({ gpu: A100 }), /gpu nvidia-a100-sxm-80gb has no forward curve/);
    assert.match(await refusal({ retail_price: undefined }), /retail_price must be given/);
    assert.match(await refusal({ horizon_months: 37 }), /horizon_months/);
    assert.match(await refusal({ country: 'JP' }), /country no provider states/);
    assert.match(await refusal({ country: undefined }), /exactly one of country and region/);
    for (const utilisation of [-0.1, 1.1, 'all']) assert.match(await refusal({ utilisation }), /utilisation/);
    for (const electricity_price of [-1, 1e9]) assert.match(await refusal({ electricity_price }), /electricity_price/);
  });
});
