import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retailCsv } from '../../../../coordinator/ingest/connectors/retail-csv.ts';
import { failure, fixture, readAll, sourceOf } from '../read-source.ts';

const fixed = fixture('retail-csv.csv');

test('new, refurbished and used cards in any currency, by seller and country', async () => {
  const { listings } = await readAll(retailCsv, sourceOf('r.csv', fixed));
  assert.deepEqual(
    listings.map(({ label, formFactor, priceType, price, currency, provider, country, offer, observedAt }) => [
      label,
      formFactor,
      priceType,
      price,
      currency,
      provider,
      country,
      offer,
      observedAt.toISOString().slice(0, 10),
    ]),
    [
      [
        'NVIDIA H100 PCIe 80GB',
        'PCIe',
        100,
        24_990,
        'EUR',
        'Example Shop',
        'DE',
        'https://example.org/h100',
        '2026-11-01',
      ],
      ['NVIDIA A100 SXM4 80GB', 'SXM', 101, 7900, 'USD', 'Example Renewed', 'US', null, '2026-11-01'],
      ['GeForce RTX 4090', null, 102, 1450, 'GBP', 'Example Used', 'GB', null, '2026-11-02'],
    ],
  );
});

test('an unknown condition, a currency that is not a code and a row without a seller are refused with the row', async () => {
  const { lines } = await readAll(retailCsv, sourceOf('r.csv', fixed));
  assert.deepEqual(lines, [
    'r.csv, row 4: sold on terms other than the price types (condition broken)',
    'r.csv, row 5: no exchange rate for its currency (Euro)',
    'r.csv, row 6: does not say who sells it (GeForce RTX 4090)',
  ]);
});

test('swapped columns and other columns are found; negative prices and bad dates are refused with the row', async () => {
  assert.match(
    await failure(retailCsv, sourceOf('r.csv', fixed.replace('price,currency', 'currency,price'))),
    /^r\.csv: the column price does not hold numbers/,
  );
  assert.match(
    await failure(retailCsv, sourceOf('r.csv', 'day,card,eur\n')),
    /^r\.csv: is not of this format: it has no column date, product, /,
  );
  const bad = fixed.replace('1450', '-1450').replace('2026-11-01,NVIDIA A100', '2026-11-31,NVIDIA A100');
  const { lines } = await readAll(retailCsv, sourceOf('r.csv', bad));
  assert.deepEqual(lines.slice(0, 2), [
    'r.csv, row 2: the date is missing or in the future (date 2026-11-31)',
    'r.csv, row 3: the price is not a number above 0 (price -1450)',
  ]);
});
