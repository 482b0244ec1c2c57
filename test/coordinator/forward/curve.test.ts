import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  monthsBetween,
  monthsOf,
  pointsOf,
  STEP,
  termStructure,
  type Knot,
} from '../../../coordinator/forward/curve.ts';

const observed = (tenor: number, rate: number): Knot => ({ tenor, rate, basis: 'observed' });

/** The money between two tenors by the month: what a curve says of a longer time than half a month. */
function average(onDemand: number, knots: Knot[], from: number, to: number): number {
  const { at } = termStructure(onDemand, knots);
  return (to * at(to).term - from * at(from).term) / (to - from);
}

test('p4d, Standard without upfront: 2.7447 on demand, 1.7401 for a year, 1.1718 for three: 0.8876 between', () => {
  // us-east-1: 21.957642, 13.921094 and 9.374219 USD for eight cards; (36 x 1.171777 - 12 x 1.740137) / 24
  const between = average(21.957642 / 8, [observed(12, 13.921094 / 8), observed(36, 9.374219 / 8)], 12, 36);
  assert.equal(between.toFixed(4), '0.8876');
});

test('g6e, Standard without upfront: 1.861, 1.17243, 0.80395: 0.6197 between', () => {
  // (36 x 0.80395 - 12 x 1.17243) / 24 = (28.9422 - 14.06916) / 24
  assert.equal(average(1.861, [observed(12, 1.17243), observed(36, 0.80395)], 12, 36).toFixed(4), '0.6197');
});

test('p5, Convertible alone: 6.88, 5.418, 5.0527: 4.87 between', () => {
  // (36 x 40.42138 - 12 x 43.344) / 24 / 8
  assert.equal(average(55.04 / 8, [observed(12, 43.344 / 8), observed(36, 40.42138 / 8)], 12, 36).toFixed(2), '4.87');
});

test('between two knots the cubic is Fritsch and Carlson’s, worked by hand', () => {
  // Knots (0, 0), (12, 24), (36, 54): chords 2 and 1.25; slopes 3 at 0, (24 x 2 + 12 x 1.25) / 36 = 1.75 inside,
  // (3 x 1.25 - 1.75) / 2 = 1 at the end; (3/2)^2 + (1.75/2)^2 = 3.02 <= 9, so none is limited.
  const { at } = termStructure(3, [observed(12, 2), observed(36, 1.5)]);
  // at 6: 0.5 x 24 + 12 x (3 - 1.75) / 8 = 13.875; at 24: (24 + 54) / 2 + 24 x (1.75 - 1) / 8 = 41.25
  assert.equal(at(6).term, 13.875 / 6);
  assert.equal(at(24).term, 41.25 / 24);
  assert.equal(at(0).term, 3);
  assert.deepEqual(
    [0, 6, 12, 24, 36].map((tenor) => at(tenor).basis),
    ['observed', 'interpolated', 'observed', 'interpolated', 'observed'],
  );
});

test('a slope that would overshoot is limited, and the curve says that it begins below the price on demand', () => {
  // A chord of 1 over the first year and 10 on demand: (10, m) is outside the circle of radius 3.
  const curve = termStructure(10, [observed(12, 1)]);
  assert.ok(curve.startsBelowOnDemand);
  assert.ok(curve.at(0).term <= 3);
  assert.equal(curve.at(12).term, 1);
});

test('money that falls with a longer contract is lowered to the least later, and only there', () => {
  // G: 12 x 2 = 24, 24 x 0.8 = 19.2, 36 x 0.6 = 21.6: the first becomes 19.2.
  const curve = termStructure(3, [observed(12, 2), observed(24, 0.8), observed(36, 0.6)]);
  assert.deepEqual(curve.capped, [12]);
  assert.ok(Math.abs(curve.at(12).term - 19.2 / 12) < 1e-15);
  assert.equal(curve.at(12).basis, 'capped');
  assert.equal(curve.at(18).forward, 0);
  assert.equal(curve.at(24).term, 0.8);
});

test('a point beside a tenor that a ratio fills is of the ratio too', () => {
  const { at } = termStructure(3, [observed(12, 2), { tenor: 36, rate: 1.5, basis: 'ratio' }]);
  assert.deepEqual(
    [6, 12, 24, 36].map((tenor) => at(tenor).basis),
    ['interpolated', 'observed', 'ratio', 'ratio'],
  );
});

test('days become months to a quarter', () => {
  assert.deepEqual([30, 91, 182, 365, 730, 1095].map(monthsOf), [1, 3, 6, 12, 24, 36]);
  assert.equal(monthsBetween('2025-12-01', '2026-12-01'), 12);
  assert.equal(monthsBetween('2025-12-01', '2025-12-02'), 0);
});

test('what is not a rate or not a tenor is refused', () => {
  for (const rate of [0, -1, Number.NaN, Infinity]) {
    assert.throws(() => termStructure(1, [observed(12, rate)]), RangeError);
    assert.throws(() => termStructure(rate, [observed(12, 1)]), RangeError);
  }
  assert.throws(() => termStructure(1, []), RangeError);
  assert.throws(() => termStructure(1, [observed(12, 1), observed(12, 2)]), RangeError);
  assert.throws(() => termStructure(1, [observed(0, 1)]), RangeError);
  assert.throws(() => termStructure(1, [observed(12, 1)]).at(12.25), RangeError);
});

const rate = fc.double({ min: 1e-3, max: 1e3, noNaN: true });
const structure = fc.record({
  onDemand: rate,
  knots: fc
    .uniqueArray(fc.integer({ min: 1, max: 240 }), { minLength: 1, maxLength: 6 })
    .chain((quarters) => fc.tuple(...quarters.map((quarter) => rate.map((value) => observed(quarter * STEP, value))))),
});

test('10,000 random term structures: no negative forward, whole money, observed tenors met exactly', () => {
  fc.assert(
    fc.property(structure, ({ onDemand, knots }) => {
      const curve = termStructure(onDemand, knots);
      const given = knots.toSorted((a, b) => a.tenor - b.tenor);
      const last = given.at(-1);
      assert.ok(last);
      const points = pointsOf(curve);
      for (const { forward, term } of points) assert.ok(forward >= 0 && term >= 0 && forward < Infinity);
      // Half months about 0.25, 0.75, ...; the last is a quarter if the longest tenor is not of halves.
      let money = 0;
      for (let x = STEP; x < last.tenor + STEP; x += 2 * STEP)
        money += x < last.tenor ? 2 * STEP * curve.at(x).forward : STEP * curve.at(last.tenor).forward;
      const whole = last.tenor * last.rate;
      assert.ok(Math.abs(money - whole) <= 1e-12 * whole, `${money} of ${whole}`);
      for (const [at, { tenor, rate: said }] of given.entries()) {
        const least = Math.min(...given.slice(at).map((one) => one.tenor * one.rate));
        const { term, basis } = curve.at(tenor);
        if (tenor * said > least) {
          assert.equal(basis, 'capped');
          assert.ok(Math.abs(term * tenor - least) <= 1e-12 * least);
        } else {
          assert.equal(basis, 'observed');
          assert.equal(term, said);
        }
      }
    }),
    { numRuns: 10_000, seed: 20 },
  );
});
