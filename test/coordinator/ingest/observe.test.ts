import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Listing } from '../../../coordinator/ingest/listing.ts';
import { observer } from '../../../coordinator/ingest/observe.ts';
import { type Reference, createRates } from '../../../coordinator/market/ingestion/load-reference.ts';

const now = new Date('2026-11-20T12:00:00Z');
const reference: Reference = {
  product: ({ label }) =>
    label === 'H100 SXM'
      ? { kind: 'product', product_id: 1029 }
      : { kind: 'none', reason: 'unknown-words', candidates: [] },
  provider: (name) => (name === 'Nobody' ? null : 7),
  providerById: new Map([[7, { provider_id: 7, slug: 'lambda', name: 'Lambda', aliases: [], country: null }]]),
  productSlug: new Map([[1029, 'nvidia-h100-sxm-80gb']]),
  rulings: () => [],
  region: (_, region) => ({ code: region, country: null, segment: null }),
  country: () => 'US',
  usdPer: createRates([
    { currency: 'CNY', day: '2026-11-18', usd: 0.14 },
    { currency: 'EUR', day: '2026-11-01', usd: 1.16 },
  ]),
};
const listing: Listing = {
  label: 'H100 SXM',
  memoryGb: null,
  formFactor: null,
  provider: 'Lambda',
  region: null,
  country: null,
  priceType: 0,
  price: 3,
  currency: 'USD',
  gpuCount: 8,
  clusterSize: 1,
  offer: null,
  observedAt: new Date('2026-11-20T00:00:00Z'),
};
const observe = observer(reference, now);
const seen = (change: Partial<Listing>) => observe({ row: 1, text: 'a,b', listing: { ...listing, ...change } });

test('a price in another currency is turned into USD by the rate of the day or of the working day before, and keeps its own', () => {
  const observed = seen({ price: 20, currency: 'CNY' });
  assert.ok(observed.kind === 'observation');
  const { price, originalPrice, rate, priced } = observed.observation;
  assert.deepEqual([originalPrice, priced.currency, rate], [20, 'CNY', 0.14]);
  assert.ok(Math.abs(price - 2.8) < 1e-12);
});

test('a currency of a week without rates asks for them; one that the bank’s rates lack is refused: neither is USD', () => {
  const asked = { kind: 'no-rates', day: '2026-11-20' };
  assert.deepEqual(seen({ currency: 'EUR' }), { ...asked, currency: 'EUR' });
  assert.deepEqual(seen({ currency: 'XTS' }), { ...asked, currency: 'XTS' });
  const usdPer = createRates([{ currency: 'EUR', day: '2026-11-19', usd: 1.1 }]);
  const withEuro = observer({ ...reference, usdPer }, now);
  assert.deepEqual(withEuro({ row: 1, text: '', listing: { ...listing, currency: 'XTS' } }), {
    kind: 'refused',
    refusal: 'unknown-currency',
    detail: 'XTS on 2026-11-20',
  });
});

test('a date that lies more than a day ahead is refused; another time zone’s tomorrow is not', () => {
  const refused = { kind: 'refused', refusal: 'bad-date', detail: '2026-11-22' };
  assert.deepEqual(seen({ observedAt: new Date('2026-11-22T00:00:00Z') }), refused);
  assert.equal(seen({ observedAt: new Date('2026-11-21T06:00:00Z') }).kind, 'observation');
  assert.equal(seen({ observedAt: new Date(Number.NaN) }).kind, 'refused');
});

test('a price that is not a number above 0 is refused', () => {
  for (const price of [0, -1, Number.NaN, Infinity]) {
    const observed = seen({ price });
    assert.ok(observed.kind === 'refused' && observed.refusal === 'bad-price', String(price));
  }
});

test('words without a meaning are kept with what the source said beside them', () => {
  assert.deepEqual(seen({ label: 'H100', memoryGb: 79.6, formFactor: 'PCIe' }), {
    kind: 'unmatched',
    of: 'product',
    label: 'H100 | 80 GB | PCIe',
  });
  assert.deepEqual(seen({ provider: 'Nobody' }), { kind: 'unmatched', of: 'provider', label: 'Nobody' });
});

test('a machine’s type that holds other accelerators than are said of it, or another number, is kept and doubted', () => {
  const doubt = (change: Partial<Listing>): unknown => {
    const observed = seen(change);
    assert.ok(observed.kind === 'observation');
    return observed.observation.priced.doubt;
  };
  const byType: Reference = {
    ...reference,
    product: ({ label }) => ({ kind: 'product', product_id: label.includes('A100') ? 1020 : 1029 }),
  };
  assert.equal(doubt({ offer: 'nobody-knows.8' }), null);
  assert.equal(doubt({ offer: 'p5.48xlarge', gpuCount: 4 }), 'contradiction', 'it has eight');
  const observed = observer(byType, now)({ row: 1, text: '', listing: { ...listing, offer: 'p4d.24xlarge' } });
  assert.ok(observed.kind === 'observation');
  assert.equal(observed.observation.priced.doubt, 'contradiction', 'an A100 machine under the label H100');
});

test('an observation keeps the source’s words, the row and the first eight bytes of its SHA-256', () => {
  const observed = observe({ row: 41, text: 'a,b', listing: { ...listing, said: 'H100_SXM' } });
  assert.ok(observed.kind === 'observation');
  // printf 'a,b' | sha256sum
  assert.deepEqual(
    [observed.observation.priced.label, observed.observation.row, observed.observation.rowHash],
    ['H100_SXM', 41, '1eb7c54d52831bbf'],
  );
});

test('listings of the same words price the same thing, once', () => {
  const words = { found: null };
  const one = seen({ words, price: 2 });
  const other = seen({ words, price: 3 });
  assert.ok(one.kind === 'observation' && other.kind === 'observation');
  assert.equal(one.observation.priced, other.observation.priced);
  assert.deepEqual([one.observation.price, other.observation.price], [2, 3]);
});
