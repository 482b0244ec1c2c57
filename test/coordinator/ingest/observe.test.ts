import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Listing } from '../../../coordinator/ingest/listing.ts';
import { observer } from '../../../coordinator/ingest/observe.ts';
import type { Reference } from '../../../coordinator/market/ingestion/load-reference.ts';
import { createRates } from '../../../coordinator/market/ingestion/exchange-rates.ts';

const now = new Date('2026-11-20T12:00:00Z');
const reference: Reference = {
  product: ({ label }) =>
    label === 'H100 SXM'
      ? { kind: 'product', product_id: 1029 }
      : { kind: 'none', reason: 'unknown-words', candidates: [] },
  provider: (name) => (name === 'Nobody' ? null : 7),
  providerById: new Map([[7, { provider_id: 7, slug: 'lambda', name: 'Lambda', aliases: [], country: null }]]),
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
const seen = (change: Partial<Listing>) => observe({ ...listing, ...change }, 1);

test('a price in another currency is turned into USD by the rate of the day or of the working day before, and keeps its own', () => {
  const observed = seen({ price: 20, currency: 'CNY' });
  assert.ok(observed.kind === 'observation');
  const { price, originalPrice, currency, rate } = observed.observation;
  assert.deepEqual([originalPrice, currency, rate], [20, 'CNY', 0.14]);
  assert.ok(Math.abs(price - 2.8) < 1e-12);
});

test('a currency of a week without rates asks for them; one that the bank’s rates lack is refused: neither is USD', () => {
  const asked = { kind: 'no-rates', day: '2026-11-20' };
  assert.deepEqual(seen({ currency: 'EUR' }), { ...asked, currency: 'EUR' });
  assert.deepEqual(seen({ currency: 'XXX' }), { ...asked, currency: 'XXX' });
  const usdPer = createRates([{ currency: 'EUR', day: '2026-11-19', usd: 1.1 }]);
  const withEuro = observer({ ...reference, usdPer }, now);
  assert.deepEqual(withEuro({ ...listing, currency: 'XXX' }, 1), {
    kind: 'refused',
    refusal: 'unknown-currency',
    detail: 'XXX on 2026-11-20',
  });
});

test('a date that lies more than a day ahead is refused; another time zone’s tomorrow is not', () => {
  const refused = { kind: 'refused', refusal: 'bad-date', detail: '2026-11-22' };
  assert.deepEqual(seen({ observedAt: new Date('2026-11-22T00:00:00Z') }), refused);
  assert.equal(seen({ observedAt: new Date('2026-11-21T06:00:00Z') }).kind, 'observation');
  assert.equal(seen({ observedAt: new Date(Number.NaN) }).kind, 'refused');
});

test('a price that is no number above 0 is refused', () => {
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
