import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { intervalOf, poolOf, quantileOf } from '../../../coordinator/prediction/model/conformal.ts';
import { columnsOf, designOf } from '../../../coordinator/prediction/model/design.ts';
import { fit, priors } from '../../../coordinator/prediction/model/fit.ts';
import { leaveOut } from '../../../coordinator/prediction/model/leave-out.ts';
import { regionOf } from '../../../coordinator/prediction/model/regions.ts';
import { trainModel } from '../../../coordinator/prediction/model/train-model.ts';
import type { Vote } from '../../../coordinator/prediction/model/vote.ts';

const AS_OF = '2026-10-31';
const vote = (provider: string, price: number, more: Partial<Vote> = {}): Vote => ({
  provider,
  sellers: 'Neocloud',
  product: 'card',
  chip: 'chip',
  price_type: 0,
  country: 'ZZ',
  cards: 1,
  day: AS_OF,
  price,
  ...more,
});

/** The same system, the random effects as columns of their own: nothing eliminated, solved by Gauss and Jordan. */
function solvedWhole(votes: readonly Vote[]): Map<string, number> {
  const { columns, rows } = designOf(votes, AS_OF);
  const names = [...columns];
  const placeOf = (name: string): number => (names.includes(name) ? names.indexOf(name) : names.push(name) - 1);
  const whole = rows.map(({ places, values, target, weight, provider, product }) => ({
    at: [...places, placeOf(`random ${provider}`), placeOf(`random ${provider} ${product}`)],
    values: [...values, 1, 1],
    target,
    weight,
  }));
  const ridge = (name: string): number => {
    const spread = name.startsWith('random ')
      ? name.split(' ').length === 2
        ? priors.provider
        : priors.cell
      : name === 'intercept'
        ? priors.noise / Math.sqrt(1e-9)
        : name.startsWith('chip ')
          ? priors.chip
          : name.startsWith('product ')
            ? priors.product
            : name.startsWith('country ')
              ? priors.country
              : priors.other;
    return (priors.noise / spread) ** 2;
  };
  const matrix = names.map((name, i) => names.map((_, j) => (i === j ? ridge(name) : 0)).concat(0));
  for (const { at, values, target, weight } of whole)
    for (const [i, place] of at.entries()) {
      const row = matrix[place] ?? [];
      for (const [j, other] of at.entries())
        row[other] = (row[other] ?? 0) + weight * (values[i] ?? 0) * (values[j] ?? 0);
      row[names.length] = (row[names.length] ?? 0) + weight * (values[i] ?? 0) * target;
    }
  for (let at = 0; at < names.length; at += 1) {
    const pivot = matrix[at] ?? [];
    const scale = pivot[at] ?? 1;
    for (let j = at; j <= names.length; j += 1) pivot[j] = (pivot[j] ?? 0) / scale;
    for (const [i, row] of matrix.entries()) {
      const times = row[at] ?? 0;
      if (i !== at) for (let j = at; j <= names.length; j += 1) row[j] = (row[j] ?? 0) - times * (pivot[j] ?? 0);
    }
  }
  return new Map(names.map((name, at) => [name, matrix[at]?.[names.length] ?? Number.NaN]));
}

test('with the random effects eliminated the fixed part is that of the whole system', () => {
  const given = fc.array(
    fc.record({
      provider: fc.constantFrom('a', 'b', 'c', 'd'),
      product: fc.constantFrom('x', 'y', 'z'),
      country: fc.constantFrom('ZZ', 'US', 'DE'),
      sellers: fc.constantFrom('Neocloud', 'Hyperscaler'),
      cards: fc.constantFrom(1, 2, 8, null),
      // Within what Huber's loss takes as it is, so that the system is linear.
      price: fc.double({ min: 1, max: 1.02, noNaN: true }),
      day: fc.constantFrom('2026-10-31', '2026-08-15', '2026-05-01'),
    }),
    { minLength: 3, maxLength: 30 },
  );
  fc.assert(
    fc.property(given, (rows) => {
      const votes = rows.map(({ provider, price, ...more }) => vote(provider, price, { ...more, chip: more.product }));
      const design = designOf(votes, AS_OF);
      const { coefficients, robust } = fit(design);
      fc.pre(robust.every((one) => one === 1));
      const whole = solvedWhole(votes);
      for (const [at, name] of design.columns.entries())
        assert.ok(Math.abs((coefficients[at] ?? 0) - (whole.get(name) ?? 0)) < 1e-7, name);
    }),
    { numRuns: 200, seed: 20 },
  );
});

test('one absurd price among many moves the prediction of the others by little', () => {
  const sound = Array.from({ length: 12 }, (_, at) => vote(`p${at}`, 2 + at / 100));
  const plain = [...leaveOut(sound, AS_OF)].flat();
  const beside = [...leaveOut([...sound, vote('mad', 2000)], AS_OF)].flat();
  for (const { provider, known } of plain) {
    const now = beside.find((one) => one.provider === provider)?.known ?? Number.NaN;
    // A mean would move by log(1000) / 12 = 0.58.
    assert.ok(Math.abs(now - known) < 0.2, `${provider} ${known} ${now}`);
  }
});

