import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priceDistribution } from '../../../coordinator/charts/price-distribution.ts';
import { renderSvg } from '../../../coordinator/charts/render-svg.ts';
import { termStructureChart } from '../../../coordinator/charts/term-structure.ts';
import { pointsOf, termStructure } from '../../../coordinator/forward/curve.ts';

const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((match) => match[1] ?? '');

const configuration = {
  label: 'H100 SXM, US',
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

test('a predicted price stands in its distribution, its comparable offers are points with their providers', () => {
  const svg = renderSvg(priceDistribution([configuration]), 980, 160);
  const texts = textsOf(svg);
  for (const text of ['H100 SXM, US', 'runpod', 'aws']) assert.ok(texts.includes(text), texts.join('|'));
  assert.ok(texts.some((text) => text.startsWith('USD per GPU hour')));
  // The prediction alone has its colour; both offers have the ink's.
  assert.equal(svg.split('fill="#b3261e"').length - 1, 1);
  assert.equal(svg, renderSvg(priceDistribution([configuration]), 980, 160));
});

test('a term structure shows contract and forward rates, and its knots by what they rest on', () => {
  const knots = [
    { tenor: 12, rate: 2, basis: 'observed' as const },
    { tenor: 24, rate: 0.9, basis: 'observed' as const },
    { tenor: 36, rate: 0.8, basis: 'ratio' as const },
  ];
  const points = pointsOf(termStructure(3, knots));
  const option = termStructureChart(points, [0, ...knots.map(({ tenor }) => tenor)]);
  const drawn = (option.series as { name: string; data: number[][] }[]).map(({ name, data }) => [name, data.length]);
  assert.deepEqual(drawn, [
    ['contract', 145],
    ['forward', 145],
    // G falls from 24 to 21.6 at 24 months: 12 months are capped.
    ['observed', 2],
    ['ratio', 1],
    ['capped', 1],
  ]);
  for (const width of [980, 358]) {
    const texts = textsOf(renderSvg(option, width, 220));
    for (const text of ['months', 'USD per GPU hour', 'contract', 'forward', '36'])
      assert.ok(texts.includes(text), text);
  }
});
