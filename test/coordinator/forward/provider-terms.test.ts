import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curveOfClass } from '../../../coordinator/forward/curve-of-class.ts';
import { blend, providerTerms, type RateRow } from '../../../coordinator/forward/provider-terms.ts';

const row = (price_type: number, price: number, more: Partial<RateRow> = {}): RateRow => ({
  provider: 'aws',
  day: '2025-11-30',
  country: 'US',
  contract: 'standard',
  price_type,
  price,
  ...more,
});
const both = (price_type: number, price: number, more: Partial<RateRow> = {}): RateRow[] => [
  row(price_type, price, { ...more, country: '' }),
  row(price_type, price, more),
];
const convertible = { contract: 'convertible' } as const;

/** p5.48xlarge in us-east-1, for one of eight: no Standard contract of one year exists. */
const p5 = [
  ...both(0, 55.04 / 8),
  row(36, 23.77728 / 8),
  row(12, 43.344 / 8, convertible),
  row(36, 40.42138 / 8, convertible),
];

test('p5 has its curve of Convertible contracts alone', () => {
  const terms = providerTerms(p5);
  assert.ok('contract' in terms);
  assert.equal(terms.contract, 'convertible');
  const curve = curveOfClass(p5, { sellers: 'Hyperscaler', named: [] });
  assert.ok(curve);
  const [year, three] = [12, 36].map((tenor) => curve.points.find((point) => point.tenor === tenor)?.term ?? 0);
  assert.equal(((36 * (three ?? 0) - 12 * (year ?? 0)) / 24).toFixed(2), '4.87');
});

test('a year of Convertible and three of Standard are a mix: refused, with the reason', () => {
  // It would give (36 x 2.972 - 12 x 5.418) / 24 = 1.75, a discount that nobody offers.
  const mixed = [...both(0, 55.04 / 8), row(36, 23.77728 / 8), row(12, 43.344 / 8, convertible)];
  const left = providerTerms(mixed);
  assert.ok('reason' in left);
  assert.match(left.reason, /Standard and Convertible.*not published/);
  assert.equal(curveOfClass(mixed, { sellers: 'Hyperscaler', named: [] }), null);
  const beside = curveOfClass([...mixed, ...both(0, 6, { provider: 'azure' }), row(12, 4, { provider: 'azure' })], {
    sellers: 'Hyperscaler',
    named: [],
  });
  assert.deepEqual(beside?.providers, ['azure']);
  assert.match(beside?.flags.join() ?? '', /aws is left out: its terms mix Standard and Convertible/);
});

test('Standard is the class if it has both terms, whatever Convertible costs', () => {
  const terms = providerTerms([
    ...both(0, 3),
    row(12, 2),
    row(36, 1.5),
    row(12, 2.5, convertible),
    row(36, 2, convertible),
  ]);
  assert.ok('contract' in terms);
  assert.equal(terms.contract, 'standard');
  assert.deepEqual(
    terms.ratios.map(({ ratio }) => ratio),
    [2 / 3, 1.5 / 3],
  );
});

test('a rate is held against the price on demand of its own country, the price over all is the level', () => {
  const terms = providerTerms([
    row(0, 4, { country: '' }),
    row(0, 3),
    row(0, 5, { country: 'JP' }),
    row(0, 9, { country: 'BR' }),
    row(12, 1.5),
    row(12, 3, { country: 'JP' }),
    row(12, 2, { country: '' }),
    row(12, 1, { country: 'DE' }),
  ]);
  assert.ok('contract' in terms);
  // US 1.5 / 3 and JP 3 / 5; Brazil has no term, Germany no price on demand.
  assert.deepEqual(terms.ratios, [{ tenor: 12, ratio: 0.55 }]);
  assert.equal(terms.on_demand, 4);
});

test('providers blend by level times ratios, never by tenor levels', () => {
  const of = (provider: string, on_demand: number, ratios: [number, number][]) => ({
    provider,
    day: '2025-11-30',
    contract: 'standard' as const,
    on_demand,
    ratios: ratios.map(([tenor, ratio]) => ({ tenor, ratio })),
    pairs: [],
  });
  const blended = blend(
    [
      of('a', 2, [[12, 0.5]]),
      of('b', 6, [
        [12, 0.8],
        [36, 0.5],
      ]),
    ],
    [],
  );
  assert.equal(blended.level, 4);
  const [year, three] = blended.knots;
  // The geometric mean of 0.5 and 0.8; the three years of the dear provider alone do not lift the level to 6.
  assert.equal(year?.rate.toFixed(12), (4 * Math.sqrt(0.4)).toFixed(12));
  assert.equal(three?.rate, 2);
});

test('a ratio fills a year that no provider of the class publishes, and makes no curve of its own', () => {
  const named = (provider: string, tenor: number, ratio: number) => ({
    provider,
    tenor,
    ratio,
    as_of: '2026-08-27',
    source_url: 'https://example.com',
  });
  const ratios = [named('aws', 12, 0.6), named('aws', 36, 0.4), named('gcp', 36, 0.45)];
  const rows = [...both(0, 10), row(12, 7), ...both(0, 12, { provider: 'gcp' })];
  const curve = curveOfClass(rows, { sellers: 'Hyperscaler', named: ratios });
  assert.deepEqual(curve?.inputs.knots, [
    { tenor: 12, rate: 7, basis: 'observed' },
    { tenor: 36, rate: 4, basis: 'ratio' },
  ]);
  assert.equal(curve?.points.find(({ tenor }) => tenor === 24)?.basis, 'ratio');
  const onDemandAlone = both(0, 10);
  assert.equal(curveOfClass(onDemandAlone, { sellers: 'Hyperscaler', named: ratios }), null);
});