test('a provider is predicted from the others alone: what it asks changes nothing of its prediction', () => {
  const others = Array.from({ length: 6 }, (_, at) => vote(`p${at}`, 2 + at / 10));
  const [cheap, dear] = [1, 10].map((price) => {
    const own = [...leaveOut([...others, vote('own', price)], AS_OF)].flat().find(({ provider }) => provider === 'own');
    return Math.log(price) - (own?.known ?? Number.NaN);
  });
  assert.ok(Math.abs((cheap ?? 0) - (dear ?? 1)) < 0.02, `${cheap} ${dear}`);
});

test('countries of one vote share its weight, which halves in 120 days', () => {
  const { rows } = designOf(
    [vote('a', 2, { country: 'US' }), vote('a', 3, { country: 'DE' }), vote('b', 2, { day: '2026-07-03' })],
    AS_OF,
  );
  assert.deepEqual(
    rows.map(({ weight }) => weight),
    [0.5, 0.5, 0.5],
  );
});

test('columns of a price: its country and continent, the kind of provider beside neoclouds, log2 of the cards', () => {
  const terms = { chip: 'H100', product: 'h', price_type: -1, region: null, country: 'DE', cards: 8, age: 0 };
  assert.deepEqual(columnsOf({ ...terms, sellers: { Neocloud: 0.75, Hyperscaler: 0.25 } }), [
    ['intercept', 1],
    ['chip H100', 1],
    ['product h', 1],
    ['type -1', 1],
    ['sellers Hyperscaler', 0.25],
    ['region EU', 1],
    ['country DE', 1],
    ['log2 cards', 3],
  ]);
  assert.equal(regionOf('ZZ'), null);
  assert.equal(regionOf('toString'), null);
});

test('an interval is that of residuals in which each provider has one vote, widened for the few that there are', () => {
  // Nine providers with residuals 1 to 9, the last with three prices: level 0.8 x 10 / 9 = 8 / 9, a tail of 1 / 18.
  const scored = [...Array.from({ length: 8 }, (_, at) => [at + 1]), [9, 9, 9]].flatMap((of, at) =>
    of.map((residual) => ({ provider: `p${at}`, residual, weight: 1 })),
  );
  const pool = poolOf(scored);
  assert.equal(pool.providers, 9);
  assert.deepEqual(intervalOf(pool, 0.8), [1, 9]);
  // 0.5 x 10 / 9 = 5 / 9, tails of 2 / 9: the third and the seventh hold more than two ninths outside themselves.
  assert.deepEqual(intervalOf(pool, 0.5), [2, 8]);
  assert.equal(quantileOf(pool, 0.5), 5);
  // More than all of five providers is impossible: the whole range.
  assert.deepEqual(intervalOf(poolOf(scored.slice(0, 5)), 0.9), [1, 5]);
});

test('a pool has one residual for each vote of a product that four others sell, as stored models always kept them', () => {
  const sold = Array.from({ length: 6 }, (_, at) => `p${at}`);
  const monthly = sold.flatMap((provider) =>
    ['2026-08-15', '2026-09-15', AS_OF].map((day) => vote(provider, 2, { day, country: 'US' })),
  );
  // A second country of a vote is of the same vote, and a product of four sellers has three others for each of them.
  const beside = [
    vote('p0', 3, { country: 'DE' }),
    ...sold.slice(0, 4).map((provider) => vote(provider, 9, { product: 'rare' })),
  ];
  const pools = trainModel([...monthly, ...beside], [])?.pools ?? [];
  assert.deepEqual(
    pools.map(([type]) => type),
    [0],
  );
  for (const pool of pools.flatMap(([, { known, any }]) => [known, any])) {
    // 6 providers x 3 months
    assert.deepEqual([pool.providers, pool.residuals.length], [6, 18]);
    assert.deepEqual(Object.keys(pool), ['providers', 'residuals', 'upTo']);
  }
});

test('of exchangeable providers the interval holds the next one as often as it says', () => {
  let held = 0;
  const TRIALS = 4000;
  let state = 20;
  const next = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const scored = Array.from({ length: 14 }, (_, at) => ({
      provider: `p${at}`,
      residual: Math.tan(next() - 0.5),
      weight: 1,
    }));
    const [low, high] = intervalOf(poolOf(scored), 0.8);
    const drawn = Math.tan(next() - 0.5);
    if (drawn >= low && drawn <= high) held += 1;
  }
  // Four standard errors of a share of 0.8 in 4000: 0.025. Ranks of 15 come in steps of 1 / 15, and never fewer than asked for.
  assert.ok(held / TRIALS > 0.8 - 0.025 && held / TRIALS < 0.8 + 1 / 15 + 0.025, String(held / TRIALS));
});
