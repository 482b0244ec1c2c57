import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priceStrip } from '../../../coordinator/charts/price-strip.ts';
import { chartWidths } from '../../../coordinator/charts/svg-parts.ts';
import { termLines } from '../../../coordinator/charts/term-lines.ts';
import { pointsOf, termStructure } from '../../../coordinator/forward/curve.ts';
import { count, textsOf } from './read-svg.ts';

const configuration = {
  predicted: 3.1,
  p5: 1.5,
  p25: 2.2,
  p50: 3.2,
  p75: 4,
  p95: 9.6,
  offers: [
    { provider: 'runpod', price: 2.69 },
    { provider: 'aws', price: 6.88 },
  ],
};

test('a predicted price is drawn in its distribution, with comparable offers as points labelled by provider', () => {
  for (const width of Object.values(chartWidths)) {
    const svg = priceStrip(configuration, width);
    const texts = textsOf(svg);
    for (const text of ['runpod', 'aws', 'USD per GPU hour']) assert.ok(texts.includes(text), texts.join('|'));
    assert.deepEqual([count(svg, /<path class="d2"/g), count(svg, /<circle class="d1"/g)], [1, 2]);
    assert.equal(svg, priceStrip(configuration, width));
  }
});

test('offers with nearly the same price have their names below each other', () => {
  const offers = ['a', 'b', 'c'].map((name, at) => ({ provider: `provider ${name}`, price: 2.5 + at / 1000 }));
  const svg = priceStrip({ ...configuration, offers }, chartWidths.wide);
  const lines = [...svg.matchAll(/ y="([\d.]+)" text-anchor="\w+">provider/g)].map(([, y]) => y);
  assert.equal(new Set(lines).size, 3);
});

test('a forward curve shows contract and forward rates, and the source of each knot by its shape', () => {
  const knots = [
    { tenor: 12, rate: 2, basis: 'observed' as const },
    { tenor: 24, rate: 0.9, basis: 'observed' as const },
    { tenor: 36, rate: 0.8, basis: 'ratio' as const },
  ];
  const points = pointsOf(termStructure(3, knots));
  for (const width of Object.values(chartWidths)) {
    const svg = termLines(points, width);
    assert.deepEqual([count(svg, /<path class="s1"/g), count(svg, /<path class="s2"/g)], [1, 1]);
    // On demand and 24 months are observed, 36 from a ratio. G falls from 24 to 21.6 at 24 months: up to 12 they are capped.
    assert.deepEqual(
      [/<circle class="d1"/g, /<circle class="o1"/g, /<path class="d1"/g].map((shape) => count(svg, shape)),
      [2, 1, 4],
    );
    const texts = textsOf(svg);
    for (const text of ['months from now', 'USD per GPU hour', 'whole contract', 'that half month alone', '36'])
      assert.ok(texts.includes(text), text);
  }
});
