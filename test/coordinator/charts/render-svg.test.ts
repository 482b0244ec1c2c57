import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measuredAgainstExpected } from '../../../coordinator/charts/measured-against-expected.ts';
import { peerDistribution } from '../../../coordinator/charts/peer-distribution.ts';
import { renderSvg } from '../../../coordinator/charts/render-svg.ts';
import { sampleSpread } from '../../../coordinator/charts/sample-spread.ts';

const spread = () => sampleSpread([{ label: 'Memory', min: 90, p5: 95, median: 100, p95: 104, max: 110 }]);
const points = Array.from({ length: 20 }, (_, index) => ({
  name: `n${index}`,
  deviation: index / 1000,
  outlier: false,
}));
const odd = { name: 'slow-node', deviation: -0.12, outlier: true };

const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((match) => match[1] ?? '');

test('equal options give equal pictures', () => {
  assert.equal(renderSvg(spread(), 500, 120), renderSvg(spread(), 500, 120));
  const strip = () => peerDistribution([{ label: 'BF16', points: [...points, odd] }], '21 nodes');
  assert.equal(renderSvg(strip(), 500, 120), renderSvg(strip(), 500, 120));
});

test('the spread of samples has its label, its unit and its scale in percent', () => {
  const texts = textsOf(renderSvg(spread(), 500, 120));
  assert.ok(texts.includes('Memory'));
  assert.ok(texts.some((text) => text.startsWith('deviation from the median in %')));
  // samples from 90 to 110 about a median of 100
  assert.ok(texts.includes('-10') && texts.includes('10'));
});

test('every peer is drawn and the outlier is named', () => {
  const svg = renderSvg(peerDistribution([{ label: 'BF16', points: [...points, odd] }], '21 nodes'), 500, 160);
  assert.ok(textsOf(svg).includes('slow-node'));
  // 20 dots by the fill colour of ordinary points, 1 diamond
  assert.equal(svg.split('fill="#2f5d8c"').length - 1, 20);
  assert.equal(svg.split('fill="#b3261e"').length - 1, 1);
});

test('a metric below what its peers reach is marked in words, a theoretical peak is not', () => {
  const rows = [
    { label: 'BF16', ratio: 0.93, judged: true },
    { label: 'FP8', ratio: 0.66, judged: false },
  ];
  const texts = textsOf(renderSvg(measuredAgainstExpected(rows), 500, 120));
  assert.ok(texts.includes('93 % low'), texts.join('|'));
  assert.ok(texts.includes('66 %'));
});
